// Which machine a member stands for. Members are named after balancer, port and machine, under whichever name the balancer had then.

import type { MemberNode } from "../../../../core/openstack/octavia-objects.ts";
import { zonesOf } from "../model/intent.ts";
import { isMemberNameOf, machineInMemberName, memberName, singleName, zoneName } from "../model/names.ts";
import type { EndpointObserved, MachineObserved } from "../model/observed.ts";

/** `foreign`: it was not registered by us. `gone`: it was, for a machine that is no more. */
export function machineOfMember(observed: EndpointObserved, member: MemberNode): MachineObserved | "gone" | "foreign" {
  const names = balancerNames(observed).filter((name) => isMemberNameOf(name, member.port, member.name));
  const named = machineInMemberName(observed.intent.cluster, member.port, member.name);
  if (names.length === 0 && named === undefined) return "foreign";
  const found = observed.machines.find(
    (machine) =>
      machine.name === named || names.some((name) => memberName(name, member.port, machine.name) === member.name),
  );
  // Without a single machine to compare with, a member is not checked.
  return found ?? (observed.machines.length === 0 ? "foreign" : "gone");
}

/** What answers there is no API server of ours, as far as anybody knows. Without machines to compare with every member counts. */
export function isNobodys(observed: EndpointObserved, member: MemberNode): boolean {
  return observed.machines.length > 0 && typeof machineOfMember(observed, member) === "string";
}

/** All names that balancers of this cluster have, or had as far as status remembers. */
export function balancerNames({ intent, recorded, balancers }: EndpointObserved): readonly string[] {
  const zones = [...zonesOf(intent), ...recorded.zones].map(({ zone }) => zoneName(intent.cluster, zone));
  const seen = balancers.known ? balancers.value.map(({ balancer }) => balancer.name) : [];
  const remembered = [recorded.single?.name, ...recorded.zones.map(({ name }) => name)].flatMap((name) => name ?? []);
  return [...new Set([singleName(intent.cluster), ...zones, ...remembered, ...seen])];
}
