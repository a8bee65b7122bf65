// Observes whole balancers: one list of listeners and one of monitors for all, and a status tree for each: 2 + A calls for A
// balancers, whatever the ports and members. What has no tag of ours yet costs a few more, and so do members while tags change. What fails
// for one balancer stops only that one.

import { known } from "../../../../core/known.ts";
import type { HealthMonitor, LoadBalancer, Pool, StatusTree } from "../../../../core/openstack/octavia-objects.ts";
import type { OctaviaReader } from "../../../../ports/octavia.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import type { BalancerObserved } from "../../core/model/observed.ts";
import { hasOwnerTag, ownerTag } from "../../core/model/ownership.ts";
import { isOn, type Port } from "../../core/model/port.ts";
import { attempt, unknownBecause } from "./attempt.ts";

export interface BalancersQuestion {
  readonly octavia: OctaviaReader;
  readonly ownerId: string;
  /** Those to be served. */
  readonly ports: readonly Port[];
  /** Whether members are listed, too: while the user's tags change, since the tree shows none. */
  readonly withMembers: boolean;
  readonly call: CloudCallOptions;
}

export type MembersByPool = NonNullable<BalancerObserved["members"]>;

/** What all balancers that are observed as a whole need. */
export type Children = Pick<BalancerObserved, "listeners" | "monitors">;

export async function listChildren({ octavia, ownerId, call }: BalancersQuestion): Promise<Children> {
  const tags = [ownerTag(ownerId)];
  const [listeners, monitors] = await Promise.all([
    octavia.listListeners({ tags }, call),
    octavia.listHealthMonitors({ tags }, call),
  ]);
  return { listeners, monitors };
}

export async function observeWhole(
  balancer: LoadBalancer,
  children: () => Promise<Children>,
  question: BalancersQuestion,
  before?: BalancerObserved,
): Promise<BalancerObserved> {
  const { octavia, call } = question;
  const asked = attempt(() => octavia.statusTree(balancer.id, call));
  // As long as its tree cannot be read, nothing else of it is asked for.
  if (before?.tree.known === false && !(await asked).known) return { ...before, balancer, tree: await asked };
  const [listed, tree] = await Promise.all([children(), asked]);
  return await complete({ balancer, ...listed, tree }, question);
}

/** Listeners and monitors are as they were, and so is what is known of pools. */
export async function observeHealth(
  before: BalancerObserved,
  balancer: LoadBalancer,
  question: BalancersQuestion,
): Promise<BalancerObserved> {
  const tree = await attempt(() => question.octavia.statusTree(balancer.id, question.call));
  return await complete({ ...before, balancer, tree }, question);
}

async function complete(seen: BalancerObserved, question: BalancersQuestion): Promise<BalancerObserved> {
  const listeners = seen.listeners.filter(({ loadBalancerId }) => loadBalancerId === seen.balancer.id);
  const unseen = { ...seen, listeners, monitors: [] };
  if (!seen.tree.known) return unseen;
  try {
    return await withUntagged({ ...seen, listeners }, seen.tree.value, question);
  } catch (error) {
    return { ...unseen, tree: unknownBecause(error) };
  }
}

/** A balancer under adoption has children without our tag: they are asked for by balancer, which ends when they are tagged. */
async function withUntagged(
  seen: BalancerObserved,
  tree: StatusTree,
  question: BalancersQuestion,
): Promise<BalancerObserved> {
  const { octavia, call } = question;
  const { balancer, listeners: tagged } = seen;
  const pools = new Set(tree.pools.map(({ id }) => id));
  const watching = seen.monitors.filter(({ poolId }) => pools.has(poolId));
  const [listeners, monitors] = await Promise.all([
    tree.listeners.every(({ id }) => tagged.some((listener) => listener.id === id))
      ? tagged
      : octavia.listListeners({ loadBalancerId: balancer.id }, call),
    hasAllMonitors(tree, watching) ? watching : untaggedMonitors(octavia, tree, call),
  ]);
  const whole = await withOrphans({ balancer, listeners }, tree, question);
  return { ...seen, listeners, monitors, tree: known(whole) };
}

/** The tree shows pools, and nobody has asked yet for what it does not show of them. */
export function lacksPools({ balancer, pools, tree }: BalancerObserved): boolean {
  return pools === undefined && balancer.provisioningStatus === "ACTIVE" && tree.known && tree.value.pools.length > 0;
}

/** In one list for all balancers. */
export async function listPools({ octavia, ownerId, call }: BalancersQuestion): Promise<readonly Pool[]> {
  return await octavia.listPools({ tags: [ownerTag(ownerId)] }, call);
}

/** The same of members; a balancer that does not have our tag yet gets it first. */
export function lacksMembers({ balancer, members, tree }: BalancerObserved, question: BalancersQuestion): boolean {
  if (!question.withMembers || members !== undefined || !hasOwnerTag(balancer.tags, question.ownerId)) return false;
  return balancer.provisioningStatus === "ACTIVE" && tree.known && tree.value.pools.length > 0;
}

/** Pool by pool: a member is in no list but its pool's. */
export async function listMembers(
  { tree }: BalancerObserved,
  { octavia, call }: BalancersQuestion,
): Promise<MembersByPool> {
  const pools = tree.known ? tree.value.pools : [];
  return new Map(await Promise.all(pools.map(async ({ id }) => [id, await octavia.listMembers(id, call)] as const)));
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
