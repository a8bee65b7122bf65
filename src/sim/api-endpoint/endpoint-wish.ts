// What people want of a cluster at a moment, and how it is written into the object that stands for it.

import type { Random } from "../../ports/random.ts";
import { between, chance, pick, shuffled } from "../derive-seed.ts";
import type { LabShaped } from "../fakes/openstack/lab-shaped.ts";
import { type EndpointCluster, zonesOfCloud } from "./endpoint-setting.ts";

export interface EndpointWish {
  readonly present: boolean;
  /** In the order of the mapping; empty: one balancer. */
  readonly zones: readonly string[];
  readonly crossZone: boolean;
  /** Beside the API's. */
  readonly ports: readonly number[];
}

export const apiPort = 6443;
const extraPorts: readonly number[] = [9_345, 8_132];

export function firstWish(random: Random, cluster: EndpointCluster): EndpointWish {
  const single = cluster.host === "" || cluster.legacy || chance(random, 0.15);
  return { present: true, zones: single ? [] : someZones(random), crossZone: chance(random, 0.3), ports: [] };
}

/** One thing at a time, as people do. */
export function nextWish(random: Random, cluster: EndpointCluster, wish: EndpointWish): EndpointWish {
  if (!wish.present) return { ...wish, present: true };
  const choice = random.next();
  if (choice < 0.08) return { ...wish, present: false };
  if (choice < 0.25) return { ...wish, crossZone: !wish.crossZone };
  if (choice < 0.4) return { ...wish, ports: toggled(wish.ports, pick(random, extraPorts) ?? 0) };
  if (cluster.host === "") return wish;
  if (wish.zones.length === 0) return { ...wish, zones: someZones(random) };
  if (choice < 0.5) return { ...wish, zones: [] };
  if (choice < 0.65) return { ...wish, zones: shuffled(random, wish.zones) };
  const zones = toggled(wish.zones, pick(random, zonesOfCloud) ?? "az1");
  return zones.length === 0 ? wish : { ...wish, zones };
}

function someZones(random: Random): readonly string[] {
  return shuffled(random, zonesOfCloud).slice(0, between(random, 1, 3));
}

function toggled<T>(items: readonly T[], item: T): readonly T[] {
  return items.includes(item) ? items.filter((each) => each !== item) : [...items, item];
}

/** As a merge patch, too: what is absent is null. */
export function blockOf({ zones, crossZone, ports }: EndpointWish, lab: LabShaped) {
  const isZonal = zones.length > 0;
  return {
    enabled: true,
    network: isZonal ? { id: lab.networkId } : null,
    availabilityZoneSubnets: isZonal
      ? zones.map((zone) => ({ availabilityZone: zone, subnet: { id: subnetOf(zone, lab) } }))
      : null,
    allowCrossAZLoadBalancerMembers: crossZone,
    additionalPorts: ports,
  };
}

export function subnetOf(zone: string, { subnetIds }: LabShaped): string {
  return subnetIds[Number(zone.slice(2)) - 1] ?? "";
}

export function sameWish(a: unknown, b: unknown): boolean {
  return JSON.stringify(withoutNulls(a)) === JSON.stringify(withoutNulls(b));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(
    kept.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, withoutNulls(part)]),
  );
}
