// What changed between two objects, as sets of field paths. Ownership follows from this and from nothing else.

import { isJsonList, isJsonObject, type Json, presentFields, sameJson } from "../schema/json-value.ts";
import { type FieldPath, type FieldSet, FieldSetBuilder } from "./field-set.ts";
import { isAtomicMap, listShape, type MergeType, type Shape, shapeOf, typeOfField, typeOfItem } from "./merge-type.ts";
import { fieldElement, itemElement, type PathElement } from "./path-element.ts";

export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

export function compareValues(type: MergeType, before: Json | undefined, after: Json | undefined): Comparison {
  const walk = new Walk();
  walk.compare(type, before, after, []);
  return { removed: walk.removed.build(), modified: walk.modified.build(), added: walk.added.build() };
}

class Walk {
  readonly removed = new FieldSetBuilder();
  readonly modified = new FieldSetBuilder();
  readonly added = new FieldSetBuilder();

  compare(type: MergeType, before: Json | undefined, after: Json | undefined, path: FieldPath): void {
    // Also what was never touched: a write shares it with the object that it changes.
    if (before === after) return;
    const was = shapeOf(type, before);
    const is = shapeOf(type, after);
    if (before === undefined) this.#as(is, type, before, after, path);
    else if (after === undefined || was === is) this.#as(was, type, before, after, path);
    else {
      this.#as(was, type, before, after, path);
      this.#as(is, type, before, after, path);
    }
  }

  #as(shape: Shape, type: MergeType, before: Json | undefined, after: Json | undefined, path: FieldPath): void {
    if (shape === "scalar" || this.#isLeaf(shape, type, before, after)) {
      this.#leaf(before, after, path);
      return;
    }
    if (shape === "map") this.#maps(type, before, after, path);
    else this.#lists(type, before, after, path);
    if (before === undefined) this.added.insert(path);
    else if (after === undefined) this.removed.insert(path);
  }

  /** One piece by schema, or nothing inside on either side. */
  #isLeaf(shape: Shape, type: MergeType, before: Json | undefined, after: Json | undefined): boolean {
    if (shape === "map" ? isAtomicMap(type) : listShape(type).kind === "atomic") return true;
    return [before, after].every((value) =>
      shape === "map"
        ? !isJsonObject(value) || presentFields(value).length === 0
        : !isJsonList(value) || value.length === 0,
    );
  }

  #leaf(before: Json | undefined, after: Json | undefined, path: FieldPath): void {
    if (before === undefined) this.added.insert(path);
    else if (after === undefined) this.removed.insert(path);
    else if (!sameJson(before, after)) this.modified.insert(path);
  }

  #maps(type: MergeType, before: Json | undefined, after: Json | undefined, path: FieldPath): void {
    const was = isJsonObject(before) ? before : {};
    const is = isJsonObject(after) ? after : {};
    for (const name of new Set([...presentFields(was), ...presentFields(is)])) {
      if (was[name] === is[name]) continue;
      const field = typeOfField(type, name);
      if (field !== undefined) this.compare(field, was[name], is[name], [...path, fieldElement(name)]);
    }
  }

  #lists(type: MergeType, before: Json | undefined, after: Json | undefined, path: FieldPath): void {
    const was = this.#byKey(type, before);
    const is = this.#byKey(type, after);
    const item = typeOfItem(type);
    for (const key of new Set([...was.keys(), ...is.keys()])) {
      const left = was.get(key) ?? [];
      const right = is.get(key) ?? [];
      const at = [...path, key];
      if (left.length <= 1 && right.length <= 1) this.compare(item, left[0], right[0], at);
      else if (left.length >= 2 && right.length >= 2) {
        if (!sameJson(left, right)) this.modified.insert(at);
      } else if (left.length >= 2) {
        this.compare(item, undefined, right[0], at);
        this.removed.insert(at);
      } else {
        this.compare(item, left[0], undefined, at);
        this.added.insert(at);
      }
    }
  }

  #byKey(type: MergeType, list: Json | undefined): ReadonlyMap<PathElement, readonly Json[]> {
    const shape = listShape(type);
    const byKey = new Map<PathElement, readonly Json[]>();
    for (const value of isJsonList(list) ? list : []) {
      const key = itemElement(shape, value);
      if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), value]);
    }
    return byKey;
  }
}
