// Puts machines behind a port, in as few requests as its provider allows.

import type { PoolNode } from "../../../../core/openstack/octavia-objects.ts";
import type { Word } from "../../../../core/reasons.ts";
import type { EndpointAction } from "../model/action.ts";
import { supports } from "../model/provider-features.ts";
import type { PortContext } from "../ports/port-context.ts";
import type { DesiredMember } from "./desired-members.ts";
import { membersToAdd, membersToCorrect, membersToRestore } from "./members.ts";

export function addMembers(context: PortContext): readonly EndpointAction[] {
  const { pool, desired } = context;
  return pool === undefined ? [] : mergeMembers(context, pool, membersToAdd(pool, desired.members), "MembersMissing");
}

/** To Octavia a member is its address and port: merging one that is there gives it the new name and tags, and the plain weight. */
export function correctMembers(context: PortContext): readonly EndpointAction[] {
  const { pool, desired } = context;
  if (pool === undefined) return [];
  return mergeMembers(context, pool, membersToCorrect(pool, desired.members, context), "MembersDrifted");
}

/** Octavia sets up anew what is merged, and people come through it meanwhile as before. */
export function restoreMembers(context: PortContext): readonly EndpointAction[] {
  const { pool, desired } = context;
  if (pool === undefined) return [];
  return mergeMembers(context, pool, membersToRestore(pool, desired.members, context), "MemberInError");
}

function mergeMembers(
  { wanted, seen, situation }: PortContext,
  pool: PoolNode,
  due: readonly DesiredMember[],
  because: Word,
): readonly EndpointAction[] {
  const { capabilities } = situation.observed;
  const { provider } = seen.balancer;
  const batch = capabilities.known && supports(capabilities.value, provider, "batch-members");
  // Without an additive batch they go one by one: each makes the balancer PENDING.
  const requests = batch ? [due].filter(({ length }) => length > 0) : due.map((one) => [one]);
  return requests.map((members) => ({
    kind: "merge-members",
    name: pool.name,
    poolId: pool.id,
    members: members.map(({ machine: _, ...member }) => member),
    addresses: members.map(({ address }) => address).join(" "),
    provider,
    batch,
    lane: wanted.lane,
    because,
  }));
}
