// Looks at a cluster's balancers with few calls. A glance is one list by owner tag. Balancers that it shows as they were are not looked
// into again (look-into.ts): those unmoved and ONLINE (decision 33 says why ONLINE matters), and those still PENDING over the same
// change. Of those unmoved and not well the tree alone is asked for. Pools are listed when nothing has moved since a full look, so that
// no look takes more than 3 + A calls. What was asked a moment ago is not asked again at all, unless something was changed since.

import type { BalancerObserved } from "../../core/api-endpoint/observed.ts";
import { ownerTag } from "../../core/api-endpoint/ownership.ts";
import type { LoadBalancer } from "../../core/openstack/octavia-objects.ts";
import { type LookInto, lookAtHealth, lookInto, withPools } from "./look-into.ts";

export interface LookRequest extends LookInto {
  /** Of the object: looks are remembered by it. */
  readonly key: string;
  /** Names to look for beside what bears our tag: see names-to-look-for.ts. */
  readonly names: (ours: readonly LoadBalancer[]) => readonly string[];
  readonly nowMs: number;
}

export interface BalancerLook {
  readonly balancers: readonly BalancerObserved[];
  /** All of them are as they were: none was looked into. */
  readonly glanced: boolean;
}

interface Remembered {
  readonly question: string;
  readonly askedMs: number;
  readonly balancers: readonly BalancerObserved[];
  readonly seen: ReadonlyMap<string, Seen>;
}

/** A balancer that was looked into. */
interface Seen {
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
/** A round's own status comes back as an event and wakes its key again. */
const momentMs = 1_000;

export class BalancerLooks {
  readonly #remembered = new Map<string, Remembered>();

  async look(request: LookRequest): Promise<BalancerLook> {
    const { key, octavia, ownerId, nowMs, call } = request;
    const question = JSON.stringify([ownerId, request.names([])]);
    const last = this.#remembered.get(key);
    if (last?.question === question && nowMs - last.askedMs < momentMs)
      return { balancers: last.balancers, glanced: true };
    const ours = await octavia.listLoadBalancers({ tags: [ownerTag(ownerId)] }, call);
    const names = request.names(ours);
    const all = [...ours, ...(await candidatesByName(names, ours, request))];
    const seen = await this.#seen(all, request, last?.seen ?? new Map<string, Seen>());
    const balancers = all.flatMap(({ id }) => seen.get(id)?.observed ?? []);
    const glanced = names.length === 0 && all.every(({ id }) => seen.get(id) === last?.seen.get(id));
    this.#remembered.set(key, { question, askedMs: nowMs, seen, balancers });
    return { balancers, glanced };
  }

  /** After a change of ours: the next look asks, however soon it comes. */
  doubt(key: string): void {
    const last = this.#remembered.get(key);
    if (last !== undefined) this.#remembered.set(key, { ...last, askedMs: Number.NEGATIVE_INFINITY });
  }

  forget(key: string): void {
    this.#remembered.delete(key);
  }

  async #seen(
    balancers: readonly LoadBalancer[],
    request: LookRequest,
    before: ReadonlyMap<string, Seen>,
  ): Promise<ReadonlyMap<string, Seen>> {
    const { nowMs } = request;
    const earlier = (balancer: LoadBalancer) => before.get(balancer.id);
    const isUnmoved = (balancer: LoadBalancer) => isUnmovedSince(earlier(balancer), balancer, nowMs);
    const [unmoved, moved] = [balancers.filter(isUnmoved), balancers.filter((balancer) => !isUnmoved(balancer))];
    const due = moved.filter((balancer) => !stillHolds(earlier(balancer), balancer, nowMs));
    const [looked, again] = await Promise.all([
      lookInto(due, request),
      Promise.all(
        unmoved.flatMap((balancer) => {
          const seen = earlier(balancer);
          return seen === undefined ? [] : [healthOf(seen, balancer, request)];
        }),
      ),
    ]);
    const known = await withPools(again, request);
    const kept = moved.flatMap((balancer): [string, Seen][] => {
      const seen = earlier(balancer);
      return seen === undefined ? [] : [[balancer.id, seen]];
    });
    return new Map([
      ...kept,
      ...looked.map((observed): [string, Seen] => {
        const { id, updatedAt } = observed.balancer;
        const last = before.get(id);
        const hasStamp = last !== undefined && last.observed.balancer.updatedAt === updatedAt;
        return [id, { observed, lookedMs: nowMs, stampSeenMs: hasStamp ? last.stampSeenMs : nowMs }];
      }),
      ...known.flatMap((observed): [string, Seen][] => {
        const { id } = observed.balancer;
        const last = before.get(id);
        if (last === undefined) return [];
        return [[id, last.observed === observed ? last : { ...last, observed }]];
      }),
    ]);
  }
}

/** What is there below it has not been changed since it was looked into: every change shows in its balancer's stamp. */
function isUnmovedSince(seen: Seen | undefined, now: LoadBalancer, nowMs: number): boolean {
  if (seen === undefined || !seen.observed.tree.known || nowMs - seen.lookedMs >= fullLookEveryMs) return false;
  const { balancer } = seen.observed;
  const isActive = balancer.provisioningStatus === "ACTIVE" && now.provisioningStatus === "ACTIVE";
  return isActive && isOlderThanLook(seen) && now.updatedAt !== undefined && now.updatedAt === balancer.updatedAt;
}

/** Its tree alone, where it is not known to be well. */
async function healthOf(seen: Seen, now: LoadBalancer, request: LookRequest): Promise<BalancerObserved> {
  return stillHolds(seen, now, request.nowMs) ? seen.observed : await lookAtHealth(seen.observed, now, request);
}

/** The look must be younger than the stamp by more than its grain, measured by our own clock alone. */
function isOlderThanLook({ lookedMs, stampSeenMs }: Seen): boolean {
  return lookedMs - stampSeenMs >= stampGrainMs;
}

function stillHolds(seen: Seen | undefined, now: LoadBalancer, nowMs: number): boolean {
  if (seen === undefined || !isSettled(seen.observed) || !isSameState(seen.observed.balancer, now)) return false;
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

async function candidatesByName(
  names: readonly string[],
  ours: readonly LoadBalancer[],
  { octavia, call }: LookRequest,
): Promise<readonly LoadBalancer[]> {
  const seen = new Set(ours.map(({ id }) => id));
  const found = await Promise.all(names.map((name) => octavia.listLoadBalancers({ name }, call)));
  return found.flat().filter(({ id }) => !seen.has(id));
}
