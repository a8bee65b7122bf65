// Lists and single objects as a `meta.k8s.io/v1` Table: what `kubectl get` prints. Knows no storage and no HTTP.

import type { JsonObject } from "../json.ts";
import type { ResourceDefinition } from "../resource.ts";
import { builtinColumns } from "./builtin-columns.ts";
import { customColumns } from "./custom-columns.ts";
import { partialMetadata } from "./partial-metadata.ts";
import type { PrintedKind, TableColumn } from "./printed-kind.ts";

export interface TableInput {
  readonly resource: ResourceDefinition;
  /** Name of the version the objects are in. */
  readonly version: string;
  readonly objects: readonly JsonObject[];
  readonly listMeta: JsonObject;
  readonly nowMs: number;
  readonly includeObject: "Metadata" | "Object" | "None";
  /** In a watch only the first event has the column definitions. Default true. */
  readonly withColumns?: boolean;
}

export function asTable(input: TableInput): JsonObject {
  const { objects, listMeta, nowMs, withColumns = true } = input;
  const printed = printedKind(input.resource, input.version);
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: listMeta,
    columnDefinitions: withColumns ? printed.columns.map(columnDefinition) : null,
    rows: objects.map((object) => ({
      cells: printed.cells(object, nowMs).map((cell) => cell ?? null),
      object: included(object, input.includeObject),
    })),
  };
}

function printedKind(resource: ResourceDefinition, versionName: string): PrintedKind {
  const version = resource.versions.find(({ name }) => name === versionName);
  return resource.crd === undefined || version === undefined
    ? builtinColumns(resource.group, resource.kind)
    : customColumns(version);
}

function columnDefinition({ name, type, format = "", description, priority = 0 }: TableColumn): JsonObject {
  return { name, type, format, description, priority };
}

function included(object: JsonObject, how: TableInput["includeObject"]): JsonObject | null {
  if (how === "None") return null;
  return how === "Object" ? object : partialMetadata(object);
}
