// Machines that belong behind a balancer and have no address to stand there with: which, why, and what to do. One without any address
// is still being made, or lost it from its status; one whose addresses lie elsewhere waits for a person. A member that is there stays.

import { familyOf } from "../../../../core/net/ip.ts";
import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { Refusal } from "../../../../core/plan.ts";
import type { MachineObserved, Places } from "../model/observed.ts";
import { existingBalancers } from "../situation/assignment.ts";
import { membersBehind } from "../situation/health.ts";
import { machineOfMember } from "../situation/machine-of-member.ts";
import { type Situation } from "../situation/situation.ts";
import { addressFor, belongsTo } from "./desired-members.ts";

type Existing = ReturnType<typeof existingBalancers>[number];

export interface UnplacedMachine extends Refusal {
  readonly reason: "MachineWithoutAddress" | "MemberAddressUnknown";
}

export function unplacedMachines(situation: Situation): readonly UnplacedMachine[] {
  const { observed, intent } = situation;
  if (!observed.places.known) return [];
  const places = observed.places.value;
  return observed.machines
    .filter(({ deleting }) => !deleting)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((machine) => {
      const theirs = existingBalancers(situation.assignment)
        .filter((wanted) => belongsTo(wanted, machine, intent.crossZone))
        .map(({ seen }) => seen.balancer);
      const isBehind = theirs.some((balancer) => addressFor(machine, balancer, places) !== undefined);
      if (theirs.length === 0 || isBehind) return [];
      const now = balancersBefore(machine, situation);
      return [machine.addresses.length === 0 ? unaddressed(machine, now) : misplaced(machine, theirs, places, now)];
    });
}

/** Those that have a member of this machine now, whatever its address. */
export function balancersBefore(
  machine: MachineObserved,
  { assignment, observed, intent }: Situation,
): readonly Existing[] {
  return existingBalancers(assignment).filter(({ seen }) =>
    membersBehind(seen, intent.apiPort).some((member) => machineOfMember(observed, member) === machine),
  );
}

function whereItIs(now: readonly Existing[]): string {
  return now.length === 0
    ? "so it is behind no balancer"
    : `so it stays behind ${namesOf(now)} as it is, and could not be put back`;
}

export function namesOf(balancers: readonly Existing[]): string {
  return balancers
    .map(({ seen }) => seen.balancer.name)
    .toSorted()
    .join(" and ");
}

function unaddressed({ name }: MachineObserved, now: readonly Existing[]): UnplacedMachine {
  const since = now.length === 0 ? "yet" : "any more";
  const message = `machine ${name}: it has no address ${since}, ${whereItIs(now)}; an InternalIP in status.addresses of OpenStackMachine or Machine ${name} is waited for`;
  return { reason: "MachineWithoutAddress", message };
}

function misplaced(
  { name, addresses }: MachineObserved,
  balancers: readonly LoadBalancer[],
  { clusterSubnets, knownSubnets }: Places,
  now: readonly Existing[],
): UnplacedMachine {
  const families = new Set(balancers.map(({ vipAddress }) => familyOf(vipAddress)));
  const isFitting = (address: string) => families.has(familyOf(address));
  const verb = addresses.length === 1 ? "is" : "are";
  const has = `machine ${name}: its ${addresses.length === 1 ? "address" : "addresses"} ${addresses.toSorted().join(", ")} ${verb}`;
  const so = whereItIs(now);
  const unplaced = (words: string): UnplacedMachine => ({ reason: "MemberAddressUnknown", message: `${has} ${words}` });
  if (!addresses.some(isFitting))
    return unplaced(`not of the VIP's family, ${so}; give it one of IPv${[...families].toSorted().join(" or ")}`);
  const isNamed = clusterSubnets.length > 0;
  const cidrs = (isNamed ? clusterSubnets : knownSubnets)
    .map(({ cidr }) => cidr)
    .filter((cidr) => isFitting(cidr.split("/")[0] ?? ""));
  const subnets = cidrs.length === 0 ? "" : ` ${[...new Set(cidrs)].toSorted().join(", ")}`;
  if (isNamed)
    return unplaced(
      `in none of the node subnets${subnets}, ${so}; attach it to one of them, or name its subnet in spec.subnets`,
    );
  const providers = [...new Set(balancers.map(({ provider }) => provider))].toSorted().join(", ");
  return unplaced(
    `in none of the subnets${subnets} of the balancers' network, and provider ${providers} must be told a member's subnet, ${so}; name its network in spec.network, or its subnet in spec.subnets`,
  );
}
