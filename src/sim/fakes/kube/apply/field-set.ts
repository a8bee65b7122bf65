// A set of field paths as a trie: who owns what on an object. Sets are values; every operation makes a new one.

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
  const children = new Map(a.children);
  for (const [element, child] of b.children) children.set(element, union(below(a, element), child));
  return { members: new Set([...a.members, ...b.members]), children };
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return {
    members: new Set([...a.members].filter((element) => b.members.has(element))),
    children: mapChildren(a, (child, element) => intersection(child, below(b, element))),
  };
}

/** Takes exactly the paths of `b` out of `a`; what lies below them stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return {
    members: new Set([...a.members].filter((element) => !b.members.has(element))),
    children: mapChildren(a, (child, element) => difference(child, below(b, element))),
  };
}

/** Takes the paths of `b` and all that lies below them out of `a`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return {
    members: new Set([...a.members].filter((element) => !b.members.has(element))),
    children: mapChildren(a, (child, element) =>
      b.members.has(element) ? emptyFieldSet : recursiveDifference(child, below(b, element)),
    ),
  };
}

export function mapChildren(
  set: FieldSet,
  change: (child: FieldSet, element: PathElement) => FieldSet,
): ReadonlyMap<PathElement, FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const changed = change(child, element);
    if (!isEmptySet(changed)) children.set(element, changed);
  }
  return children;
}

export function pathsOf(set: FieldSet, prefix: FieldPath = []): readonly FieldPath[] {
  const here = sorted(set.members).map((element) => [...prefix, element]);
  const deeper = sorted(set.children.keys()).flatMap((element) => pathsOf(below(set, element), [...prefix, element]));
  return [...here, ...deeper];
}

export function toFieldsV1(set: FieldSet): JsonObject {
  const fields: Record<string, Json> = {};
  for (const element of sorted(new Set([...set.members, ...set.children.keys()]))) {
    const child = set.children.get(element);
    const deeper = child === undefined ? {} : toFieldsV1(child);
    fields[element] = child !== undefined && set.members.has(element) ? { ".": {}, ...deeper } : deeper;
  }
  return fields;
}

export function fromFieldsV1(fields: JsonObject): FieldSet {
  const members = new Set<PathElement>();
  const children = new Map<PathElement, FieldSet>();
  for (const [element, value] of Object.entries(fields)) {
    if (element === "." || !isJsonObject(value)) continue;
    const child = fromFieldsV1(value);
    if (value["."] !== undefined || isEmptySet(child)) members.add(element);
    if (!isEmptySet(child)) children.set(element, child);
  }
  return { members, children };
}

function sorted(elements: Iterable<PathElement>): readonly PathElement[] {
  return [...elements].sort();
}

/** Collects paths while an object is walked. */
export class FieldSetBuilder {
  readonly #members = new Set<PathElement>();
  readonly #children = new Map<PathElement, FieldSetBuilder>();

  insert(path: FieldPath): void {
    const [element, ...rest] = path;
    if (element === undefined) return;
    if (rest.length === 0) {
      this.#members.add(element);
      return;
    }
    const child = this.#children.get(element) ?? new FieldSetBuilder();
    this.#children.set(element, child);
    child.insert(rest);
  }

  build(): FieldSet {
    const children = new Map([...this.#children].map(([element, child]) => [element, child.build()] as const));
    return { members: new Set(this.#members), children };
  }
}
