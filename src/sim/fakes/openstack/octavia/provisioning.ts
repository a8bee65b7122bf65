// PENDING and what comes after it. A change of anything below a balancer makes the whole balancer PENDING for a while; until it is
// ACTIVE again nothing else below it can be changed. Nobody but time, a fault or a hand ends a phase.

import type { PortId, SubnetId } from "../../../../core/openstack/ids.ts";
import type { ProvisioningStatus } from "../../../../core/openstack/octavia-objects.ts";
import { actingAs, type Cloud, type Darkness, type PendingStatus, timestamp } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { BalancerRecord } from "../cloud-records.ts";
import type { Phase } from "../cloud-settings.ts";
import { removePort } from "../neutron/ports.ts";
import { checkHealthSoon } from "./health.ts";

const childKinds = ["listeners", "pools", "healthmonitors", "members"] as const;

/** 409 unless it is ACTIVE. */
export function checkMutable({ id, provisioningStatus }: BalancerRecord): void {
  if (provisioningStatus !== "ACTIVE") refuse(409, `Load Balancer ${id} is immutable and cannot be updated.`);
}

/** What a change puts in motion. The balancer and the named children are PENDING_UPDATE; new and leaving ones bear their own state. */
export function beginUpdate(
  cloud: Cloud,
  balancerId: string,
  touched: { readonly listenerIds?: readonly string[]; readonly poolId?: string } = {},
  phase: Phase = "update",
): void {
  const pending = { provisioningStatus: "PENDING_UPDATE", updatedAt: timestamp(cloud) } as const;
  for (const id of touched.listenerIds ?? []) cloud.tables.listeners.patch(id, pending);
  if (touched.poolId !== undefined) cloud.tables.pools.patch(touched.poolId, pending);
  beginPhase(cloud, balancerId, "PENDING_UPDATE", phase);
}

export function beginPhase(cloud: Cloud, balancerId: string, status: ProvisioningStatus, phase: Phase): void {
  setStatus(cloud, balancerId, status);
  const timer = cloud.clock.after(cloud.settings.phaseMs(phase), () => {
    cloud.phases.delete(balancerId);
    actingAs(cloud, "octavia", () => endPhase(cloud, balancerId));
  });
  cloud.phases.get(balancerId)?.cancel();
  cloud.phases.set(balancerId, timer);
}

/** Whoever is at it fell over: nothing but a hand changes the status again. */
export function neverEnd(cloud: Cloud, balancerId: string): void {
  cloud.phases.get(balancerId)?.cancel();
  cloud.phases.delete(balancerId);
}

/** Ends what the clock has not ended, as when a zone comes back. */
export function endPhase(cloud: Cloud, balancerId: string): void {
  const balancer = cloud.tables.loadbalancers.get(balancerId);
  const status = balancer?.provisioningStatus;
  if (balancer === undefined || status === undefined || !isPending(status)) return;
  const darkness = cloud.trouble.failing.has(status) ? "error" : darknessOf(cloud, balancer);
  if (darkness === "stuck") return;
  if (darkness === "error") {
    setStatus(cloud, balancerId, "ERROR");
    return;
  }
  if (balancer.provisioningStatus === "PENDING_DELETE") return removeBalancer(cloud, balancer);
  settleChildren(cloud, balancerId);
  setStatus(cloud, balancerId, "ACTIVE");
  checkHealthSoon(cloud, balancerId);
}

function darknessOf(cloud: Cloud, balancer: BalancerRecord): Darkness | undefined {
  const zone = balancer.availabilityZone ?? cloud.subnetZones.get(balancer.vipSubnetId);
  const { darkBalancers, darkZones } = cloud.trouble;
  return darkBalancers.get(balancer.id) ?? (zone === undefined ? undefined : darkZones.get(zone));
}

export function isPending(status: ProvisioningStatus): status is PendingStatus {
  return status.startsWith("PENDING_");
}

/** Children go with their pool. A pool does not go with its listener. */
export function removePool(cloud: Cloud, poolId: string): void {
  for (const { id } of cloud.tables.members.find(`pool:${poolId}`)) cloud.tables.members.remove(id);
  for (const { id } of cloud.tables.healthmonitors.find(`pool:${poolId}`)) cloud.tables.healthmonitors.remove(id);
  for (const listener of cloud.tables.listeners.find(`pool:${poolId}`)) {
    const { defaultPoolId: _gone, ...rest } = listener;
    cloud.tables.listeners.replace(rest);
  }
  cloud.tables.pools.remove(poolId);
}

function settleChildren(cloud: Cloud, balancerId: string): void {
  for (const kind of childKinds) {
    for (const { id, provisioningStatus } of cloud.tables[kind].find(`balancer:${balancerId}`)) {
      if (provisioningStatus === "PENDING_DELETE") {
        if (kind === "pools") removePool(cloud, id);
        else cloud.tables[kind].remove(id);
      } else if (isPending(provisioningStatus) && !cloud.forgottenPools.has(id)) {
        cloud.tables[kind].patch(id, { provisioningStatus: "ACTIVE" });
      }
    }
  }
}

function removeBalancer(cloud: Cloud, { id, vipPortId }: BalancerRecord): void {
  for (const kind of childKinds) {
    for (const child of cloud.tables[kind].find(`balancer:${id}`)) cloud.tables[kind].remove(child.id);
  }
  const port = cloud.tables.ports.get(vipPortId);
  if (port !== undefined) removePort(cloud, port);
  const { rowWithoutVipMs } = cloud.settings;
  if (vipPortId !== "" && rowWithoutVipMs > 0) return leaveRow(cloud, id, rowWithoutVipMs);
  cloud.healthChecks.get(id)?.cancel();
  cloud.healthChecks.delete(id);
  cloud.trouble.darkBalancers.delete(id);
  cloud.trouble.deadBalancers.delete(id);
  cloud.tables.loadbalancers.remove(id);
}

/** Octavia deletes the row of the VIP before that of the balancer, and lists the latter meanwhile. */
function leaveRow(cloud: Cloud, id: string, forMs: number): void {
  const none = { vipAddress: "", vipPortId: "" as PortId, vipSubnetId: "" as SubnetId };
  cloud.tables.loadbalancers.patch(id, none);
  const timer = cloud.clock.after(forMs, () => {
    cloud.phases.delete(id);
    actingAs(cloud, "octavia", () => endPhase(cloud, id));
  });
  cloud.phases.set(id, timer);
}

/** Octavia leaves `updated_at` empty until the row changes for the first time. */
function setStatus(cloud: Cloud, id: string, provisioningStatus: ProvisioningStatus): void {
  if (cloud.tables.loadbalancers.get(id)?.provisioningStatus === provisioningStatus) return;
  cloud.tables.loadbalancers.patch(id, { provisioningStatus, updatedAt: timestamp(cloud) });
}
