// Who may touch what in Octavia. Unlike Neutron it says 403, not 404, about what belongs to another project.

import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { BalancerRecord, ListenerRecord, MemberRecord, MonitorRecord, PoolRecord } from "../cloud-records.ts";
import type { Caller } from "../keystone/directory.ts";

export function ownBalancer(cloud: Cloud, caller: Caller, id: string): BalancerRecord {
  return own(caller, cloud.tables.loadbalancers.get(id), "LoadBalancer", id);
}

export function ownListener(cloud: Cloud, caller: Caller, id: string): ListenerRecord {
  return own(caller, cloud.tables.listeners.get(id), "Listener", id);
}

export function ownPool(cloud: Cloud, caller: Caller, id: string): PoolRecord {
  return own(caller, cloud.tables.pools.get(id), "Pool", id);
}

export function ownMonitor(cloud: Cloud, caller: Caller, id: string): MonitorRecord {
  return own(caller, cloud.tables.healthmonitors.get(id), "HealthMonitor", id);
}

export function ownMember(cloud: Cloud, caller: Caller, poolId: string, id: string): MemberRecord {
  const member = own(caller, cloud.tables.members.get(id), "Member", id);
  return member.poolId === poolId ? member : notFound("Member", id);
}

export function ownProject(caller: Caller, projectId: string): void {
  if (!caller.admin && projectId !== caller.projectId)
    refuse(403, "Policy does not allow this request to be performed.");
}

function own<T extends { readonly projectId: string }>(
  caller: Caller,
  row: T | undefined,
  what: string,
  id: string,
): T {
  if (row === undefined) notFound(what, id);
  ownProject(caller, row.projectId);
  return row;
}

function notFound(what: string, id: string): never {
  refuse(404, `${what} ${id} not found.`);
}
