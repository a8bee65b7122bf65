// The fields a value sets, as paths: what an applier says it owns.

import { isJsonList, isJsonObject, type Json, type JsonObject, presentFields } from "../schema/json-value.ts";
import { below, type FieldSet, FieldSetBuilder, mapChildren } from "./field-set.ts";
import {
  isAtomicMap,
  isNamedField,
  listShape,
  type MergeType,
  shapeOf,
  typeOfField,
  typeOfItem,
} from "./merge-type.ts";
import { fieldElement, fieldName, itemElement, type PathElement } from "./path-element.ts";

export function ownedFields(type: MergeType, value: Json): FieldSet {
  const builder = new FieldSetBuilder();
  collect(type, value, builder);
  return builder.build();
}

/** `element` is where the value stands in `into`; the root stands nowhere. */
function collect(type: MergeType, value: Json, into: FieldSetBuilder, element?: PathElement): void {
  const shape = shapeOf(type, value);
  const isWhole = shape === "scalar" || (shape === "list" ? listShape(type).kind === "atomic" : isAtomicMap(type));
  if (isWhole) {
    if (element !== undefined) into.add(element);
    return;
  }
  const inside = element === undefined ? into : into.below(element);
  if (isJsonList(value)) collectItems(type, value, inside);
  else if (isJsonObject(value)) collectFields(type, value, inside);
}

function collectFields(type: MergeType, value: JsonObject, inside: FieldSetBuilder): void {
  for (const name of presentFields(value)) {
    const field = typeOfField(type, name);
    const inner = value[name] ?? null;
    const at = fieldElement(name);
    if (field !== undefined) collect(field, inner, inside, at);
    const isEmpty = inner === null || (isJsonObject(inner) && presentFields(inner).length === 0);
    if (isEmpty || !isNamedField(type, name)) inside.add(at);
  }
}

function collectItems(type: MergeType, list: readonly Json[], inside: FieldSetBuilder): void {
  const shape = listShape(type);
  const item = typeOfItem(type);
  const seen = new Map<string, number>();
  const keyed = list.map((entry) => [itemElement(shape, entry), entry] as const);
  for (const [key] of keyed) if (key !== undefined) seen.set(key, (seen.get(key) ?? 0) + 1);
  for (const [key, entry] of keyed) {
    if (key === undefined) continue;
    inside.add(key);
    if (seen.get(key) === 1) collect(item, entry, inside, key);
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
