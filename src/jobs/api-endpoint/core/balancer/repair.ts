// A balancer in ERROR. It may still serve, so it is rebuilt only where people have another way in, or agree, or cannot depend on it.
//
//   people may depend on it (why-kept.ts)     refuse, and say for whom it waits or how to agree
//   published, and so is another that serves  wait until it has left the DNS records (removal/leaving.ts)
//   failover not tried and not forbidden      ask for it: everything stays as it is, but connections may break meanwhile
//   something of others' on it                refuse without consent: it would go with the balancer
//   it could not be made again (made-again.ts)  wait, or refuse and say what is missing
//   status does not show that it is in ERROR  wait: it is made again only after its place is written to status, which may be refused
//   else                                      delete it; it is made again with the same VIP, and takes its floating IP back

import type { Plan } from "../../../../core/plan.ts";
import type { EndpointAction } from "../model/action.ts";
import { planOf } from "../model/endpoint-plan.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { supports } from "../model/provider-features.ts";
import { isOurListener, isOurPool } from "../ports/port-context.ts";
import { type Repaired, repairWait } from "../removal/leaving.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { recordedOf } from "../situation/places.ts";
import type { Situation } from "../situation/situation.ts";
import { obstacleToRebuild } from "./made-again.ts";
import { restBeforeRebuild, resting } from "./pauses.ts";
import { agreedRepair, repairConsent } from "./repair-consent.ts";
import { unseenWait } from "./waits.ts";
import { goesByConsent, isDependedOn, whyKept } from "./why-kept.ts";

const either: Repaired = "failed over (or rebuilt, if the cloud allows no failover)";

export function planRepair(wanted: WantedBalancer, seen: BalancerObserved, situation: Situation): Plan<EndpointAction> {
  const { balancer } = seen;
  const { id, name } = balancer;
  const { capabilities } = situation.observed;
  const common = { name, id, lane: wanted.lane, because: "LoadBalancerInError" } as const;
  const consent = repairConsent(wanted, situation);
  const held = whyKept(wanted, seen, situation);
  if (capabilities.known && !seen.failoverTried && supports(capabilities.value, balancer.provider, "failover")) {
    if (held === undefined) {
      const leaving = repairWait({ ...wanted, seen }, situation, either);
      if (leaving !== undefined) return planOf({ waits: [leaving] });
      const failover = { kind: "failover-load-balancer", ...common, provider: balancer.provider } as const;
      const agreed = goesByConsent(wanted, seen, situation)
        ? [agreedRepair(`${name}: in ERROR`, either, wanted.lane, situation)]
        : [];
      return planOf({ actions: [failover], refusals: agreed });
    }
    const message = `${name}: in ERROR, and it is not ${either} because ${held}`;
    return planOf({ refusals: [{ reason: "LoadBalancerInError", message, lane: wanted.lane }] });
  }
  if (wanted.role === "fallback") {
    const message = `${name}: the legacy balancer is in ERROR; it would not be made again, so it stays until its removal is agreed`;
    return planOf({ refusals: [{ reason: "LoadBalancerInError", message, lane: wanted.lane }] });
  }
  const theirs = partsOfOthers(seen, situation);
  if (theirs.length > 0 && consent === "none") {
    const message = `${name}: in ERROR, and it is not rebuilt because what others put on it would go with it: ${theirs.join(", ")}; move that elsewhere, or annotate mainstay.dev/repair=true to agree`;
    return planOf({ refusals: [{ reason: "LoadBalancerInError", message, lane: wanted.lane }] });
  }
  if (!seen.tree.known && consent === "none") {
    const message = `${name}: in ERROR, and what is on it cannot be seen: ${seen.tree.message}`;
    return planOf({ waits: [unseenWait({ reason: "LoadBalancerInError", message }, wanted.lane)] });
  }
  if (held !== undefined) {
    const message = `${name}: in ERROR, and it is not rebuilt because ${held}`;
    return planOf({ refusals: [{ reason: "LoadBalancerInError", message, lane: wanted.lane }] });
  }
  const leaving = repairWait({ ...wanted, seen }, situation, "rebuilt");
  if (leaving !== undefined) return planOf({ waits: [leaving] });
  const unready = isDependedOn(seen, situation) ? whyNotYet(wanted, seen, situation) : undefined;
  if (unready !== undefined) return unready;
  const deletion = { kind: "delete-load-balancer", ...common, removes: `load balancer ${name}` } as const;
  const { restMs, isRepeated } = restBeforeRebuild(balancer, situation);
  const isAgreed = theirs.length > 0 || !seen.tree.known || goesByConsent(wanted, seen, situation);
  const agreed = isAgreed ? [agreedRepair(`${name}: in ERROR`, "rebuilt", wanted.lane, situation)] : [];
  if (restMs <= 0 || isRepeated) return planOf({ actions: [resting(deletion, restMs)], refusals: agreed });
  const message = `${name}: in ERROR right after it was made; it is made again in a while`;
  return planOf({ waits: [{ reason: "LoadBalancerInError", recheckAfterMs: restMs, message, lane: wanted.lane }] });
}

/** What has to be known, or written down, before one that may serve is deleted. */
function whyNotYet(
  wanted: WantedBalancer,
  seen: BalancerObserved,
  situation: Situation,
): Plan<EndpointAction> | undefined {
  const { id, name } = seen.balancer;
  const { lane } = wanted;
  const obstacle = obstacleToRebuild(wanted, seen, situation);
  if (obstacle !== undefined) {
    const why = "unseen" in obstacle ? obstacle.unseen.message : obstacle.why;
    const message = `${name}: in ERROR, and it is not rebuilt because ${why}`;
    return "unseen" in obstacle
      ? planOf({ waits: [unseenWait({ ...obstacle.unseen, message }, lane)] })
      : planOf({ refusals: [{ reason: "LoadBalancerInError", message, lane }] });
  }
  const before = recordedOf(situation.observed, wanted.zone);
  if (before?.id === id && before.provisioningStatus === "ERROR") return undefined;
  const message = `${name}: in ERROR; that is written to status before it is rebuilt`;
  return planOf({ waits: [{ reason: "LoadBalancerInError", recheckAfterMs: 200, awaitsStatus: true, message, lane }] });
}

/** In words. */
function partsOfOthers(seen: BalancerObserved, situation: Situation): readonly string[] {
  const listeners = seen.listeners
    .filter((listener) => !isOurListener(listener, situation))
    .map(({ name, id, port }) => `listener ${name || id} on port ${port}`);
  const pools = (seen.tree.known ? seen.tree.value.pools : [])
    .filter((pool) => !isOurPool(pool, seen, situation))
    .map(({ name, id }) => `pool ${name || id}`);
  return [...listeners.toSorted(), ...pools.toSorted()];
}
