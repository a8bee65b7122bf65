// Whether what was seen of a balancer still holds, judged by its row in a list alone: by its state, and by the stamp of its last change.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { BalancerObserved } from "../../core/model/observed.ts";

/** A balancer that was looked into. */
export interface Seen {
  readonly observed: BalancerObserved;
  readonly lookedMs: number;
  /** When this process first saw the stamp of its last change. */
  readonly stampSeenMs: number;
}

/** Health is never older than this plus the time between two rounds. */
const fullLookEveryMs = 3_600_000;
/** One that is PENDING says nothing of its members. */
const pendingLookEveryMs = 30_000;
/** Octavia stamps whole seconds: two changes within one would look like none. */
const stampGrainMs = 2_000;

export type Look =
  | { readonly look: "keep" | "health"; readonly seen: Seen }
  | { readonly look: "into"; readonly seen?: Seen | undefined };

/** Kept as it was seen; or, while nothing below it was changed and it is not known to be well, its tree alone; or everything. */
export function howToLook(seen: Seen | undefined, now: LoadBalancer, nowMs: number): Look {
  if (seen === undefined) return { look: "into" };
  if (stillHolds(seen, now, nowMs)) return { look: "keep", seen };
  return { look: isUnmovedSince(seen, now, nowMs) ? "health" : "into", seen };
}

/** What is there below it has not been changed since it was looked into: every change shows in its balancer's stamp. */
function isUnmovedSince(seen: Seen, now: LoadBalancer, nowMs: number): boolean {
  if (!seen.observed.tree.known || nowMs - seen.lookedMs >= fullLookEveryMs) return false;
  const { balancer } = seen.observed;
  const isActive = balancer.provisioningStatus === "ACTIVE" && now.provisioningStatus === "ACTIVE";
  return isActive && isOlderThanLook(seen) && now.updatedAt !== undefined && now.updatedAt === balancer.updatedAt;
}

/** The look must be younger than the stamp by more than its grain, measured by our own clock alone. */
function isOlderThanLook({ lookedMs, stampSeenMs }: Seen): boolean {
  return lookedMs - stampSeenMs >= stampGrainMs;
}

function stillHolds(seen: Seen, now: LoadBalancer, nowMs: number): boolean {
  if (!isSettled(seen.observed) || !isSameState(seen.observed.balancer, now)) return false;
  if (!isOlderThanLook(seen)) return false;
  const ageMs = nowMs - seen.lookedMs;
  if (now.provisioningStatus.startsWith("PENDING_")) return ageMs < pendingLookEveryMs;
  return isUndisturbed(now) && ageMs < fullLookEveryMs;
}

/** A new member begins OFFLINE and comes up without a word in its balancer's row: what was not yet well is looked at again. */
function isSettled({ tree }: BalancerObserved): boolean {
  return (
    tree.known &&
    tree.value.pools.every(({ members }) =>
      members.every(({ operatingStatus }) => ["ONLINE", "NO_MONITOR", "DRAINING"].includes(operatingStatus)),
    )
  );
}

function isUndisturbed({ provisioningStatus, operatingStatus }: LoadBalancer): boolean {
  return provisioningStatus === "ACTIVE" && operatingStatus === "ONLINE";
}

/** Octavia leaves the stamp empty until the first change, which ends PENDING_CREATE. */
function isSameState(before: LoadBalancer, now: LoadBalancer): boolean {
  return (
    before.provisioningStatus === now.provisioningStatus &&
    before.operatingStatus === now.operatingStatus &&
    before.updatedAt === now.updatedAt &&
    (now.updatedAt !== undefined || now.provisioningStatus === "PENDING_CREATE")
  );
}
