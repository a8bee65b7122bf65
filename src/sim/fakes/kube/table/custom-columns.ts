// Tables of custom resources: the columns of their CRD, or the age when it names none.

import { present } from "../../../../core/present.ts";
import type { Json } from "../json.ts";
import type { PrinterColumn, ResourceVersionDefinition } from "../resource.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { humanDuration } from "./human-duration.ts";
import { type JsonPathStep, JsonPathSyntaxError, parseJsonPath, readJsonPath } from "./json-path.ts";
import { nameColumn, type PrintedKind, type TableColumn } from "./printed-kind.ts";

const ageByDefault: PrinterColumn = {
  name: "Age",
  type: "date",
  description: "How long ago the object was created.",
  jsonPath: ".metadata.creationTimestamp",
};

export function customColumns({ columns: defined }: ResourceVersionDefinition): PrintedKind {
  const columns = defined.length === 0 ? [ageByDefault] : defined;
  const paths = columns.map(({ jsonPath }) => pathOf(jsonPath));
  return {
    columns: [nameColumn, ...columns.map(tableColumn)],
    cells: (object, nowMs) => [
      stringAt(objectAt(object, "metadata"), "name"),
      ...columns.map(({ type }, i) => cell(type, readJsonPath(paths[i] ?? [], object)[0], nowMs)),
    ],
  };
}

function tableColumn({ name, type, format, description, priority, jsonPath }: PrinterColumn): TableColumn {
  return {
    name,
    type,
    ...present({ format }),
    description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    ...present({ priority }),
  };
}

/** A path that does not parse leads nowhere: the cell stays empty. */
function pathOf(text: string): readonly JsonPathStep[] {
  try {
    return parseJsonPath(text);
  } catch (error) {
    if (error instanceof JsonPathSyntaxError) return [{ step: "slice", from: 0, to: 0 }];
    throw error;
  }
}

function cell(type: string, value: Json | undefined, nowMs: number): Json {
  if (value === undefined) return null;
  switch (type) {
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date": {
      if (typeof value !== "string") return null;
      const at = Date.parse(value);
      return isTimestamp(value) && !Number.isNaN(at) ? humanDuration(nowMs - at) : "<invalid>";
    }
    default:
      return typeof value === "string" ? value : JSON.stringify(value);
  }
}

function isTimestamp(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(text);
}
