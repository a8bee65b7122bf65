// That the cloud does not answer, in the same words wherever people read it: headline, conditions, Events, plan and dashboard.

import type { Unknown } from "../../../../core/known.ts";
import type { Word } from "../../../../core/reasons.ts";
import type { EndpointObserved } from "../model/observed.ts";

/** One of them can be away while the other answers. */
export type CloudService = "Octavia" | "Neutron";

/** Reasons that say nothing about the request: whoever was asked did not answer it. */
const unansweredReasons: ReadonlySet<Word> = new Set([
  "OpenStackTimeout",
  "OpenStackUnreachable",
  "OpenStackServerError",
  "OpenStackRateLimited",
]);

/** Nobody is there, or takes a request; one that says so is. */
export function isAway({ reason }: Pick<Unknown, "reason">): boolean {
  return reason === "OpenStackUnreachable" || reason === "OpenStackTimeout";
}

/** Why something is not known: `the cloud does not answer (Octavia): list load balancers: no connection`. */
export function notAnswered<T extends Pick<Unknown, "reason" | "message">>(unseen: T, service?: CloudService): T {
  if (!unansweredReasons.has(unseen.reason)) return unseen;
  const named = service === undefined ? "" : ` (${service})`;
  return { ...unseen, message: `the cloud does not answer${named}: ${unseen.message}` };
}

/** Of the balancers. The same words for both services: there was no session to ask either of them. */
export function balancersUnseen(balancers: Unknown, { places }: Pick<EndpointObserved, "places">): Unknown {
  const isOctaviaAlone = places.known || places.message !== balancers.message;
  return notAnswered(balancers, isOctaviaAlone ? "Octavia" : undefined);
}
