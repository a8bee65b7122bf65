// The fields a value sets, as paths: what an applier says it owns.

import { isJsonList, isJsonObject, type Json, presentFields } from "../schema/json-value.ts";
import { below, type FieldPath, type FieldSet, FieldSetBuilder, mapChildren } from "./field-set.ts";
import {
  isAtomicMap,
  isNamedField,
  listShape,
  type MergeType,
  shapeOf,
  typeOfField,
  typeOfItem,
} from "./merge-type.ts";
import { fieldElement, fieldName, itemElement } from "./path-element.ts";

export function ownedFields(type: MergeType, value: Json): FieldSet {
  const builder = new FieldSetBuilder();
  collect(type, value, [], builder);
  return builder.build();
}

function collect(type: MergeType, value: Json, path: FieldPath, into: FieldSetBuilder): void {
  const shape = shapeOf(type, value);
  if (shape === "scalar") into.insert(path);
  else if (shape === "list") collectList(type, value, path, into);
  else if (isAtomicMap(type)) into.insert(path);
  else if (isJsonObject(value)) {
    for (const name of presentFields(value)) {
      const field = typeOfField(type, name);
      const inner = value[name] ?? null;
      const at = [...path, fieldElement(name)];
      if (field !== undefined) collect(field, inner, at, into);
      const isEmpty = inner === null || (isJsonObject(inner) && presentFields(inner).length === 0);
      if (isEmpty || !isNamedField(type, name)) into.insert(at);
    }
  }
}

function collectList(type: MergeType, value: Json, path: FieldPath, into: FieldSetBuilder): void {
  const shape = listShape(type);
  if (shape.kind === "atomic") {
    into.insert(path);
    return;
  }
  const item = typeOfItem(type);
  const seen = new Map<string, number>();
  const keyed = (isJsonList(value) ? value : []).map((entry) => [itemElement(shape, entry), entry] as const);
  for (const [key] of keyed) if (key !== undefined) seen.set(key, (seen.get(key) ?? 0) + 1);
  for (const [key, entry] of keyed) {
    if (key === undefined) continue;
    into.insert([...path, key]);
    if (seen.get(key) === 1) collect(item, entry, [...path, key], into);
  }
}

/** Adds the declared fields on the way to each path: removing all below one removes the field itself. */
export function withNamedFields(type: MergeType | undefined, set: FieldSet): FieldSet {
  const members = new Set(set.members);
  for (const element of set.children.keys()) {
    const name = fieldName(element);
    if (name !== undefined && type !== undefined && isNamedField(type, name)) members.add(element);
  }
  const children = mapChildren(set, (_, element) => {
    const name = fieldName(element);
    const inner = type === undefined ? undefined : name === undefined ? typeOfItem(type) : typeOfField(type, name);
    return withNamedFields(inner, below(set, element));
  });
  return { members, children };
}
