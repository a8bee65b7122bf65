// Whether people can reach the API through the balancers that are there, wanted or about to go. What nobody can read is not known, and
// not missing.

import type { BalancerObserved } from "../model/observed.ts";
import { downBecause } from "../situation/balancer-health.ts";
import { isOpen, memberHealth, membersBehind } from "../situation/health.ts";
import { machineOfMember } from "../situation/machine-of-member.ts";
import { publicAddress } from "../situation/public-address.ts";
import type { Answer } from "../situation/readiness.ts";
import type { Situation } from "../situation/situation.ts";

/** One `yes` is enough. */
export function anyOf(answers: readonly Answer[]): Answer {
  return answers.includes("yes") ? "yes" : answers.includes("unknown") ? "unknown" : "no";
}

export function isReachable(situation: Situation): Answer {
  return anyOf(balancersThere(situation).map((seen) => isReachableThrough(seen, situation)));
}

/** People would be let in, if only somebody answered. */
export function isOpenAnywhere(situation: Situation): boolean {
  return balancersThere(situation).some((seen) => isOpenToPeople(seen, situation) !== "no");
}

function balancersThere({ assignment: { wanted, unwanted } }: Situation): readonly BalancerObserved[] {
  return [...wanted.flatMap(({ seen }) => seen ?? []), ...unwanted.map(({ seen }) => seen)];
}

function isReachableThrough(seen: BalancerObserved, situation: Situation): Answer {
  const both = [isOpenToPeople(seen, situation), isAnsweredBehind(seen, situation)];
  return both.includes("no") ? "no" : both.includes("unknown") ? "unknown" : "yes";
}

/** A change passes through PENDING_UPDATE, and the balancer serves meanwhile. In ERROR it may serve, or not. */
function isOpenToPeople(seen: BalancerObserved, { observed, intent }: Situation): Answer {
  const { provisioningStatus, adminStateUp } = seen.balancer;
  const { is: address } = publicAddress(observed, seen);
  const mayServe = ["ACTIVE", "PENDING_UPDATE", "ERROR"].includes(provisioningStatus);
  if (!mayServe || !adminStateUp || address === "missing") return "no";
  if (downBecause(seen, observed) !== undefined) return "no";
  if (!seen.tree.known) return "unknown";
  if (!isOpen(seen, intent.apiPort)) return "no";
  return address === "there" && provisioningStatus !== "ERROR" ? "yes" : "unknown";
}

/** Before the first machine there is nobody who could answer, and nobody who asks. */
function isAnsweredBehind(seen: BalancerObserved, { observed, intent }: Situation): Answer {
  if (observed.machines.length === 0) return "yes";
  if (!seen.tree.known) return "unknown";
  const answers = membersBehind(seen, intent.apiPort)
    // What answers behind a member of a machine that is gone, or of somebody else's, is nobody's API server.
    .filter((member) => typeof machineOfMember(observed, member) !== "string")
    .map((member): Answer => {
      const health = memberHealth(member, seen.balancer.provider, observed);
      return health === "good" ? "yes" : health === "bad" ? "no" : "unknown";
    });
  return anyOf(answers);
}
