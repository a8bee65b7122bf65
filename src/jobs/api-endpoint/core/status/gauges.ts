// How many balancers and members there are, by zone: for gauges. Undefined when the cloud could not be observed.

import type { CensusCount } from "../../../../core/gauge-count.ts";
import type { EndpointObserved } from "../model/observed.ts";
import { hasOwnerTag, zoneTagOf } from "../model/ownership.ts";
import { type Health, memberHealth } from "../situation/health.ts";

const words: Readonly<Record<Health, string>> = { good: "healthy", bad: "unhealthy", unknown: "unknown" };

export function endpointCensus(observed: EndpointObserved): readonly CensusCount[] | undefined {
  const { intent, balancers } = observed;
  const { ownerId } = intent;
  if (ownerId === undefined || !balancers.known) return undefined;
  const ours = balancers.value.filter(({ balancer }) => hasOwnerTag(balancer.tags, ownerId));
  const counts = ours.flatMap(({ balancer, tree }): readonly CensusCount[] => {
    const zone = zoneTagOf(balancer.tags) ?? "";
    const members = tree.known ? tree.value.pools.flatMap((pool) => pool.members) : [];
    return [
      { metric: "loadBalancers", labels: { zone, state: balancer.provisioningStatus }, count: 1 },
      ...members.map(
        (member): CensusCount => ({
          metric: "loadBalancerMembers",
          labels: { zone, health: words[memberHealth(member, balancer.provider, observed)] },
          count: 1,
        }),
      ),
    ];
  });
  return summed(counts);
}

function summed(counts: readonly CensusCount[]): readonly CensusCount[] {
  const byLabels = new Map<string, CensusCount>();
  for (const one of counts) {
    const key = JSON.stringify([one.metric, one.labels]);
    byLabels.set(key, { ...one, count: (byLabels.get(key)?.count ?? 0) + one.count });
  }
  return [...byLabels].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
