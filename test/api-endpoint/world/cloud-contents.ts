// What stands in a fake cloud, read without a call: balancers by name, their ports, who is behind them.

import type { EndpointWorld } from "./endpoint-world.ts";

export function balancerNames({ lab }: EndpointWorld): readonly string[] {
  return lab.fake.cloud.tables.loadbalancers
    .all()
    .map(({ name }) => name)
    .toSorted();
}

export function balancerNamed({ lab }: EndpointWorld, part: string) {
  const found = lab.fake.cloud.tables.loadbalancers.all().filter(({ name }) => name.includes(part));
  if (found[0] === undefined || found.length > 1)
    throw new Error(`${found.length} balancers have ${part} in their name`);
  return found[0];
}

export function listenersOf(world: EndpointWorld, part: string) {
  const { id } = balancerNamed(world, part);
  return world.lab.fake.cloud.tables.listeners
    .all()
    .filter(({ loadBalancerId }) => loadBalancerId === id)
    .toSorted((a, b) => a.port - b.port);
}

/** Addresses behind a port of a balancer. */
export function membersOf(world: EndpointWorld, part: string, port = 6443): readonly string[] {
  const { id } = balancerNamed(world, part);
  return world.lab.fake.cloud.tables.members
    .all()
    .filter((member) => member.loadBalancerId === id && member.port === port)
    .map(({ address }) => address)
    .toSorted();
}

export function floatingIps({ lab }: EndpointWorld) {
  return lab.fake.cloud.tables.floatingips.all();
}

/** How many of everything there are, to see that nothing is left. */
export function countsByKind({ lab }: EndpointWorld): Readonly<Record<string, number>> {
  const { loadbalancers, listeners, pools, members, healthmonitors, floatingips } = lab.fake.cloud.tables;
  const count = (table: { all(): readonly unknown[] }) => table.all().length;
  return {
    loadbalancers: count(loadbalancers),
    listeners: count(listeners),
    pools: count(pools),
    members: count(members),
    healthmonitors: count(healthmonitors),
    floatingips: count(floatingips),
  };
}
