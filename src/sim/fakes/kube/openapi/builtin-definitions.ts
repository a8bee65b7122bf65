// Schemas of built-in kinds for a document: the definitions a kind needs, by name, with references between them.

import type { Json, JsonObject } from "../json.ts";
import type { SchemaDefinition } from "../kinds/builtin-schemas.ts";
import { definitions, roots } from "../kinds/builtin-schemas-data.ts";
import { isJsonList, isJsonObject, stringAt } from "../schema/json-value.ts";
import { reference } from "./schema-names.ts";

export function builtinDefinitionName(group: string, version: string, kind: string): string | undefined {
  return roots[group === "" ? `${version}/${kind}` : `${group}/${version}/${kind}`];
}

/** The named definition and all it leads to. */
export function builtinDefinitions(name: string): Readonly<Record<string, JsonObject>> {
  const found: Record<string, JsonObject> = {};
  const collect = (wanted: string): void => {
    const definition = definitions[wanted];
    if (definition === undefined || found[wanted] !== undefined) return;
    found[wanted] = {};
    found[wanted] = linked(definition, collect);
  };
  collect(name);
  return found;
}

function linked(definition: SchemaDefinition, visit: (name: string) => void): JsonObject {
  // A definition is JSON already; only its type does not say so.
  const json = rewritten(definition as unknown as JsonObject, visit);
  return isJsonObject(json) ? json : {};
}

/** A reference beside other keywords stands in `allOf`, where OpenAPI lets both hold. */
function rewritten(value: Json, visit: (name: string) => void): Json {
  if (isJsonList(value)) return value.map((item) => rewritten(item, visit));
  if (!isJsonObject(value)) return value;
  const { $ref, ...rest } = value;
  const fields = Object.fromEntries(
    Object.entries(rest).map(([field, part]) => [field, rewritten(part ?? null, visit)]),
  );
  if (typeof $ref !== "string") return $ref === undefined ? fields : { ...fields, $ref: rewritten($ref, visit) };
  const name = stringAt(value, "$ref");
  visit(name);
  return Object.keys(fields).length === 0 ? reference(name) : { ...fields, allOf: [reference(name)] };
}
