// `metadata` as the server's own type, the same for every kind: known fields with their types; what is empty is left out.

import type { Json, JsonObject } from "../json.ts";
import { objectMetaSchema } from "../kinds/builtin-schemas.ts";
import { isJsonObject, mapFields } from "../schema/json-value.ts";
import { pruneFields } from "../schema/prune.ts";
import { validateSchema } from "../schema/validate.ts";
import { goShape } from "./go-shape.ts";

export interface DecodedMetadata {
  readonly value: JsonObject;
  readonly unknownFields: readonly string[];
  readonly problems: readonly string[];
}

export function decodeMetadata(raw: Json | undefined): DecodedMetadata {
  if (raw === undefined || raw === null) return { value: {}, unknownFields: [], problems: [] };
  if (!isJsonObject(raw)) {
    const problem = "json: cannot unmarshal metadata into Go value of type v1.ObjectMeta";
    return { value: {}, unknownFields: [], problems: [problem] };
  }
  const schema = objectMetaSchema();
  const shaped = goShape(schema, raw);
  const problems = validateSchema(schema, shaped, "metadata")
    .filter(({ reason }) => reason === "FieldValueTypeInvalid")
    .map(({ field, message }) => `${field}: ${message}`);
  const { value, unknownFields } = pruneFields(schema, shaped, "metadata");
  const filled = mapFields(value, (field) => (field === "" ? undefined : field));
  // An empty list is a request here: to forget who owns what.
  const forgets = Array.isArray(raw["managedFields"]) && raw["managedFields"].length === 0;
  return { value: forgets ? { ...filled, managedFields: [] } : filled, unknownFields, problems };
}
