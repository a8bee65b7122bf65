// Whether a wanted balancer is made, whether it is whole, and whether there are enough of them for the cluster to begin. What nobody can
// read is not missing: a Neutron that is away hides addresses, and a balancer that cannot be read hides its pools.

import { lastKnown } from "../../../../core/known.ts";
import { ageMs } from "../model/time-of-octavia.ts";
import type { ExistingBalancer, WantedBalancer } from "./assignment.ts";
import { downBecause, isDoubtful } from "./balancer-health.ts";
import { type Child, childrenOn, isPending } from "./children.ts";
import { portOf } from "./health.ts";
import { publicAddress } from "./public-address.ts";
import type { Situation } from "./situation.ts";

export type Answer = "yes" | "no" | "unknown";

/** A change passes through PENDING_UPDATE, and the balancer serves meanwhile: it is no less whole for that. */
const standing: readonly string[] = ["ACTIVE", "PENDING_UPDATE"];

/** So long a child may be PENDING below a balancer that is ACTIVE: one shows a moment before the other that a change is done. */
const childPendingMs = 60_000;

/** It is made, switched on, does not call itself dead, and nothing below it is broken or hangs. */
export function wholeness(wanted: WantedBalancer, situation: Situation): Answer {
  const answer = isMade(wanted, situation);
  const { seen } = wanted;
  if (answer === "no" || seen?.balancer.adminStateUp !== true) return "no";
  const isBroken =
    brokenChildren({ seen }, situation).length > 0 || downBecause(seen, situation.observed) !== undefined;
  return isBroken ? "no" : answer;
}

/** What below it is in ERROR, or hangs. */
export function brokenChildren(
  { seen }: Pick<ExistingBalancer, "seen">,
  { ports, cloudNowMs }: Situation,
): readonly Child[] {
  const { provisioningStatus, updatedAt, createdAt } = seen.balancer;
  const hangs = provisioningStatus === "ACTIVE" && ageMs(updatedAt ?? createdAt, cloudNowMs) > childPendingMs;
  return childrenOn(seen, ports).filter((child) => child.provisioningStatus === "ERROR" || (hangs && isPending(child)));
}

/**
 * With its address, and with listener and pool on every port. Members come later: machines wait for this. While a slow cloud is asked again
 * it is made as it was.
 */
export function isMade({ seen }: WantedBalancer, { observed, ports }: Situation): Answer {
  if (seen === undefined || !standing.includes(seen.balancer.provisioningStatus)) return "no";
  const { is: address } = publicAddress({ ...observed, floatingIps: lastKnown(observed.floatingIps) }, seen);
  if (address === "missing") return "no";
  const tree = lastKnown(seen.tree);
  if (!tree.known) return "unknown";
  const hasParts = ports.every((port) => {
    const { listener, pool } = portOf({ ...seen, tree }, port);
    return listener !== undefined && pool !== undefined;
  });
  if (!hasParts) return "no";
  return address === "there" ? "yes" : "unknown";
}

/** All mapped zones, or as many as the user says are enough. What is broken below one that is made keeps no cluster from beginning. */
export function enoughMade(situation: Situation): Answer {
  return enoughOf(situation, (wanted) => isMade(wanted, situation));
}

/** The same of a cluster that has begun: where nobody can tell whether people are let in, it is not known. */
export function enoughOpen(situation: Situation): Answer {
  return enoughOf(situation, (wanted) => {
    const answer = isMade(wanted, situation);
    const { seen } = wanted;
    return answer === "yes" && seen !== undefined && isDoubtful(seen, situation.observed) ? "unknown" : answer;
  });
}

function enoughOf({ assignment, intent }: Situation, answerOf: (wanted: WantedBalancer) => Answer): Answer {
  const due = assignment.wanted.filter(({ role }) => role !== "fallback");
  const answers = due.map(answerOf);
  const needed = intent.mode === "zones" ? Math.min(intent.consents.minZones ?? due.length, due.length) : 1;
  const enough = Math.max(1, needed);
  if (answers.filter((answer) => answer === "yes").length >= enough) return "yes";
  return answers.filter((answer) => answer !== "no").length >= enough ? "unknown" : "no";
}

export function hasEnough(situation: Situation): boolean {
  return enoughMade(situation) === "yes";
}
