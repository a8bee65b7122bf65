// Lists that are sets or maps must be able to be so: keys that always exist, items that can be compared.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { childPath, invalid, keyPath, notSupported, required } from "../field-cause.ts";
import type { StructuralSchema } from "./structural-schema.ts";

const scalars = new Set(["string", "integer", "number", "boolean"]);

export function listTypeProblems(schema: StructuralSchema, path: string): readonly FieldCause[] {
  const { type = "" } = schema;
  const listType: string | undefined = schema["x-kubernetes-list-type"];
  const mapType: string | undefined = schema["x-kubernetes-map-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const problems: FieldCause[] = [];
  if (mapType !== undefined) problems.push(...mapTypeProblems(type, mapType, path));
  if (listType !== undefined && !["atomic", "set", "map"].includes(listType)) {
    problems.push(notSupported(childPath(path, "x-kubernetes-list-type"), listType, ["atomic", "set", "map"]));
  } else if (listType !== undefined && type !== "array") {
    problems.push(invalid(childPath(path, "type"), type, "must be array if x-kubernetes-list-type is specified"));
  }
  if (keys.length > 0 && listType !== "map") {
    problems.push(
      required(childPath(path, "x-kubernetes-list-type"), "must be map if x-kubernetes-list-map-keys is non-empty"),
    );
  }
  if (listType === "map" && type === "array") problems.push(...mapListProblems(schema, keys, path));
  if (listType === "set" && type === "array") problems.push(...setProblems(schema, path));
  return problems;
}

function mapTypeProblems(type: string, mapType: string, path: string): readonly FieldCause[] {
  if (mapType !== "atomic" && mapType !== "granular") {
    return [notSupported(childPath(path, "x-kubernetes-map-type"), mapType, ["atomic", "granular"])];
  }
  return type === "object"
    ? []
    : [invalid(childPath(path, "type"), type, "must be object if x-kubernetes-map-type is specified")];
}

function setProblems({ items = {} }: StructuralSchema, path: string): readonly FieldCause[] {
  const at = childPath(path, "items");
  const word = "must be atomic as item of a list with x-kubernetes-list-type=set";
  if (items.type === "object" && items["x-kubernetes-map-type"] !== "atomic") {
    return [invalid(childPath(at, "x-kubernetes-map-type"), items["x-kubernetes-map-type"], word)];
  }
  const isAtomic = [undefined, "atomic"].includes(items["x-kubernetes-list-type"]);
  return items.type === "array" && !isAtomic
    ? [invalid(childPath(at, "x-kubernetes-list-type"), items["x-kubernetes-list-type"], word)]
    : [];
}

function mapListProblems(
  { items = {} }: StructuralSchema,
  keys: readonly string[],
  path: string,
): readonly FieldCause[] {
  const itemsAt = childPath(path, "items");
  if (items.type !== "object") {
    return [
      invalid(
        childPath(itemsAt, "type"),
        items.type ?? "",
        "must be object if parent array's x-kubernetes-list-type is map",
      ),
    ];
  }
  const keysAt = childPath(path, "x-kubernetes-list-map-keys");
  if (keys.length === 0) return [required(keysAt, "must not be empty if x-kubernetes-list-type is map")];
  if (new Set(keys).size !== keys.length) return [invalid(keysAt, keys, "must not contain duplicate entries")];
  const { properties = {}, required: needed = [] } = items;
  if (keys.some((key) => properties[key] === undefined))
    return [invalid(keysAt, keys, "entries must all be names of item properties")];
  return keys.flatMap((key) =>
    keyProblems(properties[key] ?? {}, needed.includes(key), keyPath(childPath(itemsAt, "properties"), key)),
  );
}

function keyProblems(key: StructuralSchema, isRequired: boolean, path: string): readonly FieldCause[] {
  const problems: FieldCause[] = [];
  if (!scalars.has(key.type ?? "")) {
    problems.push(
      invalid(
        childPath(path, "type"),
        key.type ?? "",
        "must be a scalar type if parent array's x-kubernetes-list-type is map",
      ),
    );
  }
  if (key.nullable === true) {
    problems.push(
      invalid(
        childPath(path, "nullable"),
        true,
        "this property is in x-kubernetes-list-map-keys, so it cannot be nullable",
      ),
    );
  }
  if (!isRequired && key.default === undefined) {
    const detail =
      "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
    problems.push(required(childPath(path, "default"), detail));
  }
  return problems;
}
