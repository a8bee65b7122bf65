// Which machines belong behind a port of a balancer, and by which of their addresses.

import { familyOf, isInside } from "../../../../core/net/ip.ts";
import type { Subnet } from "../../../../core/openstack/neutron-objects.ts";
import type { CreateMember, LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import { memberName } from "../model/names.ts";
import type { BalancerObserved, EndpointObserved, MachineObserved, Places } from "../model/observed.ts";
import { tagsFor } from "../model/ownership.ts";
import type { Port } from "../model/port.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { membersBehind } from "../situation/health.ts";
import { machineOfMember } from "../situation/machine-of-member.ts";
import { unresolvedNodes } from "../situation/node-places.ts";
import type { Situation } from "../situation/situation.ts";

export interface DesiredMember extends CreateMember {
  readonly machine: string;
}

/** What Octavia gives a new one by itself, and one that is merged. */
export const newMember = { weight: 1, backup: false, adminStateUp: true } as const satisfies Partial<CreateMember>;

/** In the order of machine names. A machine without an address that fits is not among them. */
export function desiredMembers(
  { name, zone, seen }: WantedBalancer,
  balancer: LoadBalancer,
  port: Port,
  { observed, intent, ownerId, userTags }: Situation,
): readonly DesiredMember[] {
  const { machines, places } = observed;
  if (!places.known) return [];
  const { number } = port;
  const tags = tagsFor({ ownerId, zone, role: "member" }, userTags.wanted);
  return machines
    .filter((machine) => !machine.deleting && belongsTo({ zone }, machine, intent.crossZone))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((machine) => {
      const present = addressesBehind(seen, port, machine, observed);
      const found = addressFor(machine, balancer, places.value, present);
      if (found === undefined) return [];
      return [{ machine: machine.name, name: memberName(name, number, machine.name), port: number, tags, ...found }];
    });
}

/** By which a machine is behind the port now, under whichever name the balancer had then. */
function addressesBehind(
  seen: BalancerObserved | undefined,
  port: Port,
  machine: MachineObserved,
  observed: EndpointObserved,
): ReadonlySet<string> {
  const members = seen === undefined ? [] : membersBehind(seen, port);
  return new Set(
    members.filter((member) => machineOfMember(observed, member) === machine).map(({ address }) => address),
  );
}

/** The single balancer and the fall-back take every machine. */
export function belongsTo(
  { zone }: Pick<WantedBalancer, "zone">,
  machine: MachineObserved,
  crossZone: boolean,
): boolean {
  return zone === undefined || crossZone || machine.zone === zone;
}

/**
 * Of the VIP's family and in a node subnet; where these are not all known, in any subnet that is. Where none is named, any address of
 * that family will do, unless the provider must be given its subnet. Of several the one that is behind the balancer already counts, and
 * else the first: nobody promises the order of a list.
 */
export function addressFor(
  machine: MachineObserved,
  balancer: LoadBalancer,
  places: Places,
  present: ReadonlySet<string> = new Set(),
): Pick<CreateMember, "address" | "subnetId"> | undefined {
  const { clusterSubnets, knownSubnets } = places;
  const family = familyOf(balancer.vipAddress);
  const ofFamily = machine.addresses.filter((address) => familyOf(address) === family);
  const fitting = [
    ...ofFamily.filter((address) => present.has(address)),
    ...ofFamily.filter((address) => !present.has(address)),
  ];
  const among = (subnets: readonly Subnet[]) =>
    fitting
      .flatMap((address) =>
        subnets.filter(({ cidr }) => isInside(address, cidr)).map((subnet) => ({ address, subnet })),
      )
      .at(0);
  const isOpen = clusterSubnets.length === 0 || unresolvedNodes(places).length > 0;
  const found = among(clusterSubnets) ?? (isOpen ? among(knownSubnets) : undefined);
  if (found !== undefined) return { address: found.address, ...memberSubnet(found.subnet, balancer) };
  const [address] = clusterSubnets.length === 0 && !needsSubnet(balancer) ? fitting : [];
  return address === undefined ? undefined : { address };
}

/** OVN always, others when the member lies in another network than the VIP. */
function memberSubnet({ id, networkId }: Subnet, balancer: LoadBalancer): Pick<CreateMember, "subnetId"> {
  return needsSubnet(balancer) || networkId !== balancer.vipNetworkId ? { subnetId: id } : {};
}

/** OVN answers 501 to a member elsewhere than in the VIP's subnet, unless the request names its subnet. */
function needsSubnet({ provider }: LoadBalancer): boolean {
  return provider === "ovn";
}
