// A set of field paths as a trie: who owns what on an object. Sets are values: an operation that changes nothing gives back the set it was
// given, so that what is known of that set (how it reads as JSON) stays known.

import { isJsonObject, type Json, type JsonObject } from "../schema/json-value.ts";
import type { PathElement } from "./path-element.ts";

export interface FieldSet {
  /** Elements that are themselves in the set. */
  readonly members: ReadonlySet<PathElement>;
  /** Elements that have something of the set below them. Never holds an empty set. */
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

export type FieldPath = readonly PathElement[];

export const emptyFieldSet: FieldSet = { members: new Set(), children: new Map() };

export function fieldSetOf(paths: Iterable<FieldPath>): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) builder.insert(path);
  return builder.build();
}

export function isEmptySet(set: FieldSet): boolean {
  return set.members.size === 0 && set.children.size === 0;
}

export function below(set: FieldSet, element: PathElement): FieldSet {
  return set.children.get(element) ?? emptyFieldSet;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a) || a === b) return b;
  if (isEmptySet(b)) return a;
  if (contains(b, a)) return b;
  const children = new Map(a.children);
  for (const [element, child] of b.children) children.set(element, union(below(a, element), child));
  return { members: new Set([...a.members, ...b.members]), children };
}

export function contains(whole: FieldSet, part: FieldSet): boolean {
  for (const element of part.members) if (!whole.members.has(element)) return false;
  for (const [element, child] of part.children) if (!contains(below(whole, element), child)) return false;
  return true;
}

/** The set that is known already where the new one has the same paths. */
export function sameSetOr(known: FieldSet | undefined, set: FieldSet): FieldSet {
  return known !== undefined && contains(known, set) && contains(set, known) ? known : set;
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a) || isEmptySet(b)) return emptyFieldSet;
  return remade(
    a,
    (element) => b.members.has(element),
    (child, element) => intersection(child, below(b, element)),
  );
}

/** Takes exactly the paths of `b` out of `a`; what lies below them stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a;
  return remade(
    a,
    (element) => !b.members.has(element),
    (child, element) => difference(child, below(b, element)),
  );
}

/** Takes the paths of `b` and all that lies below them out of `a`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a;
  return remade(
    a,
    (element) => !b.members.has(element),
    (child, element) => (b.members.has(element) ? emptyFieldSet : recursiveDifference(child, below(b, element))),
  );
}

function remade(
  set: FieldSet,
  keeps: (element: PathElement) => boolean,
  change: (child: FieldSet, element: PathElement) => FieldSet,
): FieldSet {
  const members = [...set.members].filter(keeps);
  const children = mapChildren(set, change);
  const isSame = members.length === set.members.size && children === set.children;
  return isSame ? set : { members: new Set(members), children };
}

export function mapChildren(
  set: FieldSet,
  change: (child: FieldSet, element: PathElement) => FieldSet,
): ReadonlyMap<PathElement, FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  let isSame = true;
  for (const [element, child] of set.children) {
    const changed = change(child, element);
    if (changed !== child) isSame = false;
    if (!isEmptySet(changed)) children.set(element, changed);
  }
  return isSame ? set.children : children;
}

export function pathsOf(set: FieldSet, prefix: FieldPath = []): readonly FieldPath[] {
  const here = sorted(set.members).map((element) => [...prefix, element]);
  const deeper = sorted(set.children.keys()).flatMap((element) => pathsOf(below(set, element), [...prefix, element]));
  return [...here, ...deeper];
}

const written = new WeakMap<FieldSet, JsonObject>();

export function toFieldsV1(set: FieldSet): JsonObject {
  const known = written.get(set);
  if (known !== undefined) return known;
  const fields: Record<string, Json> = {};
  for (const element of sorted(new Set([...set.members, ...set.children.keys()]))) {
    const child = set.children.get(element);
    const deeper = child === undefined ? {} : toFieldsV1(child);
    fields[element] = child !== undefined && set.members.has(element) ? { ".": {}, ...deeper } : deeper;
  }
  written.set(set, fields);
  return fields;
}

const read = new WeakMap<JsonObject, FieldSet>();

export function fromFieldsV1(fields: JsonObject): FieldSet {
  const known = read.get(fields);
  if (known !== undefined) return known;
  const members = new Set<PathElement>();
  const children = new Map<PathElement, FieldSet>();
  for (const [element, value] of Object.entries(fields)) {
    if (element === "." || !isJsonObject(value)) continue;
    const child = fromFieldsV1(value);
    if (value["."] !== undefined || isEmptySet(child)) members.add(element);
    if (!isEmptySet(child)) children.set(element, child);
  }
  const set = { members, children };
  read.set(fields, set);
  return set;
}

function sorted(elements: Iterable<PathElement>): readonly PathElement[] {
  return [...elements].sort();
}

/** Collects paths while an object is walked: one builder for each place that has something below it. */
export class FieldSetBuilder {
  readonly #members = new Set<PathElement>();
  readonly #children = new Map<PathElement, FieldSetBuilder>();

  insert([element, ...rest]: FieldPath): void {
    if (element === undefined) return;
    if (rest.length === 0) this.add(element);
    else this.below(element).insert(rest);
  }

  add(element: PathElement): void {
    this.#members.add(element);
  }

  below(element: PathElement): FieldSetBuilder {
    const known = this.#children.get(element);
    if (known !== undefined) return known;
    const child = new FieldSetBuilder();
    this.#children.set(element, child);
    return child;
  }

  build(): FieldSet {
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of this.#children) {
      const built = child.build();
      if (!isEmptySet(built)) children.set(element, built);
    }
    return this.#members.size === 0 && children.size === 0 ? emptyFieldSet : { members: this.#members, children };
  }
}
