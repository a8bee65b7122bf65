// How many balancers and members there are, by zone: the gauges of the job. Undefined when they could not be observed.

import type { GaugeCount } from "../../../../core/job/metric.ts";
import { lastKnown } from "../../../../core/known.ts";
import { endpointMetrics } from "../model/metrics.ts";
import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
import { hasOwnerTag, zoneTagOf } from "../model/ownership.ts";
import { type Health, memberHealth, poolsOf } from "../situation/health.ts";

const words: Readonly<Record<Health, string>> = { good: "healthy", bad: "unhealthy", unknown: "unknown" };

export function endpointGauges(observed: EndpointObserved): readonly GaugeCount[] | undefined {
  const { intent, balancers } = observed;
  const { ownerId } = intent;
  if (ownerId === undefined || !balancers.known) return undefined;
  const ours = balancers.value.filter(({ balancer }) => hasOwnerTag(balancer.tags, ownerId));
  const counts = ours.flatMap((seen): readonly GaugeCount[] => {
    const { balancer } = seen;
    const zone = zoneTagOf(balancer.tags) ?? "";
    // While a slow cloud is asked again, they are as they were.
    const members = poolsOf({ ...seen, tree: lastKnown(seen.tree) }).flatMap((pool) => pool.members);
    return [
      { metric: endpointMetrics.loadBalancers.name, labels: { zone, state: balancer.provisioningStatus }, count: 1 },
      ...probeCounts(seen, zone, observed),
      ...members.map(
        (member): GaugeCount => ({
          metric: endpointMetrics.loadBalancerMembers.name,
          labels: { zone, health: words[memberHealth(member, balancer.provider, observed)] },
          count: 1,
        }),
      ),
    ];
  });
  return summed(counts);
}

function probeCounts(
  { balancer }: BalancerObserved,
  zone: string,
  { probes }: EndpointObserved,
): readonly GaugeCount[] {
  const probe = probes?.get(balancer.id);
  if (probe === undefined) return [];
  const result = probe.failuresInARow === 0 ? "answered" : "failed";
  return [{ metric: endpointMetrics.loadBalancerProbes.name, labels: { zone, result }, count: 1 }];
}

function summed(counts: readonly GaugeCount[]): readonly GaugeCount[] {
  const byLabels = new Map<string, GaugeCount>();
  for (const one of counts) {
    const key = JSON.stringify([one.metric, one.labels]);
    byLabels.set(key, { ...one, count: (byLabels.get(key)?.count ?? 0) + one.count });
  }
  return [...byLabels].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
