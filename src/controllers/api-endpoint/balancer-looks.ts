// Looks at a cluster's balancers with few calls. A glance is one list by owner tag. A full look adds one list of listeners, one of
// monitors, and a status tree for each balancer: 3 + A calls for A balancers, whatever the ports and members. When a glance shows
// every balancer unmoved and ONLINE, the last full look still holds; decision 33 says why ONLINE matters.

import type { BalancerObserved } from "../../core/api-endpoint/observed.ts";
import { ownerTag } from "../../core/api-endpoint/ownership.ts";
import { MainstayError } from "../../core/errors.ts";
import { type Known, known } from "../../core/known.ts";
import type { HealthMonitor, LoadBalancer, StatusTree } from "../../core/openstack/octavia-objects.ts";
import type { OctaviaReader } from "../../ports/octavia.ts";
import type { CloudCallOptions } from "../../ports/openstack.ts";

export interface LookRequest {
  /** Of the object: looks are remembered by it. */
  readonly key: string;
  readonly octavia: OctaviaReader;
  readonly ownerId: string;
  /** How many balancers should be there by tag: with fewer, those of `names` are looked for too. */
  readonly expected: number;
  /** Names under which an untagged balancer may be waiting for adoption, or a foreign one sits. */
  readonly names: readonly string[];
  readonly nowMs: number;
  readonly call: CloudCallOptions;
}

export interface BalancerLook {
  readonly balancers: readonly BalancerObserved[];
  /** Nothing but the list was asked for: the rest is as it was at `lookedMs`. */
  readonly glanced: boolean;
  readonly lookedMs: number;
}

interface Remembered {
  readonly balancers: readonly BalancerObserved[];
  readonly lookedMs: number;
  /** By balancer: the stamp of its last change, and when this process first saw it. */
  readonly stamps: ReadonlyMap<string, Stamp>;
}

interface Stamp {
  readonly updatedAt: string | undefined;
  readonly firstSeenMs: number;
}

/** Health is never older than this plus the time between two rounds. */
const fullLookEveryMs = 3_600_000;
/** Octavia stamps whole seconds: two changes within one would look like none. */
const stampGrainMs = 2_000;

export class BalancerLooks {
  readonly #remembered = new Map<string, Remembered>();

  async look(request: LookRequest): Promise<BalancerLook> {
    const { key, octavia, nowMs, call } = request;
    const ours = await octavia.listLoadBalancers({ tags: [ownerTag(request.ownerId)] }, call);
    const last = this.#remembered.get(key);
    if (last !== undefined && ours.length >= request.expected && stillHolds(last, ours, nowMs)) {
      return { balancers: last.balancers, lookedMs: last.lookedMs, glanced: true };
    }
    const candidates = ours.length >= request.expected ? [] : await candidatesByName(request, ours);
    const balancers = await lookInto([...ours, ...candidates], request);
    const stamps = stampsOf(balancers, last?.stamps, nowMs);
    if (balancers.every(({ tree }) => tree.known)) this.#remembered.set(key, { balancers, lookedMs: nowMs, stamps });
    else this.#remembered.delete(key);
    return { balancers, lookedMs: nowMs, glanced: false };
  }

  /** After a change of ours, or of the spec: the next look is a full one. */
  forget(key: string): void {
    this.#remembered.delete(key);
  }
}

function stampsOf(
  balancers: readonly BalancerObserved[],
  before: ReadonlyMap<string, Stamp> | undefined,
  nowMs: number,
): ReadonlyMap<string, Stamp> {
  return new Map(
    balancers.map(({ balancer: { id, updatedAt } }) => {
      const known = before?.get(id);
      return [id, known?.updatedAt === updatedAt && known !== undefined ? known : { updatedAt, firstSeenMs: nowMs }];
    }),
  );
}

function stillHolds(last: Remembered, now: readonly LoadBalancer[], nowMs: number): boolean {
  if (nowMs - last.lookedMs >= fullLookEveryMs || last.balancers.length !== now.length) return false;
  return (
    last.balancers.every(isSettled) && now.every((balancer) => isUndisturbed(balancer) && isUnmoved(balancer, last))
  );
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

/** The look must be younger than the stamp by more than its grain, measured by our own clock alone. */
function isUnmoved({ id, updatedAt }: LoadBalancer, { balancers, stamps, lookedMs }: Remembered): boolean {
  const before = balancers.find(({ balancer }) => balancer.id === id)?.balancer;
  const stamp = stamps.get(id);
  if (before === undefined || stamp === undefined || updatedAt === undefined) return false;
  return isUndisturbed(before) && stamp.updatedAt === updatedAt && lookedMs - stamp.firstSeenMs >= stampGrainMs;
}

async function candidatesByName(
  { octavia, names, call }: LookRequest,
  ours: readonly LoadBalancer[],
): Promise<readonly LoadBalancer[]> {
  const seen = new Set(ours.map(({ id }) => id));
  const found = await Promise.all(names.map((name) => octavia.listLoadBalancers({ name }, call)));
  return found.flat().filter(({ id }) => !seen.has(id));
}

async function lookInto(
  balancers: readonly LoadBalancer[],
  { octavia, ownerId, call }: LookRequest,
): Promise<readonly BalancerObserved[]> {
  if (balancers.length === 0) return [];
  const tags = [ownerTag(ownerId)];
  const [listeners, monitors, trees] = await Promise.all([
    octavia.listListeners({ tags }, call),
    octavia.listHealthMonitors({ tags }, call),
    Promise.all(balancers.map(({ id }) => treeOf(octavia, id, call))),
  ]);
  return await Promise.all(
    balancers.map((balancer, index) =>
      complete({ balancer, listeners, monitors, tree: trees[index] ?? unseen(balancer.id) }, octavia, call),
    ),
  );
}

/** A balancer under adoption has children without our tag: they are asked for by balancer, which ends when they are tagged. */
async function complete(
  { balancer, listeners, monitors, tree }: BalancerObserved,
  octavia: OctaviaReader,
  call: CloudCallOptions,
): Promise<BalancerObserved> {
  const below = listeners.filter(({ loadBalancerId }) => loadBalancerId === balancer.id);
  if (!tree.known) return { balancer, listeners: below, monitors: [], tree };
  const whole = await withOrphans(balancer, tree.value, octavia, call);
  const pools = new Set(tree.value.pools.map(({ id }) => id));
  const watching = monitors.filter(({ poolId }) => pools.has(poolId));
  const [allListeners, allMonitors] = await Promise.all([
    tree.value.listeners.every(({ id }) => below.some((listener) => listener.id === id))
      ? below
      : octavia.listListeners({ loadBalancerId: balancer.id }, call),
    hasAllMonitors(tree.value, watching) ? watching : untaggedMonitors(octavia, tree.value, call),
  ]);
  return { balancer, listeners: allListeners, monitors: allMonitors, tree: known(whole) };
}

/**
 * A pool whose listener is gone is in no tree. It can be there only while a listener or its pool is missing, so only then is it
 * asked for: somebody deleted a listener, or it was in ERROR and is made again.
 */
async function withOrphans(
  { id: loadBalancerId, provisioningStatus }: LoadBalancer,
  tree: StatusTree,
  octavia: OctaviaReader,
  call: CloudCallOptions,
): Promise<StatusTree> {
  const isComplete = tree.listeners.length > 0 && tree.listeners.every(({ poolIds }) => poolIds.length > 0);
  if (isComplete || provisioningStatus !== "ACTIVE") return tree;
  const shown = new Set(tree.pools.map(({ id }) => id));
  const pools = await octavia.listPools({ loadBalancerId }, call);
  const orphans = pools.filter(({ id, listenerIds }) => listenerIds.length === 0 && !shown.has(id));
  return { ...tree, pools: [...tree.pools, ...orphans.map((pool) => ({ ...pool, members: [] }))] };
}

function hasAllMonitors({ pools }: StatusTree, monitors: readonly HealthMonitor[]): boolean {
  return pools.every(
    ({ healthMonitor }) => healthMonitor === undefined || monitors.some(({ id }) => id === healthMonitor.id),
  );
}

async function untaggedMonitors(
  octavia: OctaviaReader,
  { pools }: StatusTree,
  call: CloudCallOptions,
): Promise<readonly HealthMonitor[]> {
  const names = [...new Set(pools.flatMap(({ healthMonitor }) => healthMonitor?.name ?? []))];
  const found = await Promise.all(names.map((name) => octavia.listHealthMonitors({ name }, call)));
  return found.flat().filter(({ poolId }) => pools.some(({ id }) => id === poolId));
}

async function treeOf(octavia: OctaviaReader, id: string, call: CloudCallOptions): Promise<Known<StatusTree>> {
  try {
    return known(await octavia.statusTree(id, call));
  } catch (error) {
    if (!(error instanceof MainstayError)) throw error;
    return { known: false, reason: error.reason, message: error.message };
  }
}

function unseen(id: string): Known<StatusTree> {
  return { known: false, reason: "OpenStackServerError", message: `load balancer ${id}: it could not be looked into` };
}
