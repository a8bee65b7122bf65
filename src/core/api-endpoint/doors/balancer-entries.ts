// Balancers between the job's words and those of a status: the list by zone, the deprecated singleton, and what was recorded there.

import type {
  LeavingLoadBalancer,
  LoadBalancerStatus,
  ZoneLoadBalancerStatus,
} from "../../../apis/api-server-load-balancer.ts";
import type { RecordedBalancer, RecordedDns, RecordedEndpoint } from "../observed.ts";
import type { EndpointStatus } from "./endpoint-status.ts";

/** Absent when there is none, so that a cluster with one balancer looks as it always has. */
export function zoneEntries({ zones, dns = [] }: EndpointStatus): readonly ZoneLoadBalancerStatus[] | undefined {
  if (zones.length === 0) return undefined;
  return zones.map((zone) => {
    const memory = dns.find((one) => one.zone === zone.availabilityZone)?.memory;
    return { ...zone, ...dnsEntry(memory) };
  });
}

/** With zones it repeats the first mapping's entry, without its zone: the singleton never had one. */
export function singleEntry({ single, zones, dns = [] }: EndpointStatus): LoadBalancerStatus | undefined {
  const shown: LoadBalancerStatus | undefined = single ?? withoutZone(zones[0]);
  const memory = dns.find(({ zone }) => zone === "")?.memory;
  return shown === undefined ? undefined : { ...shown, ...dnsEntry(memory) };
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

export interface RecordedStatus {
  readonly apiServerLoadBalancers?: readonly ZoneLoadBalancerStatus[];
  readonly apiServerLoadBalancer?: LoadBalancerStatus;
  readonly network?: { readonly id?: string };
  readonly leavingLoadBalancers?: readonly LeavingLoadBalancer[];
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
    leaving: (status?.leavingLoadBalancers ?? []).flatMap(({ id, name = "", since }) => {
      const sinceMs = Date.parse(since ?? "");
      return Number.isNaN(sinceMs) ? [] : [{ id, name, sinceMs }];
    }),
  };
}

/** CAPO writes empty texts where there is nothing. */
function recordedBalancer({
  id,
  name,
  ip,
  internalIP,
  loadBalancerNetwork: place,
  dns,
}: LoadBalancerStatus): RecordedBalancer {
  return {
    id: id || undefined,
    name: name || undefined,
    address: ip || undefined,
    internalAddress: internalIP || undefined,
    networkId: place?.id || undefined,
    subnetId: place?.subnets?.[0]?.id || undefined,
    ...(dns === undefined ? {} : { dns: recordedDns(dns) }),
  };
}

function recordedDns({ addresses = [], badSince }: NonNullable<LoadBalancerStatus["dns"]>): RecordedDns {
  const badSinceMs = badSince === undefined ? Number.NaN : Date.parse(badSince);
  return { addresses, badSinceMs: Number.isNaN(badSinceMs) ? undefined : badSinceMs };
}
