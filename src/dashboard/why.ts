// The explanation of an object's sentence: taken from a condition, plan or event of the object with the same reason. Pure.

import type { Explained, ObjectDetail } from "../core/views/object-view.ts";

export interface Why {
  readonly reason: string;
  readonly summary: string;
  /** There is a page that says what to do. */
  readonly runbook: boolean;
}

/** Undefined when all is well, or when the sentence has no reason. */
export function whyOf(detail: ObjectDetail): Why | undefined {
  const { health, reason } = detail;
  if (health === "healthy" || reason === undefined) return undefined;
  const found = explanations(detail).find((explained) => explained.reason === reason);
  return { reason, summary: found?.summary ?? "", runbook: found?.runbook !== undefined };
}

function explanations({ conditions, plans, events }: ObjectDetail): readonly Explained[] {
  const planned = plans.flatMap(({ actions, waits, refusals, troubles }) => [
    ...refusals,
    ...troubles,
    ...waits,
    ...actions.flatMap(({ failure }) => failure ?? []),
    ...actions,
  ]);
  return [...conditions, ...planned, ...events];
}
