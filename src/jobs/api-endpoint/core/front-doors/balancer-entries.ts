// What a status remembers, between the job's words and those of an object: balancers by zone, the deprecated singleton, those that leave,
// and what was last known.

import type { Condition } from "../../../../apis/kube/kube-object.ts";
import { present } from "../../../../core/present.ts";
import type {
  KnownCondition,
  LeavingLoadBalancer,
  LegacyLoadBalancer,
  LoadBalancerStatus,
  ZoneLoadBalancerStatus,
} from "../../apis/load-balancer/api-server-load-balancer.ts";
import type {
  RecordedBalancer,
  RecordedDns,
  RecordedEndpoint,
  RecordedLegacy,
  RecordedRepair,
} from "../model/observed.ts";
import { knownConditions } from "../status/last-known.ts";
import type { EndpointStatus } from "./endpoint-status.ts";

/** Absent when there is none, so that a cluster with one balancer looks as it always has. */
export function zoneEntries({ zones, dns = [] }: EndpointStatus): readonly ZoneLoadBalancerStatus[] | undefined {
  if (zones.length === 0) return undefined;
  return zones.map((zone) => {
    const memory = dns.find((one) => one.zone === zone.availabilityZone)?.memory;
    return { ...zone, ...dnsEntry(memory) };
  });
}

type Spelt<T> = { readonly [K in keyof T]: T[K] | undefined };

/** What CAPO wrote into it before stays unless it is said to be absent. */
const nothing: Spelt<Required<LoadBalancerStatus>> = {
  name: undefined,
  id: undefined,
  ip: undefined,
  ipDetached: undefined,
  keptIP: undefined,
  internalIP: undefined,
  tags: undefined,
  allowedCIDRs: undefined,
  loadBalancerNetwork: undefined,
  provisioningStatus: undefined,
  operatingStatus: undefined,
  health: undefined,
  members: undefined,
  ports: undefined,
  repair: undefined,
  probe: undefined,
  dns: undefined,
};

/** With zones it repeats the first mapping's entry, without its zone: the singleton never had one. */
export function singleEntry({ single, zones, dns = [] }: EndpointStatus): Spelt<LoadBalancerStatus> | undefined {
  const shown: LoadBalancerStatus | undefined = single ?? withoutZone(zones[0]);
  const memory = dns.find(({ zone }) => zone === "")?.memory;
  return shown === undefined ? undefined : { ...nothing, ...shown, ...dnsEntry(memory) };
}

function withoutZone(zone: EndpointStatus["zones"][number] | undefined): LoadBalancerStatus | undefined {
  if (zone === undefined) return undefined;
  const { availabilityZone: _, ...balancer } = zone;
  return balancer;
}

function dnsEntry(memory: RecordedDns | undefined): Pick<LoadBalancerStatus, "dns"> {
  if (memory === undefined) return {};
  const { addresses, badSinceMs } = memory;
  return { dns: { addresses, ...(badSinceMs === undefined ? {} : { badSince: new Date(badSinceMs).toISOString() }) } };
}

/** Absent when none is on its way out. */
export function leavingEntries({ leaving = [] }: EndpointStatus): readonly LeavingLoadBalancer[] | undefined {
  if (leaving.length === 0) return undefined;
  return leaving.map(({ id, name, sinceMs }) => ({ id, name, since: new Date(sinceMs).toISOString() }));
}

/** Absent unless there is one. */
export function legacyEntry({ legacy }: EndpointStatus): LegacyLoadBalancer | undefined {
  if (legacy === undefined) return undefined;
  const { id, name, networkId, subnetId } = legacy;
  return { id, ...present({ name, networkID: networkId, subnetID: subnetId }) };
}

function recordedLegacy(entry: LegacyLoadBalancer | undefined): RecordedLegacy | undefined {
  if (!entry?.id) return undefined;
  const { id, name, networkID: networkId, subnetID: subnetId } = entry;
  return { id, name, networkId, subnetId };
}

/** Absent while everything is known. */
export function lastKnownEntries({ lastKnown = [] }: EndpointStatus): readonly KnownCondition[] | undefined {
  return lastKnown.length === 0 ? undefined : lastKnown;
}

export interface RecordedStatus {
  readonly apiServerLoadBalancers?: readonly ZoneLoadBalancerStatus[];
  readonly apiServerLoadBalancer?: LoadBalancerStatus;
  readonly project?: string;
  readonly unansweredUntil?: string;
  readonly network?: { readonly id?: string };
  readonly leavingLoadBalancers?: readonly LeavingLoadBalancer[];
  readonly legacyLoadBalancer?: LegacyLoadBalancer;
  readonly conditions?: readonly Condition[];
  readonly lastKnownConditions?: readonly KnownCondition[];
}

export function recordedEndpoint(status: RecordedStatus | undefined): RecordedEndpoint {
  const single = status?.apiServerLoadBalancer;
  return {
    zones: (status?.apiServerLoadBalancers ?? []).map((entry) => ({
      zone: entry.availabilityZone,
      ...recordedBalancer(entry),
    })),
    single: single === undefined ? undefined : recordedBalancer(single),
    networkId: status?.network?.id || undefined,
    location: status?.project || undefined,
    unansweredUntilMs: timeOf(status?.unansweredUntil),
    leaving: (status?.leavingLoadBalancers ?? []).flatMap(({ id, name = "", since }) => {
      const sinceMs = timeOf(since);
      return sinceMs === undefined ? [] : [{ id, name, sinceMs }];
    }),
    legacy: recordedLegacy(status?.legacyLoadBalancer),
    lastKnown: knownConditions(status?.conditions ?? [], status?.lastKnownConditions),
  };
}

/** CAPO writes empty texts where there is nothing. */
function recordedBalancer({
  id,
  name,
  ip,
  ipDetached,
  keptIP,
  internalIP,
  loadBalancerNetwork: place,
  provisioningStatus,
  dns,
  repair,
  probe,
}: LoadBalancerStatus): RecordedBalancer {
  return {
    id: id || undefined,
    name: name || undefined,
    address: ip || undefined,
    ...(ipDetached === true ? { isAddressDetached: true } : {}),
    ...(keptIP ? { keptAddress: keptIP } : {}),
    internalAddress: internalIP || undefined,
    networkId: place?.id || undefined,
    subnetId: place?.subnets?.[0]?.id || undefined,
    ...(provisioningStatus ? { provisioningStatus } : {}),
    ...(dns === undefined ? {} : { dns: recordedDns(dns) }),
    ...present({ probe, repair: recordedRepair(repair) }),
  };
}

function recordedRepair({
  since,
  because,
}: NonNullable<LoadBalancerStatus["repair"]> = {}): RecordedRepair | undefined {
  const sinceMs = timeOf(since);
  return sinceMs === undefined ? undefined : { sinceMs, because: because === "Error" ? "Error" : "Gone" };
}

function recordedDns({ addresses = [], badSince }: NonNullable<LoadBalancerStatus["dns"]>): RecordedDns {
  return { addresses, badSinceMs: timeOf(badSince) };
}

function timeOf(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}

/** Absent when nothing is. */
export function unansweredEntry({ unansweredUntilMs: ms }: EndpointStatus): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
