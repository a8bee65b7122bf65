// A busy cloud carries on with a create that nobody waits for any more, and shows nothing of it until it is done. Status says
// where a balancer goes before it is asked for: an object that is deleted while one has a place and no id is held until nothing can arrive.

import type { Wait } from "../plan.ts";
import type { RecordedBalancer } from "./observed.ts";
import type { Situation } from "./situation.ts";

/** So long after we gave up on a create the cloud may still carry it out. */
export const lateCreateMs = 30_000;

/** So long after its deletion somebody who has not seen that may still ask: one look, and a request that takes all of its time. */
const lastAskedMs = 60_000;

/** It may have been asked for, and nobody has seen it. */
export function isUnanswered({ id, networkId }: RecordedBalancer): boolean {
  return !id && networkId !== undefined;
}

/** For an object that is being deleted and that nothing in the cloud is left of: undefined when nothing can come after. */
export function lateCreateWait({ observed, nowMs }: Situation): Wait | undefined {
  const { recorded, object } = observed;
  const endsMs = (object.deletingSinceMs ?? Number.NEGATIVE_INFINITY) + lastAskedMs + lateCreateMs;
  const entries = [...(recorded.single === undefined ? [] : [recorded.single]), ...recorded.zones];
  if (endsMs <= nowMs || !entries.some(isUnanswered)) return undefined;
  const message = `a load balancer that was asked for and not seen may still appear: the finalizer stays until ${new Date(endsMs).toISOString()}`;
  return { reason: "LoadBalancerUnanswered", message, recheckAfterMs: endsMs - nowMs };
}
