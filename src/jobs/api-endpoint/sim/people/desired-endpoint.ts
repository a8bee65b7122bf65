// What people want of a cluster at a moment, and how they come to want something else.

import type { Random } from "../../../../ports/random.ts";
import { between, chance, pick, shuffled } from "../../../../sim/time/derive-seed.ts";
import { type Port, tcpPort } from "../../core/model/port.ts";
import { type EndpointCluster, hasFloatingIps, zonesOfCloud } from "../endpoint-setting.ts";

export interface DesiredEndpoint {
  readonly present: boolean;
  /** False: machines are reached without one. */
  readonly balancer: boolean;
  /** In the order of the mapping; empty: one balancer. */
  readonly zones: readonly string[];
  readonly crossZone: boolean;
  /** Beside the API's. */
  readonly ports: readonly Port[];
  /** Records for external-dns. */
  readonly publish: boolean;
}

export const apiPort = tcpPort(6_443);
/** The one that machines join through. */
const joinPort = tcpPort(9_345);
const extraPorts: readonly Port[] = [joinPort, tcpPort(8_132)];

export const nothingDesired: DesiredEndpoint = {
  present: false,
  balancer: true,
  zones: [],
  crossZone: false,
  ports: [],
  publish: false,
};

export function firstDesired(random: Random, cluster: EndpointCluster): DesiredEndpoint {
  const single = cluster.host === "" || isTakenOver(cluster) || chance(random, 0.15);
  return {
    present: true,
    balancer: !(mayGoWithout(cluster) && !cluster.legacy && chance(random, cluster.host === "" ? 0.5 : 0.1)),
    zones: single ? [] : someZones(random),
    crossZone: chance(random, 0.4),
    ports: chance(random, 0.3) ? [joinPort] : [],
    publish: chance(random, 0.3) || cluster.publishes,
  };
}

/** One thing at a time, as people do. */
export function nextDesired(random: Random, cluster: EndpointCluster, desired: DesiredEndpoint): DesiredEndpoint {
  if (!desired.present) return { ...desired, present: true };
  const choice = random.next();
  if (choice < (desired.balancer ? 0.1 : 0.3)) return { ...desired, present: false };
  if (choice < (desired.balancer ? 0.16 : 0.5) && mayGoWithout(cluster))
    return { ...desired, balancer: !desired.balancer };
  if (choice < 0.22) return { ...desired, publish: !desired.publish };
  if (choice < 0.34) return { ...desired, crossZone: !desired.crossZone };
  if (choice < 0.48) return { ...desired, ports: toggled(desired.ports, pick(random, extraPorts) ?? joinPort) };
  if (cluster.host === "") return desired;
  if (desired.zones.length === 0) return { ...desired, zones: someZones(random) };
  if (choice < 0.55) return { ...desired, zones: [] };
  if (choice < 0.67) return { ...desired, zones: shuffled(random, desired.zones) };
  const zones = toggled(desired.zones, pick(random, zonesOfCloud) ?? "az1");
  return zones.length === 0 ? desired : { ...desired, zones };
}

export function withPort(desired: DesiredEndpoint, isOpen: boolean): DesiredEndpoint {
  const others = desired.ports.filter((port) => port !== joinPort);
  return { ...desired, ports: isOpen ? [...others, joinPort] : others };
}

export function isZonal({ present, balancer, zones }: DesiredEndpoint): boolean {
  return present && balancer && zones.length > 0;
}

/** Work for every balancer there is, or for those that are not there yet. */
export function moreDesired(random: Random, desired: DesiredEndpoint): DesiredEndpoint {
  if (chance(random, 0.5)) return { ...desired, zones: shuffled(random, zonesOfCloud) };
  return { ...desired, ports: toggled(desired.ports, pick(random, extraPorts) ?? joinPort) };
}

/** The balancers that are wanted, by zone; the one without a zone is undefined. */
export function wantedBalancers({ balancer, zones }: DesiredEndpoint): readonly (string | undefined)[] {
  if (!balancer) return [];
  return zones.length === 0 ? [undefined] : zones;
}

/** Something else must be able to become the endpoint. */
function mayGoWithout(cluster: EndpointCluster): boolean {
  const { door, host, fixedIp } = cluster;
  return door === "openstack-cluster" && (host !== "" || hasFloatingIps(cluster) || fixedIp !== undefined);
}

export function isTakenOver({ door, legacy }: EndpointCluster): boolean {
  return door === "openstack-cluster" && legacy;
}

function someZones(random: Random): readonly string[] {
  return shuffled(random, zonesOfCloud).slice(0, between(random, 1, 3));
}

function toggled<T>(items: readonly T[], item: T): readonly T[] {
  return items.includes(item) ? items.filter((each) => each !== item) : [...items, item];
}
