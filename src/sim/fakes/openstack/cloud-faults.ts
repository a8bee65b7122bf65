// What can go wrong in a fake cloud: statuses set by hand, members and zones that go down, quotas, tokens that are no longer good,
// balancers that somebody deletes.

import type { OperatingStatus, ProvisioningStatus } from "../../../core/openstack/octavia-objects.ts";
import { actingAs, type Cloud, type Darkness, type PendingStatus, timestamp } from "./cloud.ts";
import type { QuotaKind } from "./cloud-settings.ts";
import { revokeTokens } from "./keystone/authenticate.ts";
import { checkAllHealthSoon } from "./octavia/health.ts";
import { beginPhase, endPhase, isPending } from "./octavia/provisioning.ts";

export type StatusKind = "loadbalancers" | "listeners" | "pools" | "members" | "healthmonitors";

export interface NewStatus {
  readonly provisioning?: ProvisioningStatus;
  readonly operating?: OperatingStatus;
}

export interface CloudFaults {
  /** Any status, as a provider's agent reports it. A PENDING one stays until somebody sets another. */
  setStatus(kind: StatusKind, id: string, status: NewStatus): void;
  /** By `address` or `address:port`. */
  setMemberDown(member: string, down: boolean): void;
  /** Everything in the zone: its balancers end in ERROR or stay PENDING, members with addresses in its subnets are down. */
  darkenZone(zone: string, darkness: Darkness): void;
  lightenZone(zone: string): void;
  darkenBalancer(id: string, darkness: Darkness): void;
  lightenBalancer(id: string): void;
  /** Whether every balancer that is made, changed or deleted ends in ERROR instead. */
  setFailing(status: PendingStatus, failing: boolean): void;
  /** Nobody answers at its addresses, while its members are fine and Octavia calls everything ONLINE. */
  killBalancer(id: string): void;
  reviveBalancer(id: string): void;
  /** Undefined: what everybody has. */
  setQuota(projectId: string, kind: QuotaKind, limit: number | undefined): void;
  /**
   * Whether Neutron makes changes whatever was seen, although it says that it compares: so it does, now and then, with those that come at
   * the same moment.
   */
  setForgetful(isForgetful: boolean): void;
  /** Of this user: the next call with one of them is a 401. */
  revokeTokens(userName: string): void;
  setPassword(userName: string, password: string): void;
  /** As somebody with the right to does it: with everything below it, at the usual pace. */
  deleteBalancer(id: string): void;
  setBalancerZone(zone: string, enabled: boolean | undefined): void;
}

export function cloudFaults(cloud: Cloud): CloudFaults {
  const byHand = <A extends readonly unknown[]>(work: (...args: A) => void) => {
    return (...args: A): void => actingAs(cloud, "hand", () => work(...args));
  };
  const userNamed = (name: string) => [...cloud.directory.users.values()].find((user) => user.name === name);
  return {
    setStatus: byHand((kind, id, status) => setStatus(cloud, kind, id, status)),
    setMemberDown: byHand((member, down) => {
      if (down) cloud.trouble.downMembers.add(member);
      else cloud.trouble.downMembers.delete(member);
      checkAllHealthSoon(cloud);
    }),
    darkenZone: byHand((zone, darkness) => {
      cloud.trouble.darkZones.set(zone, darkness);
      checkAllHealthSoon(cloud);
    }),
    lightenZone: byHand((zone) => {
      cloud.trouble.darkZones.delete(zone);
      resume(cloud);
      checkAllHealthSoon(cloud);
    }),
    darkenBalancer: byHand((id, darkness) => void cloud.trouble.darkBalancers.set(id, darkness)),
    lightenBalancer: byHand((id) => {
      cloud.trouble.darkBalancers.delete(id);
      resume(cloud);
    }),
    setFailing: (status, failing) => {
      if (failing) cloud.trouble.failing.add(status);
      else cloud.trouble.failing.delete(status);
    },
    killBalancer: (id) => void cloud.trouble.deadBalancers.add(id),
    reviveBalancer: (id) => void cloud.trouble.deadBalancers.delete(id),
    setQuota: (projectId, kind, limit) => setQuota(cloud, projectId, kind, limit),
    setForgetful: (isForgetful) => {
      cloud.trouble.isForgetful = isForgetful;
    },
    revokeTokens: (name) => revokeTokens(cloud, userNamed(name)?.id ?? ""),
    setPassword: (name, password) => {
      const user = userNamed(name);
      if (user !== undefined) user.password = password;
    },
    deleteBalancer: byHand((id) => beginPhase(cloud, id, "PENDING_DELETE", "delete")),
    setBalancerZone: (zone, enabled) => {
      if (enabled === undefined) cloud.balancerZones.delete(zone);
      else cloud.balancerZones.set(zone, enabled);
    },
  };
}

function setStatus(cloud: Cloud, kind: StatusKind, id: string, { provisioning, operating }: NewStatus): void {
  if (kind === "loadbalancers" && provisioning !== undefined) {
    cloud.phases.get(id)?.cancel();
    cloud.phases.delete(id);
  }
  cloud.tables[kind].patch(id, {
    ...(provisioning === undefined ? {} : { provisioningStatus: provisioning }),
    ...(operating === undefined ? {} : { operatingStatus: operating }),
    updatedAt: timestamp(cloud),
  });
}

/** What was stuck goes on where the light is back. */
function resume(cloud: Cloud): void {
  for (const { id, provisioningStatus } of cloud.tables.loadbalancers.all()) {
    if (isPending(provisioningStatus) && !cloud.phases.has(id)) actingAs(cloud, "octavia", () => endPhase(cloud, id));
  }
}

function setQuota(cloud: Cloud, projectId: string, kind: QuotaKind, limit: number | undefined): void {
  const quotas = cloud.quotas.get(projectId) ?? new Map<QuotaKind, number>();
  if (limit === undefined) quotas.delete(kind);
  else quotas.set(kind, limit);
  cloud.quotas.set(projectId, quotas);
}
