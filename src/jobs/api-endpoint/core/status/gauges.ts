// How many balancers and members there are, by zone: the gauges of the job. A count is what is known now. While nobody knows the balancers,
// those in status are counted as UNKNOWN, and members not at all: neither an old count nor a zero would be true.

import type { GaugeCount } from "../../../../core/job/metric.ts";
import { lastKnown } from "../../../../core/known.ts";
import { endpointMetrics } from "../model/metrics.ts";
import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
import { hasOwnerTag, zoneTagOf } from "../model/ownership.ts";
import { type Health, memberHealth, poolsOf, servesAnybody } from "../situation/health.ts";
import type { Standing } from "../situation/standing.ts";

const words: Readonly<Record<Health, string>> = { good: "healthy", bad: "unhealthy", unknown: "unknown" };
/** Beside Octavia's own states. */
const unknownState = "UNKNOWN";
/** Their balancers, if there are any, are counted for another object. */
const countedElsewhere: readonly Standing["is"][] = ["moved", "copy", "done", "cleaned-up", "unclaimed"];

export function endpointGauges(observed: EndpointObserved): readonly GaugeCount[] {
  const { intent, balancers } = observed;
  const { ownerId } = intent;
  if (ownerId === undefined) return [];
  if (!balancers.known) return summed(unseenCounts(observed));
  const ours = balancers.value.filter(({ balancer }) => hasOwnerTag(balancer.tags, ownerId));
  const nobodyAnswers = ours.length > 0 && ours.every((seen) => isUnhealthy(seen, observed));
  const unreachable = nobodyAnswers ? [sick(endpointMetrics.unreachableEndpoints.name, {})] : [];
  return [...summed(ours.flatMap((seen) => countsOf(seen, observed))), ...unreachable];
}

/** Nobody answers on the API port, as far as is known. */
function isUnhealthy(seen: BalancerObserved, observed: EndpointObserved): boolean {
  return !servesAnybody({ ...seen, tree: lastKnown(seen.tree) }, observed.intent.apiPort, observed);
}

/** An alert asks for these by object, so however many objects there are, one that has them is named. */
function sick(metric: string, labels: GaugeCount["labels"]): GaugeCount {
  return { metric, labels, count: 1, sick: true };
}

function countsOf(seen: BalancerObserved, observed: EndpointObserved): readonly GaugeCount[] {
  const { id, tags, provisioningStatus } = seen.balancer;
  const zone = zoneTagOf(tags) ?? "";
  return [
    balancerCount(zone, provisioningStatus),
    ...probeCounts(id, zone, observed),
    ...memberCounts(seen, zone, observed),
    ...(isUnhealthy(seen, observed) ? [sick(endpointMetrics.unhealthyLoadBalancers.name, { zone })] : []),
  ];
}

function unseenCounts(observed: EndpointObserved): readonly GaugeCount[] {
  const { recorded, standing } = observed;
  if (countedElsewhere.includes(standing.is)) return [];
  // With zones the single entry only repeats the first.
  const { zones, single, legacy } = recorded;
  const zoneless = [zones.length > 0 ? undefined : single, legacy].map((entry) => ({ zone: "", id: entry?.id }));
  return [...zones, ...zoneless].flatMap(({ zone, id }) =>
    id === undefined ? [] : [balancerCount(zone, unknownState), ...probeCounts(id, zone, observed)],
  );
}

function balancerCount(zone: string, state: string): GaugeCount {
  const metric = endpointMetrics.loadBalancers.name;
  const labels = { zone, state };
  return [unknownState, "ERROR"].includes(state) ? sick(metric, labels) : { metric, labels, count: 1 };
}

/** While a slow cloud is asked again, they are as they were. That none is healthy is said by a zero, whether one ever was or not. */
function memberCounts(seen: BalancerObserved, zone: string, observed: EndpointObserved): readonly GaugeCount[] {
  const tree = lastKnown(seen.tree);
  if (!tree.known) return [];
  const members = poolsOf({ ...seen, tree }).flatMap((pool) => pool.members);
  const of = (health: Health, count: number): GaugeCount => ({
    metric: endpointMetrics.loadBalancerMembers.name,
    labels: { zone, health: words[health] },
    count,
  });
  const { provider } = seen.balancer;
  return [of("good", 0), ...members.map((member) => of(memberHealth(member, provider, observed), 1))];
}

function probeCounts(
  id: BalancerObserved["balancer"]["id"],
  zone: string,
  { probes }: EndpointObserved,
): readonly GaugeCount[] {
  const probe = probes?.get(id);
  if (probe === undefined) return [];
  const result = probe.failuresInARow === 0 ? "answered" : "failed";
  const metric = endpointMetrics.loadBalancerProbes.name;
  const labels = { zone, result };
  return [result === "failed" ? sick(metric, labels) : { metric, labels, count: 1 }];
}

function summed(counts: readonly GaugeCount[]): readonly GaugeCount[] {
  const byLabels = new Map<string, GaugeCount>();
  for (const one of counts) {
    const key = JSON.stringify([one.metric, one.labels]);
    byLabels.set(key, { ...one, count: (byLabels.get(key)?.count ?? 0) + one.count });
  }
  return [...byLabels].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
