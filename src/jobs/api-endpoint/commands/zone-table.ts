// The balancers of an OpenStackCluster or an APIEndpoint, zone by zone, as its status has them; nothing for any other object. One that
// has left the DNS records says how long it still serves.

import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { table } from "../../../cli/print.ts";
import type { Refusal } from "../../../core/plan.ts";
import type {
  LeavingLoadBalancer,
  LoadBalancerStatus,
  ZoneLoadBalancerStatus,
} from "../apis/load-balancer/api-server-load-balancer.ts";
import { zoneOfLane } from "../core/model/lanes.ts";
import { lingerMs } from "../core/removal/leaving.ts";

interface WithBalancers extends KubeObject {
  readonly status?: {
    readonly apiServerLoadBalancers?: readonly ZoneLoadBalancerStatus[];
    readonly apiServerLoadBalancer?: LoadBalancerStatus;
    readonly leavingLoadBalancers?: readonly LeavingLoadBalancer[];
  };
}

export interface ZoneRow {
  /** Empty: of no zone. */
  readonly zone: string;
  readonly name?: string;
  readonly address?: string;
  readonly vip?: string;
  readonly provisioningStatus?: string;
  /** Its balancer is there, or was when anybody last looked. */
  readonly isMade: boolean;
  readonly members?: { readonly healthy: number; readonly total: number };
  /** Records are published, and its address is not among them. */
  readonly isLeftOut?: boolean;
  /** ISO 8601: it is out of the DNS records, and serves until then at least. */
  readonly leavesAt?: string;
  /** It is to go and may not. */
  readonly stays?: true;
}

export function zoneRows({ status }: WithBalancers): readonly ZoneRow[] {
  const { apiServerLoadBalancers: zones = [], apiServerLoadBalancer: single, leavingLoadBalancers = [] } = status ?? {};
  const isOfZone = zones.some(({ id, name }) => (single?.id ? single.id === id : single?.name === name));
  const shown = [...zones, ...(single === undefined || isOfZone ? [] : [{ ...single, availabilityZone: "" }])];
  const others = leavingLoadBalancers.filter(({ id }) => !shown.some((one) => one.id === id));
  return [
    ...shown.map((one) => ({ ...rowOf(one, leavingLoadBalancers), ...(isLeftOut(one) ? { isLeftOut: true } : {}) })),
    ...others.map((one) => rowOf({ availabilityZone: "", ...one }, [one])),
  ];
}

/** Only what was published says which addresses are in the records. */
function isLeftOut({ id, dns }: LoadBalancerStatus): boolean {
  return id !== undefined && id !== "" && dns !== undefined && (dns.addresses ?? []).length === 0;
}

/** What a plan refuses to remove goes at no time. */
export function withoutRefused(rows: readonly ZoneRow[], refusals: readonly Refusal[]): readonly ZoneRow[] {
  const isRefused = ({ zone, name = "" }: ZoneRow) =>
    refusals.some(
      ({ reason, lane, message }) =>
        reason === "LastHealthyEndpoint" &&
        ((lane !== undefined && zoneOfLane(lane) === zone) || (name !== "" && message.startsWith(`${name}:`))),
    );
  return rows.map((row) => {
    const { leavesAt, ...rest } = row;
    return leavesAt !== undefined && isRefused(row) ? { ...rest, isLeftOut: true, stays: true } : row;
  });
}

function rowOf(entry: ZoneLoadBalancerStatus, leaving: readonly LeavingLoadBalancer[]): ZoneRow {
  const { availabilityZone: zone, id, name, ip, internalIP, provisioningStatus, health, members } = entry;
  const since = Date.parse(leaving.find((one) => one.id === id)?.since ?? "");
  const { healthy = 0, total = 0 } = members ?? {};
  return {
    zone,
    ...(name ? { name } : {}),
    ...(ip ? { address: ip } : {}),
    ...(internalIP ? { vip: internalIP } : {}),
    ...(provisioningStatus === undefined ? {} : { provisioningStatus }),
    isMade: id !== undefined && id !== "",
    ...(members === undefined || health === "Unknown" ? {} : { members: { healthy, total } }),
    ...(Number.isNaN(since) ? {} : { leavesAt: new Date(since + lingerMs).toISOString() }),
  };
}

export function zoneTable(rows: readonly ZoneRow[], nowMs: number): string {
  const lines = rows.map((row) => [
    row.zone || "-",
    row.address ?? "-",
    row.vip ?? "-",
    balancerWords(row, nowMs),
    membersWords(row),
  ]);
  return table([["ZONE", "ADDRESS", "VIP", "BALANCER", "MEMBERS"], ...lines]);
}

function balancerWords({ provisioningStatus, isMade, isLeftOut, stays, leavesAt }: ZoneRow, nowMs: number): string {
  const state = provisioningStatus ?? (isMade ? "not seen now" : "not made yet");
  if (leavesAt === undefined) return `${state}${isLeftOut ? ", out of the records" : ""}${stays ? ", stays" : ""}`;
  const seconds = Math.ceil((Date.parse(leavesAt) - nowMs) / 1_000);
  return `${state}, out of the records, goes ${seconds > 0 ? `in ${seconds} s` : "now"}`;
}

function membersWords({ members }: ZoneRow): string {
  if (members === undefined) return "unknown";
  return members.total === 0 ? "none" : `${members.healthy} of ${members.total} healthy`;
}
