// operating_status: what the data path says about itself, a moment after it happened. Rolls up from members over pools to the balancer:
// one of several down is DEGRADED, all down is ERROR; without a monitor nobody knows (NO_MONITOR).

import type { OperatingStatus } from "../../../../core/openstack/octavia-objects.ts";
import { actingAs, type Cloud, timestamp } from "../cloud.ts";
import type { BalancerRecord, ListenerRecord, MemberRecord, PoolRecord } from "../cloud-records.ts";

export function checkHealthSoon(cloud: Cloud, balancerId: string): void {
  if (cloud.healthChecks.has(balancerId)) return;
  const timer = cloud.clock.after(cloud.settings.healthMs, () => {
    cloud.healthChecks.delete(balancerId);
    actingAs(cloud, "octavia", () => checkHealth(cloud, balancerId));
  });
  cloud.healthChecks.set(balancerId, timer);
}

export function checkAllHealthSoon(cloud: Cloud): void {
  for (const { id } of cloud.tables.loadbalancers.all()) checkHealthSoon(cloud, id);
}

function checkHealth(cloud: Cloud, balancerId: string): void {
  const { loadbalancers, listeners, pools } = cloud.tables;
  const balancer = loadbalancers.get(balancerId);
  if (balancer === undefined || balancer.provisioningStatus === "PENDING_CREATE") return;
  for (const listener of listeners.find(`balancer:${balancerId}`)) {
    if (listener.provisioningStatus !== "PENDING_CREATE")
      setOperating(cloud, "listeners", listener, listener.adminStateUp ? "ONLINE" : "OFFLINE");
  }
  const poolStatuses = pools.find(`balancer:${balancerId}`).map((pool) => checkPool(cloud, pool));
  setOperating(cloud, "loadbalancers", balancer, balancerStatus(cloud, balancer, poolStatuses));
}

function balancerStatus(cloud: Cloud, balancer: BalancerRecord, pools: readonly OperatingStatus[]): OperatingStatus {
  if (!balancer.adminStateUp) return "OFFLINE";
  if (isDark(cloud, balancer) || pools.includes("ERROR")) return "ERROR";
  return pools.includes("DEGRADED") ? "DEGRADED" : "ONLINE";
}

function checkPool(cloud: Cloud, pool: PoolRecord): OperatingStatus {
  const monitored = cloud.tables.healthmonitors.find(`pool:${pool.id}`).some(({ adminStateUp }) => adminStateUp);
  const members = cloud.tables.members.find(`pool:${pool.id}`).filter((each) => !isNew(each));
  const statuses = members.map((member) => {
    const status = memberStatus(cloud, member, monitored);
    setOperating(cloud, "members", member, status);
    return status;
  });
  const status = poolStatus(pool, cloud.tables.listeners.find(`pool:${pool.id}`), statuses);
  if (!isNew(pool)) setOperating(cloud, "pools", pool, status);
  return status;
}

function poolStatus(
  pool: PoolRecord,
  listeners: readonly ListenerRecord[],
  members: readonly OperatingStatus[],
): OperatingStatus {
  if (!pool.adminStateUp || !listeners.some(({ adminStateUp }) => adminStateUp)) return "OFFLINE";
  if (!members.includes("ERROR")) return "ONLINE";
  return members.some((status) => status === "ONLINE" || status === "DRAINING") ? "DEGRADED" : "ERROR";
}

function memberStatus(cloud: Cloud, member: MemberRecord, monitored: boolean): OperatingStatus {
  if (!member.adminStateUp) return "OFFLINE";
  if (!monitored) return "NO_MONITOR";
  if (isDown(cloud, member)) return "ERROR";
  return member.weight === 0 ? "DRAINING" : "ONLINE";
}

export function isDown(cloud: Cloud, { address, port }: MemberRecord): boolean {
  const { downMembers, darkZones } = cloud.trouble;
  if (downMembers.has(address) || downMembers.has(`${address}:${port}`)) return true;
  if (darkZones.size === 0) return false;
  for (const [subnetId, zone] of cloud.subnetZones) {
    if (darkZones.has(zone) && cloud.addresses.contains(subnetId, address)) return true;
  }
  return false;
}

export function isDark(cloud: Cloud, { availabilityZone, vipSubnetId }: BalancerRecord): boolean {
  const zone = availabilityZone ?? cloud.subnetZones.get(vipSubnetId);
  return zone !== undefined && cloud.trouble.darkZones.has(zone);
}

function isNew({ provisioningStatus }: { readonly provisioningStatus: string }): boolean {
  return provisioningStatus === "PENDING_CREATE";
}

type Kind = "loadbalancers" | "listeners" | "pools" | "members";

function setOperating(
  cloud: Cloud,
  kind: Kind,
  row: { readonly id: string; readonly operatingStatus: OperatingStatus },
  status: OperatingStatus,
): void {
  if (row.operatingStatus === status) return;
  cloud.tables[kind].patch(row.id, { operatingStatus: status, updatedAt: timestamp(cloud) });
}
