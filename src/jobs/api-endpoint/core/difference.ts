// What must change for something observed to become what is desired. Only fields that are desired are compared: whatever else there is
// stays as it is, and so do the tags of others, but for those that the user has taken from the spec.

import { retagged } from "./model/ownership.ts";

/** The desired fields that the observed thing does not have; empty when nothing is to be done. `formerTags`: the user's, to be taken off. */
export function difference<D extends object>(
  desired: D,
  observed: { readonly [K in keyof D]?: unknown },
  formerTags: readonly string[] = [],
): Partial<D> {
  const current = observed as Readonly<Record<string, unknown>>;
  const changes = Object.entries(desired as Readonly<Record<string, unknown>>).flatMap(([field, value]) => {
    const there = current[field];
    if (field === "tags" && isList(value) && isList(there)) {
      const tags = retagged(there, value, formerTags);
      return tags === undefined ? [] : [[field, tags]];
    }
    return isSame(value, there) ? [] : [[field, value]];
  });
  return Object.fromEntries(changes) as Partial<D>;
}

/** What to ask for when something is made: all that is desired, but for what a new one has by itself. */
export function toAskFor<D extends object, K extends keyof D>(
  desired: D,
  byItself: Pick<D, K>,
): Omit<D, K> & Partial<Pick<D, K>> {
  return difference(desired, byItself as Partial<D>) as Omit<D, K> & Partial<Pick<D, K>>;
}

export function isEmpty(change: object): boolean {
  return Object.keys(change).length === 0;
}

function isSame(one: unknown, other: unknown): boolean {
  if (!isList(one) || !isList(other)) return one === other;
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
