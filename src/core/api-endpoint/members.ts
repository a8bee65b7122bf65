// Which machines stand behind which balancer, and when one may leave. Adding always comes first; a member leaves alone, one a round.
//
//   a member of ours whose machine …            leaves
//   is gone                                     at once
//   is being deleted                            at once, from every pool (never-last.ts keeps the cluster's last healthy one)
//   has another address now                     when the new one is in and healthy, or the old one is not
//   belongs to another zone (cross-zone off)    when it is unhealthy; or when it is healthy behind its own zone's balancer and this zone
//                                               has a healthy member of its own, or no machine
//   has no zone or no address that we can see   not: what is not seen is not absent
//   stands there in ERROR                       when its balancer has rested for a while; it is made again afterwards

import { familyOf, isInside, sameAddress } from "../net/ip.ts";
import type { Subnet } from "../openstack/neutron-objects.ts";
import type { LoadBalancer, MemberNode, PoolNode } from "../openstack/octavia-objects.ts";
import type { Refusal } from "../plan.ts";
import type { Seat } from "./claims.ts";
import { isHealthy, isServing, membersBehind } from "./health.ts";
import { memberName } from "./names.ts";
import type { MachineObserved, Places } from "./observed.ts";
import { machineOfMember, type Situation } from "./situation.ts";
import { ageMs } from "./time-of-octavia.ts";

/** What fails as it is made is not made again in a frenzy. */
export const pauseBetweenRebuildsMs = 30_000;

export interface WantedMember {
  readonly machine: string;
  readonly address: string;
  readonly subnetId: string | undefined;
}

/** In the order of machine names. A machine without an address that fits is not among them. */
export function wantedMembers(
  seat: Seat,
  {
    machines,
    places,
    balancer,
  }: { readonly machines: readonly MachineObserved[]; readonly places: Places; readonly balancer: LoadBalancer },
  crossZone: boolean,
): readonly WantedMember[] {
  return machines
    .filter((machine) => !machine.deleting && belongsTo(seat, machine, crossZone))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((machine) => {
      const found = addressFor(machine, balancer, places);
      return found === undefined ? [] : [{ machine: machine.name, ...found }];
    });
}

/** The legacy balancer and the fall-back take everybody. */
export function belongsTo({ zone }: Pick<Seat, "zone">, machine: MachineObserved, crossZone: boolean): boolean {
  return zone === undefined || crossZone || machine.zone === zone;
}

/** On a node subnet of the VIP's family; where no node subnet is known, any address of that family. */
export function addressFor(
  machine: MachineObserved,
  balancer: LoadBalancer,
  { clusterSubnets }: Places,
): Pick<WantedMember, "address" | "subnetId"> | undefined {
  const family = familyOf(balancer.vipAddress);
  const fitting = machine.addresses.filter((address) => familyOf(address) === family);
  const subnetOf = (address: string) => clusterSubnets.find(({ cidr }) => isInside(address, cidr));
  const address =
    clusterSubnets.length === 0 ? fitting[0] : fitting.find((candidate) => subnetOf(candidate) !== undefined);
  if (address === undefined) return undefined;
  return { address, subnetId: memberSubnet(subnetOf(address), balancer) };
}

/** OVN must be told always, others when the member lies in another network than the VIP (decision 19). */
function memberSubnet(subnet: Subnet | undefined, { provider, vipNetworkId }: LoadBalancer): string | undefined {
  return provider === "ovn" || subnet?.networkId !== vipNetworkId ? subnet?.id : undefined;
}

/** Those that are not in yet. */
export function membersToAdd(pool: PoolNode, wanted: readonly WantedMember[]): readonly WantedMember[] {
  return wanted.filter(({ address }) => !pool.members.some((member) => sameAddress(member.address, address)));
}

/** Those of ours that go by an older name. */
export function membersToRename(
  pool: PoolNode,
  wanted: readonly WantedMember[],
  { seat, port, situation }: { readonly seat: Seat; readonly port: number; readonly situation: Situation },
): readonly WantedMember[] {
  return wanted.filter(({ machine, address }) => {
    const there = pool.members.find((member) => sameAddress(member.address, address));
    if (there === undefined || there.name === memberName(seat.name, port, machine)) return false;
    return machineOfMember(situation.observed, there) !== "foreign";
  });
}

/** The next member to leave, by the table above; the unhealthy first. */
export function memberToRemove(
  pool: PoolNode,
  wanted: readonly WantedMember[],
  { seat, situation }: { readonly seat: Seat; readonly situation: Situation },
): MemberNode | undefined {
  const isWanted = (member: MemberNode) => wanted.some(({ address }) => sameAddress(address, member.address));
  return pool.members
    .filter((member) =>
      isWanted(member) ? isBroken(member, seat, situation) : mayLeave(member, { pool, wanted, seat, situation }),
    )
    .toSorted((a, b) => Number(isHealthy(a)) - Number(isHealthy(b)) || (a.name < b.name ? -1 : 1))[0];
}

/** Octavia could not set it up, and changes nothing about it by itself. Where that goes on, it is not tried in a frenzy. */
function isBroken(member: MemberNode, { seen }: Seat, { observed, nowMs }: Situation): boolean {
  if (member.provisioningStatus !== "ERROR" || machineOfMember(observed, member) === "foreign") return false;
  const { updatedAt, createdAt } = seen?.balancer ?? {};
  return ageMs(updatedAt ?? createdAt, nowMs) >= pauseBetweenRebuildsMs;
}

interface Leaving {
  readonly pool: PoolNode;
  readonly wanted: readonly WantedMember[];
  readonly seat: Seat;
  readonly situation: Situation;
}

function mayLeave(member: MemberNode, { pool, wanted, seat, situation }: Leaving): boolean {
  const machine = machineOfMember(situation.observed, member);
  if (machine === "foreign") return false;
  if (machine === "gone" || machine.deleting) return true;
  const healthyAt = (address: string) =>
    pool.members.some((other) => sameAddress(other.address, address) && isHealthy(other));
  const isIn = (address: string) => pool.members.some((other) => sameAddress(other.address, address));
  const replacement = wanted.find((candidate) => candidate.machine === machine.name);
  if (replacement !== undefined)
    return isIn(replacement.address) && (!isHealthy(member) || healthyAt(replacement.address));
  if (belongsTo(seat, machine, situation.intent.crossZone) || machine.zone === undefined) return false;
  if (!isHealthy(member)) return true;
  return (
    isServedAtHome(machine, situation) && (wanted.length === 0 || wanted.some(({ address }) => healthyAt(address)))
  );
}

/** Healthy behind the balancer of its own zone, as far as that zone has one to be behind. */
function isServedAtHome(machine: MachineObserved, { claims, observed, intent }: Situation): boolean {
  const home = claims.seats.find(({ zone }) => zone === machine.zone);
  if (home === undefined) return true;
  if (home.seen === undefined || !isServing(home.seen)) return false;
  return membersBehind(home.seen, intent.apiPort).some((member) => {
    const found = machineOfMember(observed, member);
    return typeof found === "object" && found.name === machine.name && isHealthy(member);
  });
}

/** What people should know about machines that are behind no balancer, or behind it by another hand. */
export function memberRefusals(situation: Situation): readonly Refusal[] {
  const { intent, observed } = situation;
  const mapped = intent.zones.map(({ zone }) => zone);
  const present = observed.machines.filter(({ deleting }) => !deleting).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (intent.mode !== "zones" || intent.crossZone) return [];
  return present
    .filter(({ zone }) => zone === undefined || !mapped.includes(zone))
    .map(({ name, zone }) => ({
      reason: "MachineZoneUnmapped",
      message: `machine ${name}: ${zone === undefined ? "its zone is not known" : `zone ${zone} has no mapping`}, so it is behind no zone's balancer`,
    }));
}
