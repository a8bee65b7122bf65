// Members of the fake Octavia: known by address and port, one by one or merged in a batch that removes nothing.

import type { CreateMember, Member, UpdateMember } from "../../../../core/openstack/octavia-objects.ts";
import { type Cloud, timestamp } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { BalancerRecord, MemberRecord, PoolRecord } from "../cloud-records.ts";
import type { Caller } from "../keystone/directory.ts";
import { checkQuota } from "../quota.ts";
import { checkVersion, rulesOf } from "./capabilities.ts";
import { checkMember, checkMemberFields } from "./member-rules.ts";
import { checkPoolMutable, listenersOf } from "./pools.ts";
import { beginUpdate } from "./provisioning.ts";
import { ownBalancer, ownMember, ownPool } from "./visible.ts";

/** What the port never sends and the wire may. */
export interface WireMember extends CreateMember {
  readonly monitorPort?: number;
}

export function listMembers(cloud: Cloud, caller: Caller, poolId: string): readonly Member[] {
  ownPool(cloud, caller, poolId);
  return cloud.tables.members.find(`pool:${poolId}`).map(memberView);
}

export function createMember(cloud: Cloud, caller: Caller, poolId: string, wanted: WireMember): Member {
  const pool = ownPool(cloud, caller, poolId);
  const balancer = ownBalancer(cloud, caller, pool.loadBalancerId);
  checkMember(cloud, caller, wanted);
  checkQuota(cloud, pool.projectId, "member");
  checkPoolMutable(cloud, caller, pool);
  if (sameMember(cloud, poolId, wanted) !== undefined) duplicate(wanted);
  checkProvider(cloud, balancer, wanted);
  const made = insert(cloud, pool, wanted);
  touchPool(cloud, pool);
  return memberView(made);
}

export function updateMember(cloud: Cloud, caller: Caller, poolId: string, id: string, change: UpdateMember): Member {
  const pool = ownPool(cloud, caller, poolId);
  ownMember(cloud, caller, poolId, id);
  checkMemberFields(change);
  checkPoolMutable(cloud, caller, pool);
  const changed = { ...change, provisioningStatus: "PENDING_UPDATE", updatedAt: timestamp(cloud) } as const;
  cloud.tables.members.patch(id, changed);
  touchPool(cloud, pool);
  return memberView(ownMember(cloud, caller, poolId, id));
}

export function deleteMember(cloud: Cloud, caller: Caller, poolId: string, id: string): void {
  const pool = ownPool(cloud, caller, poolId);
  ownMember(cloud, caller, poolId, id);
  checkPoolMutable(cloud, caller, pool);
  cloud.tables.members.patch(id, { provisioningStatus: "PENDING_DELETE", updatedAt: timestamp(cloud) });
  touchPool(cloud, pool);
}

/** `additive`: members that are not named stay. Otherwise they go. All or nothing. */
export function batchMembers(
  cloud: Cloud,
  caller: Caller,
  poolId: string,
  wanted: readonly WireMember[],
  additive: boolean,
): void {
  if (additive) checkVersion(cloud, "additive", "additive_only");
  const pool = ownPool(cloud, caller, poolId);
  const balancer = ownBalancer(cloud, caller, pool.loadBalancerId);
  const existing = cloud.tables.members.find(`pool:${poolId}`);
  const fresh = wanted.filter((each) => sameMember(cloud, poolId, each) === undefined);
  const leaving = additive ? [] : existing.filter((each) => !wanted.some((other) => isSame(each, other)));
  for (const each of wanted) checkMemberFields(each);
  checkPoolMutable(cloud, caller, pool);
  if (fresh.length > leaving.length) checkQuota(cloud, pool.projectId, "member", fresh.length - leaving.length);
  for (const each of fresh) checkMember(cloud, caller, each);
  for (const [index, each] of fresh.entries())
    if (fresh.findIndex((other) => isSame(each, other)) < index) duplicate(each);
  for (const each of wanted) checkProvider(cloud, balancer, each);
  // Octavia counts the members that it was not told of, even when they may stay: only an empty pool makes an empty batch nothing.
  if (wanted.length + existing.length === 0) return;
  const now = timestamp(cloud);
  for (const each of wanted) {
    const old = sameMember(cloud, poolId, each);
    if (old === undefined) insert(cloud, pool, each);
    else
      cloud.tables.members.patch(old.id, {
        ...overwritten(each),
        provisioningStatus: "PENDING_UPDATE",
        updatedAt: now,
      });
  }
  for (const { id } of leaving)
    cloud.tables.members.patch(id, { provisioningStatus: "PENDING_DELETE", updatedAt: now });
  touchPool(cloud, pool);
}

export function memberView(row: MemberRecord): Member {
  const {
    projectId: _p,
    createdAt: _c,
    updatedAt: _u,
    poolId: _l,
    loadBalancerId: _b,
    monitorPort: _m,
    ...member
  } = row;
  return member;
}

/** A batch sets weight, backup and admin state to their defaults when it does not name them. */
function overwritten({ name, tags, weight, backup, adminStateUp }: WireMember) {
  return { name, tags: [...tags], weight: weight ?? 1, backup: backup ?? false, adminStateUp: adminStateUp ?? true };
}

function insert(cloud: Cloud, pool: PoolRecord, wanted: WireMember): MemberRecord {
  const monitored = cloud.tables.healthmonitors.count(`pool:${pool.id}`) > 0;
  return cloud.tables.members.insert({
    id: cloud.random.uuid(),
    poolId: pool.id,
    loadBalancerId: pool.loadBalancerId,
    projectId: pool.projectId,
    address: wanted.address,
    port: wanted.port,
    ...overwritten(wanted),
    ...(wanted.subnetId === undefined ? {} : { subnetId: wanted.subnetId }),
    ...(wanted.monitorPort === undefined ? {} : { monitorPort: wanted.monitorPort }),
    provisioningStatus: "PENDING_CREATE",
    operatingStatus: monitored ? "OFFLINE" : "NO_MONITOR",
    createdAt: timestamp(cloud),
  });
}

function touchPool(cloud: Cloud, { id, loadBalancerId }: PoolRecord): void {
  beginUpdate(cloud, loadBalancerId, { listenerIds: listenersOf(cloud, id), poolId: id }, "members");
}

function sameMember(cloud: Cloud, poolId: string, wanted: WireMember): MemberRecord | undefined {
  return cloud.tables.members.find(`pool:${poolId}`).find((each) => isSame(each, wanted));
}

function isSame(a: { readonly address: string; readonly port: number }, b: typeof a): boolean {
  return a.address === b.address && a.port === b.port;
}

function duplicate({ address, port }: WireMember): never {
  refuse(409, `Another member on this pool is already using ip ${address} on protocol_port ${port}`);
}

function checkProvider(cloud: Cloud, balancer: BalancerRecord, member: WireMember): void {
  const rules = rulesOf(cloud, balancer.provider);
  const refuseOption = (what: string) =>
    refuse(501, `Provider '${balancer.provider}' does not support a requested option: ${what}`);
  if (member.monitorPort !== undefined && !rules.monitorPorts) refuseOption("a monitor port of a member");
  if (!rules.memberSubnets || member.subnetId !== undefined) return;
  if (!cloud.addresses.contains(balancer.vipSubnetId, member.address))
    refuseOption("a member elsewhere without its subnet");
}
