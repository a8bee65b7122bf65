// The balancers that people are shown of an OpenStackCluster or an APIEndpoint: one for each zone, or the one of all; and beside them those
// of no zone, the fall-back from before the zones and what still serves before it goes.

import type { Condition, KubeObject } from "../../../../apis/kube/kube-object.ts";
import type {
  LeavingLoadBalancer,
  LoadBalancerStatus,
  ZoneLoadBalancerStatus,
} from "../../apis/load-balancer/api-server-load-balancer.ts";

export interface EndpointLike extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly apiServerLoadBalancers?: readonly ZoneLoadBalancerStatus[];
    readonly apiServerLoadBalancer?: LoadBalancerStatus;
    readonly leavingLoadBalancers?: readonly LeavingLoadBalancer[];
  };
}

export interface EndpointBalancer {
  /** Where the name of a zone stands. */
  readonly name: string;
  readonly zone: string | undefined;
  readonly entry: LoadBalancerStatus;
}

export interface ShownBalancers {
  readonly hasZones: boolean;
  readonly parts: readonly EndpointBalancer[];
  /** Of no zone, and no part. */
  readonly others: readonly EndpointBalancer[];
}

/** Undefined while there is nothing to show. */
export function shownBalancers({ status }: EndpointLike): ShownBalancers | undefined {
  const { apiServerLoadBalancers: zones = [], apiServerLoadBalancer: single, leavingLoadBalancers = [] } = status ?? {};
  const hasZones = zones.length > 0;
  const parts: readonly EndpointBalancer[] = hasZones
    ? zones.map((entry) => ({ name: entry.availabilityZone, zone: entry.availabilityZone, entry }))
    : inNoZone("all", single === undefined ? [] : [single]);
  // Health is Mainstay's word: without it the entries are somebody else's.
  if (!parts.some(({ entry }) => entry.health !== undefined)) return undefined;
  return { hasZones, parts, others: inNoZone("none", besides(parts, single, leavingLoadBalancers)) };
}

function inNoZone(name: string, entries: readonly LoadBalancerStatus[]): readonly EndpointBalancer[] {
  return entries.map((entry) => ({ name, zone: undefined, entry }));
}

/** The first zone's balancer is also the one of those who know one balancer only. */
function besides(
  parts: readonly EndpointBalancer[],
  single: LoadBalancerStatus | undefined,
  leaving: readonly LeavingLoadBalancer[],
): readonly LoadBalancerStatus[] {
  const isPart = ({ id, name }: LoadBalancerStatus) =>
    parts.some(({ entry }) => (id ? id === entry.id : name === entry.name));
  const others = [...(single === undefined ? [] : [single]), ...leaving].filter((one) => !isPart(one));
  return others.filter(({ id }, index) => others.findIndex((one) => one.id === id) === index);
}
