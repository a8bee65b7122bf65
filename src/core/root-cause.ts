// From everything that is wrong to the one thing that people read first: the root of the chain, not a symptom. A job declares the order of
// its reasons; condition Ready, `mainstay status`, `mainstay explain` and the dashboard take their headline from here.

import type { Word } from "./reasons.ts";

/** From root to symptom; those of one group are equals, of which the first in the list counts. Words that are in no group come between the two. */
export interface CauseOrder {
  readonly roots: readonly (readonly Word[])[];
  readonly symptoms: readonly (readonly Word[])[];
}

/** Undefined where nothing is wrong. */
export function rootCause<T extends { readonly reason: string }>(all: readonly T[], order: CauseOrder): T | undefined {
  return rootFirst(all, order)[0];
}

export function rootFirst<T extends { readonly reason: string }>(all: readonly T[], order: CauseOrder): readonly T[] {
  return all.toSorted((a, b) => rank(a.reason, order) - rank(b.reason, order));
}

function rank(reason: string, { roots, symptoms }: CauseOrder): number {
  const isIn = (group: readonly Word[]) => group.some((word) => word === reason);
  const root = roots.findIndex(isIn);
  if (root >= 0) return root;
  return roots.length + 1 + symptoms.findIndex(isIn);
}
