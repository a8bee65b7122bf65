// Observes whole balancers: one list of listeners, one of monitors, and a status tree for each: 2 + A calls for A
// balancers, whatever the ports and members. What has no tag of ours yet costs a few more.

import { MainstayError } from "../../../../core/errors.ts";
import { type Known, known } from "../../../../core/known.ts";
import type { HealthMonitor, LoadBalancer, StatusTree } from "../../../../core/openstack/octavia-objects.ts";
import type { OctaviaReader } from "../../../../ports/octavia.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import type { BalancerObserved } from "../../core/model/observed.ts";
import { ownerTag } from "../../core/model/ownership.ts";
import { isOn, type Port } from "../../core/model/port.ts";

export interface BalancersQuestion {
  readonly octavia: OctaviaReader;
  readonly ownerId: string;
  /** Those to be served. */
  readonly ports: readonly Port[];
  readonly call: CloudCallOptions;
}

export async function observeBalancers(
  balancers: readonly LoadBalancer[],
  question: BalancersQuestion,
): Promise<readonly BalancerObserved[]> {
  const { octavia, ownerId, call } = question;
  if (balancers.length === 0) return [];
  const tags = [ownerTag(ownerId)];
  const [listeners, monitors, trees] = await Promise.all([
    octavia.listListeners({ tags }, call),
    octavia.listHealthMonitors({ tags }, call),
    Promise.all(balancers.map(({ id }) => treeOf(octavia, id, call))),
  ]);
  return await Promise.all(
    balancers.map((balancer, index) =>
      complete({ balancer, listeners, monitors, tree: trees[index] ?? unobserved(balancer.id) }, question),
    ),
  );
}

/** Listeners and monitors are as they were, and so is what is known of pools. */
export async function observeHealth(
  before: BalancerObserved,
  balancer: LoadBalancer,
  question: BalancersQuestion,
): Promise<BalancerObserved> {
  return await complete(
    { ...before, balancer, tree: await treeOf(question.octavia, balancer.id, question.call) },
    question,
  );
}

/** A balancer under adoption has children without our tag: they are asked for by balancer, which ends when they are tagged. */
async function complete(
  { balancer, listeners, monitors, tree, ...rest }: BalancerObserved,
  question: BalancersQuestion,
): Promise<BalancerObserved> {
  const { octavia, call } = question;
  const below = listeners.filter(({ loadBalancerId }) => loadBalancerId === balancer.id);
  if (!tree.known) return { ...rest, balancer, listeners: below, monitors: [], tree };
  const pools = new Set(tree.value.pools.map(({ id }) => id));
  const watching = monitors.filter(({ poolId }) => pools.has(poolId));
  const [allListeners, allMonitors] = await Promise.all([
    tree.value.listeners.every(({ id }) => below.some((listener) => listener.id === id))
      ? below
      : octavia.listListeners({ loadBalancerId: balancer.id }, call),
    hasAllMonitors(tree.value, watching) ? watching : untaggedMonitors(octavia, tree.value, call),
  ]);
  const whole = await withOrphans({ balancer, listeners: allListeners }, tree.value, question);
  return { ...rest, balancer, listeners: allListeners, monitors: allMonitors, tree: known(whole) };
}

/** What the tree does not show of pools, in one list for all balancers that have some and still lack it. */
export async function withPools(
  observed: readonly BalancerObserved[],
  { octavia, ownerId, call }: BalancersQuestion,
): Promise<readonly BalancerObserved[]> {
  const lacks = ({ balancer, pools, tree }: BalancerObserved): boolean =>
    pools === undefined && balancer.provisioningStatus === "ACTIVE" && tree.known && tree.value.pools.length > 0;
  if (!observed.some(lacks)) return observed;
  const pools = await octavia.listPools({ tags: [ownerTag(ownerId)] }, call);
  return observed.map((one) =>
    lacks(one) ? { ...one, pools: pools.filter(({ loadBalancerId }) => loadBalancerId === one.balancer.id) } : one,
  );
}

/**
 * A pool whose listener is gone is in no tree. It can be there only while a listener or its pool is missing, so only then is it
 * asked for: somebody deleted a listener, or it was in ERROR and is made again.
 */
async function withOrphans(
  { balancer, listeners }: Pick<BalancerObserved, "balancer" | "listeners">,
  tree: StatusTree,
  { octavia, ports, call }: BalancersQuestion,
): Promise<StatusTree> {
  const leads = (id: string): boolean => tree.listeners.some((node) => node.id === id && node.poolIds.length > 0);
  const isWhole = ports.every((port) => listeners.some((listener) => isOn(listener, port) && leads(listener.id)));
  if (isWhole || balancer.provisioningStatus !== "ACTIVE") return tree;
  const shown = new Set(tree.pools.map(({ id }) => id));
  const pools = await octavia.listPools({ loadBalancerId: balancer.id }, call);
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

function unobserved(id: string): Known<StatusTree> {
  return { known: false, reason: "OpenStackServerError", message: `load balancer ${id}: it could not be observed` };
}
