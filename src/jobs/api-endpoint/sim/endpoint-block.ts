// What is desired as it is written into the object that stands for a cluster: the block of balancers, with networks and subnets by id or
// described.

import type { NetworkParam, SubnetParam } from "../apis/load-balancer/api-server-load-balancer.ts";
import { type EndpointCluster, zonesOfCloud } from "./endpoint-setting.ts";
import type { EndpointSim } from "./endpoint-sim.ts";
import type { DesiredEndpoint } from "./people/desired-endpoint.ts";

/** As a merge patch, too: what is absent is null. */
export function blockOf(
  { balancer, zones, crossZone, ports }: DesiredEndpoint,
  cluster: EndpointCluster,
  sim: EndpointSim,
) {
  const isZonal = zones.length > 0;
  return {
    enabled: balancer,
    network: isZonal ? networkParam(cluster, sim) : null,
    availabilityZoneSubnets: isZonal
      ? zones.map((zone) => ({ availabilityZone: zone, subnet: subnetParam(zone, cluster, sim) }))
      : null,
    allowCrossAZLoadBalancerMembers: crossZone,
    additionalPorts: ports.map(({ number }) => number),
  };
}

/** The cluster's own network and subnets. */
export function placeOf(cluster: EndpointCluster, sim: EndpointSim) {
  return {
    network: networkParam(cluster, sim),
    subnets: zonesOfCloud.map((zone) => subnetParam(zone, cluster, sim)),
  };
}

function networkParam({ byFilter }: EndpointCluster, { lab }: EndpointSim): NetworkParam {
  return byFilter ? { filter: { name: "tenant" } } : { id: lab.networkId };
}

function subnetParam(
  zone: string,
  { byFilter, family }: EndpointCluster,
  { fake, subnetIds }: EndpointSim,
): SubnetParam {
  const id = subnetIds[family][Number(zone.slice(2)) - 1] ?? "";
  const { name = "", cidr = "" } = fake.cloud.tables.subnets.get(id) ?? {};
  if (!byFilter) return { id };
  return { filter: zone === "az2" ? { cidr } : { name } };
}

export function sameWithoutNulls(a: unknown, b: unknown): boolean {
  return JSON.stringify(withoutNulls(a)) === JSON.stringify(withoutNulls(b));
}

export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(
    kept.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, withoutNulls(part)]),
  );
}
