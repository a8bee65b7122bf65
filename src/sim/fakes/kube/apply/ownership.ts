// Moves ownership when an object changes: whoever changed a field owns it, nobody owns what is gone, and an applier
// that would change what another owns meets a conflict.

import type { JsonObject } from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";
import { typingProblems } from "./check-applied.ts";
import { type Comparison, compareValues } from "./compare-values.ts";
import {
  difference,
  type FieldSet,
  fieldSetOf,
  intersection,
  isEmptySet,
  recursiveDifference,
  union,
} from "./field-set.ts";
import type { ManagerEntry, Managers } from "./managed-fields.ts";
import { mergeType } from "./merge-type.ts";
import { fieldElement } from "./path-element.ts";

/** The object as another served version shows it, with that version's schema; undefined when the version is gone. */
export type AtVersion = (
  object: JsonObject,
  apiVersion: string,
) => { readonly object: JsonObject; readonly schema: StructuralSchema } | undefined;

export interface Transition {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly apiVersion: string;
  /** Top-level fields that this endpoint ignores: nobody owns them through it. */
  readonly ignored: readonly string[];
  readonly atVersion: AtVersion;
}

export interface Transferred {
  /** The others, without what changed or vanished. Managers of vanished versions are gone. */
  readonly managers: Managers;
  /** What each other manager would lose. */
  readonly conflicts: ReadonlyMap<string, FieldSet>;
  readonly comparison: Comparison;
}

/** Takes changed and removed fields away from every manager but `self`. */
export function transferOwnership(transition: Transition, managers: Managers, self: string): Transferred {
  const compareAt = comparisons(transition);
  const remaining = new Map<string, ManagerEntry>();
  const conflicts = new Map<string, FieldSet>();
  for (const [id, entry] of managers) {
    if (id === self) {
      remaining.set(id, entry);
      continue;
    }
    const comparison = compareAt(entry.apiVersion);
    if (comparison === undefined) continue;
    const contested = intersection(entry.fields, union(comparison.modified, comparison.added));
    if (!isEmptySet(contested)) conflicts.set(id, contested);
    const fields = difference(difference(entry.fields, contested), comparison.removed);
    if (!isEmptySet(fields)) remaining.set(id, fields === entry.fields ? entry : { ...entry, fields });
  }
  const comparison = compareAt(transition.apiVersion);
  if (comparison === undefined) throw new Error(`version ${transition.apiVersion} has no schema`);
  return { managers: remaining, conflicts, comparison };
}

function comparisons(transition: Transition): (apiVersion: string) => Comparison | undefined {
  const known = new Map<string, Comparison | undefined>();
  return (apiVersion) => {
    if (!known.has(apiVersion)) known.set(apiVersion, compareAtVersion(transition, apiVersion));
    return known.get(apiVersion);
  };
}

function compareAtVersion(
  { before, after, ignored, atVersion }: Transition,
  apiVersion: string,
): Comparison | undefined {
  const was = atVersion(before, apiVersion);
  const is = atVersion(after, apiVersion);
  if (was === undefined || is === undefined) return undefined;
  const { removed, modified, added } = compareValues(mergeType(is.schema), was.object, is.object);
  return {
    removed: withoutIgnored(removed, ignored),
    modified: withoutIgnored(modified, ignored),
    added: withoutIgnored(added, ignored),
  };
}

export function withoutIgnored(set: FieldSet, ignored: readonly string[]): FieldSet {
  return ignored.length === 0 ? set : recursiveDifference(set, fieldSetOf(ignored.map((name) => [fieldElement(name)])));
}

/** Why an object cannot be compared at a version that one of its managers wrote at. */
export function versionProblem(
  objects: readonly JsonObject[],
  managers: Managers,
  own: string,
  atVersion: AtVersion,
): string | undefined {
  const foreign = new Set([...managers.values()].map((entry) => entry.apiVersion).filter((version) => version !== own));
  for (const version of foreign) {
    for (const object of objects) {
      const view = atVersion(object, version);
      const [problem] = view === undefined ? [] : typingProblems(mergeType(view.schema), view.object, "", true);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

const unowned = fieldSetOf([
  ...["apiVersion", "kind", "metadata"].map((name) => [fieldElement(name)]),
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((name) => [fieldElement("metadata"), fieldElement(name)]),
]);

/** Identity and bookkeeping belong to the server: no manager ever owns them. */
export function withoutIdentity(set: FieldSet): FieldSet {
  return difference(set, unowned);
}
