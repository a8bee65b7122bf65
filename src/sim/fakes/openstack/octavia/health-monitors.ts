// Health monitors of the fake Octavia: one to a pool.

import type {
  CreateHealthMonitor,
  HealthMonitor,
  TaggedQuery,
  UpdateHealthMonitor,
} from "../../../../core/openstack/octavia-objects.ts";
import { type Cloud, timestamp } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { MonitorRecord, PoolRecord } from "../cloud-records.ts";
import type { Caller } from "../keystone/directory.ts";
import { checkQuota } from "../quota.ts";
import { checkRange, checkSeconds, checkTags, checkText } from "../strict.ts";
import { rulesOf } from "./capabilities.ts";
import { checkPoolMutable, listenersOf } from "./pools.ts";
import { checkSupported } from "./provider-rules.ts";
import { beginUpdate } from "./provisioning.ts";
import { narrowest } from "./tagged-query.ts";
import { ownBalancer, ownMonitor, ownPool } from "./visible.ts";

/** What the port never sends and the wire may. */
export interface WireMonitor extends CreateHealthMonitor {
  readonly adminStateUp?: boolean;
}

export function listHealthMonitors(cloud: Cloud, caller: Caller, query: TaggedQuery): readonly HealthMonitor[] {
  return narrowest(cloud.tables.healthmonitors, caller, query).map(monitorView);
}

export function createHealthMonitor(cloud: Cloud, caller: Caller, wanted: WireMonitor): HealthMonitor {
  checkFields(wanted);
  const pool = ownPool(cloud, caller, wanted.poolId);
  const { provider } = ownBalancer(cloud, caller, pool.loadBalancerId);
  checkQuota(cloud, pool.projectId, "health_monitor");
  checkPoolMutable(cloud, caller, pool);
  if (cloud.tables.healthmonitors.count(`pool:${pool.id}`) > 0) refuse(409, "This pool already has a health monitor");
  checkSupported(provider, rulesOf(cloud, provider).monitorTypes, wanted.type, "health monitor type");
  const { poolId, name, type, tags, delaySeconds, timeoutSeconds, maxRetries, maxRetriesDown } = wanted;
  const made = cloud.tables.healthmonitors.insert({
    id: cloud.random.uuid(),
    name,
    poolId,
    loadBalancerId: pool.loadBalancerId,
    projectId: pool.projectId,
    type,
    delaySeconds,
    timeoutSeconds,
    maxRetries,
    maxRetriesDown,
    adminStateUp: wanted.adminStateUp ?? true,
    tags: [...tags],
    provisioningStatus: "PENDING_CREATE",
    operatingStatus: "ONLINE",
    createdAt: timestamp(cloud),
  });
  touchPool(cloud, pool);
  return monitorView(made);
}

export function updateHealthMonitor(
  cloud: Cloud,
  caller: Caller,
  id: string,
  change: UpdateHealthMonitor,
): HealthMonitor {
  const monitor = ownMonitor(cloud, caller, id);
  checkFields(change);
  const pool = ownPool(cloud, caller, monitor.poolId);
  checkPoolMutable(cloud, caller, pool);
  const changed = { ...change, provisioningStatus: "PENDING_UPDATE", updatedAt: timestamp(cloud) } as const;
  cloud.tables.healthmonitors.patch(id, changed);
  touchPool(cloud, pool);
  return monitorView(ownMonitor(cloud, caller, id));
}

export function deleteHealthMonitor(cloud: Cloud, caller: Caller, id: string): void {
  const monitor = ownMonitor(cloud, caller, id);
  const pool = ownPool(cloud, caller, monitor.poolId);
  checkPoolMutable(cloud, caller, pool);
  cloud.tables.healthmonitors.patch(id, { provisioningStatus: "PENDING_DELETE", updatedAt: timestamp(cloud) });
  touchPool(cloud, pool);
  const { provider } = ownBalancer(cloud, caller, pool.loadBalancerId);
  const [first] = cloud.tables.pools
    .find(`balancer:${pool.loadBalancerId}`)
    .map((one) => one.id)
    .toSorted();
  if (rulesOf(cloud, provider).mistakesMonitorsPool && first !== pool.id) cloud.forgottenPools.add(pool.id);
}

export function monitorView(row: MonitorRecord): HealthMonitor {
  const { projectId: _project, createdAt: _made, updatedAt: _changed, loadBalancerId: _balancer, ...monitor } = row;
  return monitor;
}

function touchPool(cloud: Cloud, { id, loadBalancerId }: PoolRecord): void {
  beginUpdate(cloud, loadBalancerId, { listenerIds: listenersOf(cloud, id), poolId: id });
}

function checkFields(fields: UpdateHealthMonitor): void {
  if (fields.name !== undefined) checkText("name", fields.name);
  checkTags(fields.tags ?? []);
  checkSeconds("delay", fields.delaySeconds);
  checkSeconds("timeout", fields.timeoutSeconds);
  checkRange("max_retries", fields.maxRetries, 1, 10);
  checkRange("max_retries_down", fields.maxRetriesDown, 1, 10);
}
