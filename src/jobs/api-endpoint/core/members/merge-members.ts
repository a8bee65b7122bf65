// The machines that belong behind a port, asked for in as few requests as its provider allows.

import type { PoolNode } from "../../../../core/openstack/octavia-objects.ts";
import type { EndpointAction } from "../model/action.ts";
import { memberName } from "../model/names.ts";
import { supports } from "../model/provider-features.ts";
import { childTags, type PortContext } from "../ports/port-context.ts";
import { type DesiredMember, desiredMembers, membersToAdd, membersToCorrect } from "./members.ts";

export function addMembers(on: PortContext): readonly EndpointAction[] {
  return on.pool === undefined ? [] : mergeMembers(on, on.pool, membersToAdd(on.pool, desiredMembersOn(on)));
}

/** To Octavia a member is its address and port: merging one that is there gives it the new name and the plain weight. */
export function correctMembers(on: PortContext): readonly EndpointAction[] {
  return on.pool === undefined ? [] : mergeMembers(on, on.pool, membersToCorrect(on.pool, desiredMembersOn(on), on));
}

export function desiredMembersOn({ wanted, seen, places, situation }: PortContext): readonly DesiredMember[] {
  if (places === undefined) return [];
  const { machines } = situation.observed;
  return desiredMembers(wanted, { machines, places, balancer: seen.balancer }, situation.intent.crossZone);
}

function mergeMembers(on: PortContext, pool: PoolNode, due: readonly DesiredMember[]): readonly EndpointAction[] {
  const { port, wanted, seen, capabilities } = on;
  const { provider } = seen.balancer;
  const batch = capabilities !== undefined && supports(capabilities, provider, "batch-members");
  // Without an additive batch they go one by one: each makes the balancer PENDING.
  const requests = batch ? [due].filter(({ length }) => length > 0) : due.map((one) => [one]);
  return requests.map((desired) => ({
    kind: "merge-members",
    name: pool.name,
    poolId: pool.id,
    members: desired.map(({ machine, address, subnetId }) => ({
      name: memberName(wanted.name, port, machine),
      address,
      port,
      ...(subnetId === undefined ? {} : { subnetId }),
      tags: childTags(on, "member"),
    })),
    addresses: desired.map(({ address }) => address).join(" "),
    provider,
    batch,
    lane: wanted.lane,
    because: "MembersMissing",
  }));
}
