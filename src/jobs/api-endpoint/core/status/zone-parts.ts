// The zones of a cluster's API endpoint, from the status of an OpenStackCluster or an APIEndpoint: who answers where, and which of them
// clients are sent to. Balancers of no zone stand beside them: the fall-back from before the zones, and what still serves before it goes.

import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import type { Refusal } from "../../../../core/plan.ts";
import type { Health, PartCell, PartRow } from "../../../../core/views/object-view.ts";
import type { Parts } from "../../../../core/views/parts.ts";
import type {
  LeavingLoadBalancer,
  LoadBalancerStatus,
  ProbeResult,
  ZoneLoadBalancerStatus,
} from "../../apis/load-balancer/api-server-load-balancer.ts";
import { fallbackLane, singleLane, zoneOfLane } from "../model/lanes.ts";
import { lingerMs } from "../removal/leaving.ts";

interface EndpointLike extends KubeObject {
  readonly status?: {
    readonly apiServerLoadBalancers?: readonly ZoneLoadBalancerStatus[];
    readonly apiServerLoadBalancer?: LoadBalancerStatus;
    readonly leavingLoadBalancers?: readonly LeavingLoadBalancer[];
  };
}

interface Shown {
  /** Where the name of a zone stands. */
  readonly name: string;
  readonly zone: string | undefined;
  readonly entry: LoadBalancerStatus;
}

/**
 * Undefined while there is nothing to show. One balancer without zones is a part, too. `refusals` are those of the latest plan: what it
 * refuses to remove goes at no time, whatever an older status says.
 */
export function zoneParts({ status }: EndpointLike, refusals: readonly Refusal[] = []): Parts | undefined {
  const { apiServerLoadBalancers: zones = [], apiServerLoadBalancer: single, leavingLoadBalancers = [] } = status ?? {};
  const hasZones = zones.length > 0;
  const parts: readonly Shown[] = hasZones
    ? zones.map((entry) => ({ name: entry.availabilityZone, zone: entry.availabilityZone, entry }))
    : inNoZone("all", single === undefined ? [] : [single]);
  // Health is Mainstay's word: without it the entries are somebody else's.
  if (!parts.some(({ entry }) => entry.health !== undefined)) return undefined;
  const others = inNoZone("none", besides(parts, single, leavingLoadBalancers));
  const published = parts.some(({ entry }) => entry.dns !== undefined);
  const row = (shown: Shown) => rowOf(shown, { published, leaving: leavingLoadBalancers, refusals });
  const going = leavingLoadBalancers.map(({ name, id }) => name || id);
  return {
    ...(going.length === 0
      ? {}
      : { underWay: `${going.join(", ")}: out of the DNS records, serves a little longer and then goes` }),
    noun: hasZones ? ["zone", "zones"] : ["balancer", "balancers"],
    table: {
      title: hasZones ? "Zones" : "Load balancer",
      nameColumn: "Zone",
      columns: ["API servers", "Address", "Balancer", ...(published ? ["DNS"] : [])],
      rows: parts.map(row),
      ...(others.length === 0 ? {} : { others: others.map(row) }),
    },
  };
}

function inNoZone(name: string, entries: readonly LoadBalancerStatus[]): readonly Shown[] {
  return entries.map((entry) => ({ name, zone: undefined, entry }));
}

/** The first zone's balancer is also the one of those who know one balancer only. */
function besides(
  parts: readonly Shown[],
  single: LoadBalancerStatus | undefined,
  leaving: readonly LeavingLoadBalancer[],
): readonly LoadBalancerStatus[] {
  const isPart = ({ id, name }: LoadBalancerStatus) =>
    parts.some(({ entry }) => (id ? id === entry.id : name === entry.name));
  const others = [...(single === undefined ? [] : [single]), ...leaving].filter((one) => !isPart(one));
  return others.filter(({ id }, index) => others.findIndex((one) => one.id === id) === index);
}

interface RowFacts {
  readonly published: boolean;
  readonly leaving: readonly LeavingLoadBalancer[];
  readonly refusals: readonly Refusal[];
}

function rowOf({ name, zone, entry }: Shown, { published, leaving, refusals }: RowFacts): PartRow {
  const health = zoneHealth(entry);
  const dns = published ? [dnsCell(entry, health)] : [];
  const balancer = balancerCell(entry);
  const left = leaving.find(({ id }) => id === entry.id);
  const isHeld = refusals.some((one) => one.reason === "LastHealthyEndpoint" && isAbout(one, zone));
  const shown = left === undefined ? balancer : { ...balancer, text: `${balancer.text}, ${endingOf(left, isHeld)}` };
  const cells = [membersCell(entry), addressCell(entry), shown, ...dns];
  // What is not yet as it should be is nothing to be alarmed about.
  const calm = health === "degraded" ? cells : cells.map(({ odd: _, ...cell }) => cell);
  return { name, health, cells: calm };
}

/** What becomes of a balancer that nobody is sent to any more, and that still serves those who remember it. */
function endingOf({ since }: LeavingLoadBalancer, isHeld: boolean): string {
  if (isHeld) return "unwanted, stays";
  const sinceMs = Date.parse(since ?? "");
  return Number.isNaN(sinceMs) ? "leaving" : `leaving, goes at ${new Date(sinceMs + lingerMs).toISOString()}`;
}

/** Whether it is about the balancer of a zone; without a zone, about one of no zone. */
function isAbout({ lane }: Refusal, zone: string | undefined): boolean {
  if (lane === undefined) return false;
  return zone === undefined ? [singleLane.part, fallbackLane.part].includes(lane.part) : zoneOfLane(lane) === zone;
}

export function zoneHealth(entry: LoadBalancerStatus): Health {
  const { id, health, provisioningStatus = "" } = entry;
  if (provisioningStatus === "ERROR") return "degraded";
  if (id === undefined) return health === "Unknown" ? "unknown" : "progressing";
  if (health === "Unknown" || health === undefined) return "unknown";
  if (health === "Healthy") return "healthy";
  if (/^PENDING_(CREATE|DELETE)$/.test(provisioningStatus) || health === "Empty") return "progressing";
  return isUnchecked(entry) ? "progressing" : "degraded";
}

/** ONLINE by its own word: its members were not checked yet, which is no loss; unless they answer, or nobody does at its address. */
function isUnchecked({ health, operatingStatus, probe, members }: LoadBalancerStatus): boolean {
  if (operatingStatus !== "ONLINE" || probe === "Failed") return false;
  return health !== "Unhealthy" || (members?.healthy ?? 0) === 0;
}

/** Of the API port; other ports are named where somebody does not answer there. */
function membersCell({ members, ports = [], health }: LoadBalancerStatus): PartCell {
  if (members === undefined || health === "Unknown") return { text: "not known" };
  const { healthy = 0, total = 0 } = members;
  if (total === 0) return { text: health === "Unhealthy" ? "not known" : "none yet" };
  const poor = ports.slice(1).filter((one) => one.healthy < one.total);
  const note = poor.map((one) => `port ${one.port}: ${one.healthy} of ${one.total}`).join(", ");
  return {
    text: `${healthy} of ${total} healthy`,
    share: { good: healthy, total },
    odd: healthy < total || poor.length > 0,
    ...(note === "" ? {} : { note }),
  };
}

function addressCell({ ip, internalIP }: LoadBalancerStatus): PartCell {
  const shown = ip ?? internalIP;
  if (shown === undefined) return { text: "none yet" };
  return {
    text: shown,
    exact: true,
    ...(ip === undefined || internalIP === undefined ? {} : { note: `VIP ${internalIP}` }),
  };
}

function balancerCell({ id, name, provisioningStatus, operatingStatus, probe }: LoadBalancerStatus): PartCell {
  const note = name === undefined ? {} : { note: name };
  if (id === undefined) return { text: "not there", odd: true, ...note };
  const probed = probe === undefined ? undefined : probeWords[probe];
  const statuses = [provisioningStatus, operatingStatus, probed].filter((word) => word !== undefined);
  const words = [...new Set(statuses)].join(", ");
  const isFine =
    probe !== "Failed" &&
    provisioningStatus !== "ERROR" &&
    operatingStatus !== "ERROR" &&
    operatingStatus !== "OFFLINE";
  return { text: words === "" ? "not known" : words, odd: !isFine, ...note };
}

const probeWords: Readonly<Record<ProbeResult, string | undefined>> = {
  Answered: "answers",
  FailedOnce: "a probe failed",
  Failed: "does not answer",
};

function dnsCell({ dns }: LoadBalancerStatus, health: Health): PartCell {
  const { addresses = [], badSince } = dns ?? {};
  if (addresses.length === 0) return { text: "left out", odd: true };
  const mayLeave = badSince !== undefined && health === "degraded";
  return { text: "in the records", ...(mayLeave ? { note: "may leave soon" } : {}) };
}
