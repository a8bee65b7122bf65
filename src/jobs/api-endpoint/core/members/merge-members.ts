// The machines that belong behind a port, asked for in as few requests as its provider allows.

import type { PoolNode } from "../../../../core/openstack/octavia-objects.ts";
import type { EndpointAction } from "../model/action.ts";
import { memberName } from "../model/names.ts";
import { supports } from "../model/provider-features.ts";
import { childTags, type OnPort } from "../ports/port-context.ts";
import { membersToAdd, membersToCorrect, type WantedMember, wantedMembers } from "./members.ts";

export function addMembers(on: OnPort): readonly EndpointAction[] {
  return on.pool === undefined ? [] : mergeMembers(on, on.pool, membersToAdd(on.pool, membersWanted(on)));
}

/** To Octavia a member is its address and port: merging one that is there gives it the new name and the plain weight. */
export function correctMembers(on: OnPort): readonly EndpointAction[] {
  return on.pool === undefined ? [] : mergeMembers(on, on.pool, membersToCorrect(on.pool, membersWanted(on), on));
}

export function membersWanted({ seat, seen, places, situation }: OnPort): readonly WantedMember[] {
  if (places === undefined) return [];
  const { machines } = situation.observed;
  return wantedMembers(seat, { machines, places, balancer: seen.balancer }, situation.intent.crossZone);
}

function mergeMembers(on: OnPort, pool: PoolNode, due: readonly WantedMember[]): readonly EndpointAction[] {
  const { port, seat, seen, capabilities } = on;
  const { provider } = seen.balancer;
  const batch = capabilities !== undefined && supports(capabilities, provider, "batch-members");
  // Without an additive batch they go one by one: each makes the balancer PENDING.
  const requests = batch ? [due].filter(({ length }) => length > 0) : due.map((one) => [one]);
  return requests.map((wanted) => ({
    kind: "merge-members",
    name: pool.name,
    poolId: pool.id,
    members: wanted.map(({ machine, address, subnetId }) => ({
      name: memberName(seat.name, port, machine),
      address,
      port,
      ...(subnetId === undefined ? {} : { subnetId }),
      tags: childTags(on, "member"),
    })),
    addresses: wanted.map(({ address }) => address).join(" "),
    provider,
    batch,
    lane: seat.lane,
    because: "MembersMissing",
  }));
}
