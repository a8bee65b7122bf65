// `metadata` as the server's own type: known fields with their types, nulls and empty lists left out.

import type { Json, JsonObject } from "../json.ts";
import { isJsonList, isJsonObject } from "../schema/json-value.ts";

type FieldType = "string" | "number" | "string-map" | "string-list" | "object-list" | "time";

const fields: Readonly<Record<string, FieldType>> = {
  name: "string",
  generateName: "string",
  namespace: "string",
  selfLink: "string",
  uid: "string",
  resourceVersion: "string",
  generation: "number",
  creationTimestamp: "time",
  deletionTimestamp: "time",
  deletionGracePeriodSeconds: "number",
  labels: "string-map",
  annotations: "string-map",
  ownerReferences: "object-list",
  finalizers: "string-list",
  managedFields: "object-list",
};

export interface DecodedMetadata {
  readonly value: JsonObject;
  readonly unknownFields: readonly string[];
  readonly problems: readonly string[];
}

export function decodeMetadata(raw: Json | undefined): DecodedMetadata {
  if (raw === undefined || raw === null) return { value: {}, unknownFields: [], problems: [] };
  if (!isJsonObject(raw))
    return { value: {}, unknownFields: [], problems: [unmarshal(raw, "metadata", "v1.ObjectMeta")] };
  const value: Record<string, Json> = {};
  const unknownFields: string[] = [];
  const problems: string[] = [];
  for (const [name, field] of Object.entries(raw)) {
    const type = fields[name];
    if (type === undefined) unknownFields.push(`metadata.${name}`);
    else if (field === null || field === undefined) continue;
    else if (!hasType(field, type)) problems.push(unmarshal(field, `ObjectMeta.${name}`, type));
    else if (!isEmpty(field) || name === "managedFields") value[name] = field;
  }
  return { value, unknownFields, problems };
}

function hasType(value: Json, type: FieldType): boolean {
  if (type === "number") return Number.isInteger(value);
  if (type === "string") return typeof value === "string";
  if (type === "time") return typeof value === "string" && !Number.isNaN(Date.parse(value));
  if (type === "string-map")
    return isJsonObject(value) && Object.values(value).every((item) => typeof item === "string");
  if (!isJsonList(value)) return false;
  return type === "string-list" ? value.every((item) => typeof item === "string") : value.every(isJsonObject);
}

function isEmpty(value: Json): boolean {
  if (isJsonList(value)) return value.length === 0;
  return value === "" || (isJsonObject(value) && Object.keys(value).length === 0);
}

function unmarshal(value: Json, field: string, type: string): string {
  const found = isJsonList(value) ? "array" : value === null ? "null" : typeof value;
  return `json: cannot unmarshal ${found} into Go struct field ${field} of type ${type}`;
}
