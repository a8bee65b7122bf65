// Whether people can reach the API through the balancers that are there, wanted or about to go. What nobody can read is not known, and
// not missing.

import type { BalancerObserved } from "../model/observed.ts";
import { downBecause, isDoubtful } from "../situation/balancer-health.ts";
import { isOpen, memberHealth, membersBehind } from "../situation/health.ts";
import { machineOfMember } from "../situation/machine-of-member.ts";
import { publicAddress } from "../situation/public-address.ts";
import type { Answer } from "../situation/readiness.ts";
import type { Situation } from "../situation/situation.ts";

/** One `yes` is enough. */
export function anyOf(answers: readonly Answer[]): Answer {
  return answers.includes("yes") ? "yes" : answers.includes("unknown") ? "unknown" : "no";
}

/** `published`: through one of these addresses alone. */
export function isReachable(situation: Situation, published?: readonly string[]): Answer {
  const known = balancersThere(situation).filter((seen) => isNamedIn(published, seen, situation));
  return anyOf(known.map((seen) => isReachableThrough(seen, situation)));
}

/** One whose address nobody can see may have any. */
function isNamedIn(published: readonly string[] | undefined, seen: BalancerObserved, { observed }: Situation): boolean {
  if (published === undefined) return true;
  const { is, address } = publicAddress(observed, seen);
  return address === undefined ? is === "unseen" && published.length > 0 : published.includes(address);
}

/** People would be let in, if only somebody answered. */
export function isOpenAnywhere(situation: Situation): boolean {
  return balancersThere(situation).some((seen) => isOpenToPeople(seen, situation) !== "no");
}

/**
 * No balancer is wanted, and none lets people in. Where we never made anything, the endpoint is the user's own; so is the machine that has
 * the address that is kept for machines. Else people came through balancers that are gone, and nobody can tell what the endpoint leads to now.
 */
export function leadsPastUs({ observed, intent }: Situation): "yes" | "unknown" {
  if (intent.location === undefined || observed.machines.length === 0) return "yes";
  const { floatingIps } = observed;
  const host = intent.endpoint?.host;
  const isAttached = floatingIps.known && floatingIps.value.some((one) => one.address === host && one.portId);
  return isAttached ? "yes" : "unknown";
}

function balancersThere({ assignment: { wanted, unwanted } }: Situation): readonly BalancerObserved[] {
  return [...wanted.flatMap(({ seen }) => seen ?? []), ...unwanted.map(({ seen }) => seen)];
}

export function isReachableThrough(seen: BalancerObserved, situation: Situation): Answer {
  const both = [isOpenToPeople(seen, situation), isAnsweredBehind(seen, situation)];
  return both.includes("no") ? "no" : both.includes("unknown") ? "unknown" : "yes";
}

/** A change passes through PENDING_UPDATE, and the balancer serves meanwhile. In ERROR it may serve, or not; so it may on a part in ERROR. */
function isOpenToPeople(seen: BalancerObserved, { observed, intent }: Situation): Answer {
  const { provisioningStatus, adminStateUp } = seen.balancer;
  const { is: address } = publicAddress(observed, seen);
  const mayServe = ["ACTIVE", "PENDING_UPDATE", "ERROR"].includes(provisioningStatus);
  if (!mayServe || !adminStateUp || address === "missing") return "no";
  if (downBecause(seen, observed) !== undefined) return "no";
  if (!seen.tree.known) return "unknown";
  if (!isOpen(seen, intent.apiPort)) return "no";
  if (isDoubtful(seen, observed)) return "unknown";
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
