// Whether what was observed of a balancer still holds, decided from its row in a list alone: by its state, and by the stamp of its last
// change.

import type { MonotonicMs } from "../../../../core/clock-times.ts";
import type { LoadBalancer, OperatingStatus, ProvisioningStatus } from "../../../../core/openstack/octavia-objects.ts";
import type { BalancerObserved } from "../../core/model/observed.ts";

/** A balancer as it was observed. */
export interface RememberedBalancer {
  readonly observed: BalancerObserved;
  readonly observedMs: MonotonicMs;
  /** When this process first saw the stamp of its last change. */
  readonly stampSeenMs: MonotonicMs;
}

/** Health is never older than this plus the time between two rounds. */
const observeWholeEveryMs = 3_600_000;
/** One that is PENDING or in ERROR shows no more by being looked at more often, whatever others make us look for. */
const observeUnwellEveryMs = 30_000;
/** Octavia stamps whole seconds: two changes within one would look like none. */
const stampGrainMs = 2_000;

export type HowToObserve =
  | { readonly how: "keep" | "health" | "again"; readonly before: RememberedBalancer }
  | { readonly how: "whole"; readonly before?: RememberedBalancer | undefined };

/**
 * Kept as it was; or, while nothing below it was changed and it is not known to be well, its tree alone; or everything. `again`: its tree, too,
 * and until that is answered it holds as it was, for everything but what it is read again for.
 */
export function howToObserve(
  before: RememberedBalancer | undefined,
  now: LoadBalancer,
  monotonicMs: MonotonicMs,
  isWantedAgain = false,
): HowToObserve {
  if (before === undefined) return { how: "whole" };
  if (stillHolds(before, now, monotonicMs)) return { how: isWantedAgain ? "again" : "keep", before };
  return { how: isUnchangedSince(before, now, monotonicMs) ? "health" : "whole", before };
}

/** What is there below it has not been changed since it was observed: every change shows in its balancer's stamp. */
function isUnchangedSince(before: RememberedBalancer, now: LoadBalancer, monotonicMs: MonotonicMs): boolean {
  if (!before.observed.tree.known || monotonicMs - before.observedMs >= observeWholeEveryMs) return false;
  const { balancer } = before.observed;
  const isActive = balancer.provisioningStatus === "ACTIVE" && now.provisioningStatus === "ACTIVE";
  return isActive && isStampOlder(before) && now.updatedAt !== undefined && now.updatedAt === balancer.updatedAt;
}

/** What was observed must be younger than the stamp by more than its grain, measured by our own clock alone. */
function isStampOlder({ observedMs, stampSeenMs }: RememberedBalancer): boolean {
  return observedMs - stampSeenMs >= stampGrainMs;
}

function stillHolds(before: RememberedBalancer, now: LoadBalancer, monotonicMs: MonotonicMs): boolean {
  if (!isSettled(before.observed) || !isSameState(before.observed.balancer, now)) return false;
  if (!isStampOlder(before)) return false;
  const ageMs = monotonicMs - before.observedMs;
  if (now.provisioningStatus !== "ACTIVE") return ageMs < observeUnwellEveryMs;
  return isUndisturbed(now) && ageMs < observeWholeEveryMs;
}

/**
 * A new member begins OFFLINE and comes up without a word in its balancer's row, and so may whatever is not ACTIVE below one that is: what
 * was not yet well is observed again.
 */
function isSettled({ balancer, tree }: BalancerObserved): boolean {
  if (!tree.known) return false;
  const { listeners, pools } = tree.value;
  const members = pools.flatMap((pool) => pool.members);
  const parts = [...listeners, ...pools, ...pools.flatMap(({ healthMonitor }) => healthMonitor ?? []), ...members];
  const hangs = balancer.provisioningStatus === "ACTIVE" && parts.some(isUnsettled);
  return !hangs && members.every(({ operatingStatus }) => wellStatuses.includes(operatingStatus));
}

const wellStatuses: readonly OperatingStatus[] = ["ONLINE", "NO_MONITOR", "DRAINING"];
const unsettledStatuses: readonly ProvisioningStatus[] = [
  "PENDING_CREATE",
  "PENDING_UPDATE",
  "PENDING_DELETE",
  "ERROR",
];

function isUnsettled({ provisioningStatus }: { readonly provisioningStatus: ProvisioningStatus }): boolean {
  return unsettledStatuses.includes(provisioningStatus);
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
