// What a move takes from the project's quotas beyond what is there already.

import { belongsTo } from "../members/desired-members.ts";
import { zonesOf } from "../model/intent.ts";
import { isFloatingIpFor } from "../model/ownership.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { portOf } from "../situation/health.ts";
import { floatingIpOn } from "../situation/public-address.ts";
import type { Situation } from "../situation/situation.ts";
import { wantedZones } from "./cloud-findings.ts";

export interface QuotaNeeds {
  readonly loadBalancers: number;
  readonly listeners: number;
  readonly pools: number;
  readonly healthMonitors: number;
  readonly members: number;
  readonly floatingIps: number;
}

export function quotaNeeds(situation: Situation): QuotaNeeds {
  const { ports, observed, intent } = situation;
  const zones = wantedZones(situation);
  const missing = (part: "listener" | "pool" | "monitor") =>
    sum(
      zones.map(
        ({ seen }) => ports.filter((port) => seen === undefined || portOf(seen, port)[part] === undefined).length,
      ),
    );
  const members = zones
    .filter(({ seen }) => seen === undefined)
    .map(
      (wanted) =>
        observed.machines.filter((machine) => !machine.deleting && belongsTo(wanted, machine, intent.crossZone)).length,
    );
  return {
    loadBalancers: zones.filter(({ seen }) => seen === undefined).length,
    listeners: missing("listener"),
    pools: missing("pool"),
    healthMonitors: missing("monitor"),
    members: sum(members) * ports.length,
    floatingIps: zones.filter((wanted) => needsFloatingIp(wanted, situation)).length,
  };
}

/** Not where one is on the VIP, waits for this zone, or cannot be: IPv6 has none. */
function needsFloatingIp({ seen, zone }: WantedBalancer, { intent, observed, ownerId }: Situation): boolean {
  if (!intent.floatingIp.enabled) return false;
  if (seen !== undefined && floatingIpOn(observed, seen.balancer.vipPortId) !== undefined) return false;
  const found = observed.places.known ? observed.places.value.zoneSubnets.get(zone ?? "") : undefined;
  if (found?.found === "one" && found.value.ipVersion === 6) return false;
  const isFirst = zonesOf(intent)[0]?.zone === zone;
  const waiting = observed.floatingIps.known ? observed.floatingIps.value : [];
  return !waiting.some(
    (one) =>
      one.portId === undefined &&
      (isFloatingIpFor(one, ownerId, zone) || (isFirst && one.address === intent.floatingIp.address)),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
