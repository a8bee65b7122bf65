// What may not stand inside allOf, anyOf, oneOf and not: anything but value validations.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { childPath, forbidden, itemPath, keyPath } from "../field-cause.ts";
import { type Json, sameJson } from "./json-value.ts";
import type { StructuralSchema } from "./structural-schema.ts";

const forbiddenInside: Readonly<Record<string, string>> = {
  type: "must be empty to be structural",
  title: "must be empty to be structural",
  description: "must be empty to be structural",
  default: "must be undefined to be structural",
  additionalProperties: "must be undefined to be structural",
  nullable: "must be false to be structural",
  "x-kubernetes-preserve-unknown-fields": "must be false to be structural",
  "x-kubernetes-embedded-resource": "must be false to be structural",
  "x-kubernetes-int-or-string": "must be false to be structural",
  "x-kubernetes-list-map-keys": "must be empty to be structural",
  "x-kubernetes-list-type": "must be undefined to be structural",
  "x-kubernetes-map-type": "must be undefined to be structural",
  "x-kubernetes-validations": "must be empty to be structural",
};

export function nestedProblems(schema: StructuralSchema, path: string): readonly FieldCause[] {
  const isIntOrString = schema["x-kubernetes-int-or-string"] === true;
  return combined(schema, path, isIntOrString);
}

function combined(schema: StructuralSchema, path: string, mayNameTypes: boolean): readonly FieldCause[] {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  // The one exception: an int-or-string may spell out its two types.
  const anyOfToCheck = mayNameTypes && isIntOrStringPattern(anyOf) ? [] : anyOf;
  return [
    ...allOf.flatMap((inner, i) => inside(inner, itemPath(childPath(path, "allOf"), i), mayNameTypes && i === 0)),
    ...anyOfToCheck.flatMap((inner, i) => inside(inner, itemPath(childPath(path, "anyOf"), i), false)),
    ...oneOf.flatMap((inner, i) => inside(inner, itemPath(childPath(path, "oneOf"), i), false)),
    ...(not === undefined ? [] : inside(not, childPath(path, "not"), false)),
  ];
}

function inside(schema: StructuralSchema, path: string, mayNameTypes: boolean): readonly FieldCause[] {
  const own = Object.entries(schema).flatMap(([name, value]) => {
    const detail = Object.hasOwn(forbiddenInside, name) ? forbiddenInside[name] : undefined;
    return detail === undefined || value === false || value === "" ? [] : [forbidden(childPath(path, name), detail)];
  });
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = keyPath(childPath(path, "properties"), name);
    return name === "metadata"
      ? [forbidden(at, "must not be specified in a nested context")]
      : inside(field, at, false);
  });
  const items = schema.items === undefined ? [] : inside(schema.items, childPath(path, "items"), false);
  return [...own, ...fields, ...items, ...combined(schema, path, mayNameTypes)];
}

function isIntOrStringPattern(anyOf: readonly StructuralSchema[]): boolean {
  const types: Json = anyOf.map((one) => (Object.keys(one).length === 1 ? (one.type ?? "") : ""));
  return sameJson(types, ["integer", "string"]);
}
