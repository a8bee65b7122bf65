// Pools of the fake Octavia: one to a listener, and nothing but its own provisioning_status decides whether its members may change.

import type { ChildQuery, CreatePool, Pool, UpdatePool } from "../../../../core/openstack/octavia-objects.ts";
import { present } from "../../../../core/present.ts";
import { type Cloud, timestamp } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { BalancerRecord, PoolRecord } from "../cloud-records.ts";
import type { Caller } from "../keystone/directory.ts";
import { checkQuota } from "../quota.ts";
import { checkTags, checkText } from "../strict.ts";
import { checkVersion, rulesOf } from "./capabilities.ts";
import { checkSupported } from "./provider-rules.ts";
import { beginUpdate, checkMutable } from "./provisioning.ts";
import { narrowest } from "./tagged-query.ts";
import { ownBalancer, ownPool } from "./visible.ts";

/** What the port never sends and the wire may. */
export interface WirePool extends Omit<CreatePool, "listenerId" | "algorithm"> {
  readonly listenerId?: string;
  readonly loadBalancerId?: string;
  readonly algorithm: string;
  readonly adminStateUp?: boolean;
}

const algorithms = ["ROUND_ROBIN", "LEAST_CONNECTIONS", "SOURCE_IP", "SOURCE_IP_PORT"];

export function listPools(cloud: Cloud, caller: Caller, query: ChildQuery): readonly Pool[] {
  return narrowest(cloud.tables.pools, caller, query).map((row) => poolView(cloud, row));
}

export function createPool(cloud: Cloud, caller: Caller, wanted: WirePool): Pool {
  const { protocol } = wanted;
  checkFields(cloud, wanted);
  const { balancer, listenerId } = placeOf(cloud, caller, wanted);
  checkQuota(cloud, balancer.projectId, "pool");
  if (listenerId !== undefined && cloud.tables.listeners.get(listenerId)?.defaultPoolId !== undefined)
    refuse(409, "This listener already has a default pool");
  checkMutable(balancer);
  checkOptions(cloud, balancer, protocol, wanted.algorithm);
  const made = cloud.tables.pools.insert({
    id: cloud.random.uuid(),
    name: wanted.name,
    loadBalancerId: balancer.id,
    projectId: balancer.projectId,
    protocol,
    algorithm: wanted.algorithm,
    adminStateUp: wanted.adminStateUp ?? true,
    tags: [...wanted.tags],
    provisioningStatus: "PENDING_CREATE",
    operatingStatus: "OFFLINE",
    createdAt: timestamp(cloud),
  });
  if (listenerId !== undefined) cloud.tables.listeners.patch(listenerId, { defaultPoolId: made.id });
  beginUpdate(cloud, balancer.id, listenerId === undefined ? {} : { listenerIds: [listenerId] });
  return poolView(cloud, made);
}

export function updatePool(cloud: Cloud, caller: Caller, id: string, change: UpdatePool): Pool {
  const pool = ownPool(cloud, caller, id);
  const balancer = ownBalancer(cloud, caller, pool.loadBalancerId);
  checkFields(cloud, change);
  checkMutable(balancer);
  if (change.algorithm !== undefined) checkOptions(cloud, balancer, pool.protocol, change.algorithm);
  cloud.tables.pools.patch(id, change);
  cloud.forgottenPools.delete(id);
  beginUpdate(cloud, balancer.id, { listenerIds: listenersOf(cloud, id), poolId: id });
  return poolView(cloud, ownPool(cloud, caller, id));
}

/** With its members and its monitor. */
export function deletePool(cloud: Cloud, caller: Caller, id: string): void {
  const pool = ownPool(cloud, caller, id);
  checkMutable(ownBalancer(cloud, caller, pool.loadBalancerId));
  beginUpdate(cloud, pool.loadBalancerId, { listenerIds: listenersOf(cloud, id) });
  cloud.tables.pools.patch(id, { provisioningStatus: "PENDING_DELETE", updatedAt: timestamp(cloud) });
}

/** Members and the monitor are immutable below a pool in ERROR, although the balancer may be ACTIVE. */
export function checkPoolMutable(cloud: Cloud, caller: Caller, pool: PoolRecord): void {
  if (pool.provisioningStatus !== "ACTIVE") refuse(409, `Pool ${pool.id} is immutable and cannot be updated.`);
  checkMutable(ownBalancer(cloud, caller, pool.loadBalancerId));
}

export function listenersOf(cloud: Cloud, poolId: string): readonly string[] {
  return cloud.tables.listeners.find(`pool:${poolId}`).map(({ id }) => id);
}

export function poolView(cloud: Cloud, row: PoolRecord): Pool {
  const { projectId: _project, createdAt: _made, updatedAt: _changed, ...pool } = row;
  const healthMonitorId = cloud.tables.healthmonitors.find(`pool:${row.id}`)[0]?.id;
  return { ...pool, listenerIds: listenersOf(cloud, row.id), ...present({ healthMonitorId }) };
}

function placeOf(
  cloud: Cloud,
  caller: Caller,
  { listenerId, loadBalancerId }: WirePool,
): { readonly balancer: BalancerRecord; readonly listenerId?: string } {
  if (loadBalancerId !== undefined)
    return { balancer: ownBalancer(cloud, caller, loadBalancerId), ...present({ listenerId }) };
  if (listenerId === undefined)
    refuse(400, "Validation failure: Must provide at least one of: loadbalancer_id, listener_id");
  const listener = cloud.tables.listeners.get(listenerId);
  // Octavia looks into a listener that is not there, and falls over.
  if (listener === undefined) refuse(500, "'NoneType' object has no attribute 'load_balancer_id'");
  return { balancer: ownBalancer(cloud, caller, listener.loadBalancerId), listenerId };
}

function checkFields(cloud: Cloud, fields: UpdatePool): void {
  if (fields.name !== undefined) checkText("name", fields.name);
  checkTags(fields.tags ?? []);
  if (fields.algorithm === undefined) return;
  if (!algorithms.includes(fields.algorithm)) refuse(400, `Invalid input for lb_algorithm: ${fields.algorithm}`);
  if (fields.algorithm === "SOURCE_IP_PORT") checkVersion(cloud, "sourceIpPort", "lb_algorithm SOURCE_IP_PORT");
}

function checkOptions(cloud: Cloud, { provider }: BalancerRecord, protocol: string, algorithm: string): void {
  const rules = rulesOf(cloud, provider);
  checkSupported(provider, rules.protocols, protocol, "protocol");
  checkSupported(provider, rules.algorithms, algorithm, "algorithm");
}
