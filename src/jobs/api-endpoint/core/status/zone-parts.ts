// The zones of a cluster's API endpoint, from the status of an OpenStackCluster or an APIEndpoint: who answers where, and which of them
// clients are told of.

import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import type { Health, PartCell, PartRow } from "../../../../core/views/object-view.ts";
import type { Parts } from "../../../../core/views/parts.ts";
import type {
  LeavingLoadBalancer,
  LoadBalancerStatus,
  ZoneLoadBalancerStatus,
} from "../../apis/load-balancer/api-server-load-balancer.ts";

interface EndpointLike extends KubeObject {
  readonly status?: {
    readonly apiServerLoadBalancers?: readonly ZoneLoadBalancerStatus[];
    readonly apiServerLoadBalancer?: LoadBalancerStatus;
    readonly leavingLoadBalancers?: readonly LeavingLoadBalancer[];
  };
}

/** Undefined while there is nothing to show. One balancer without zones is a part, too. */
export function zoneParts({ status }: EndpointLike): Parts | undefined {
  const { apiServerLoadBalancers: zones = [], apiServerLoadBalancer: single, leavingLoadBalancers = [] } = status ?? {};
  const hasZones = zones.length > 0;
  const entries = hasZones ? zones : single === undefined ? [] : [{ ...single, availabilityZone: "all" }];
  // Health is Mainstay's word: without it the entries are somebody else's.
  if (!entries.some(({ health }) => health !== undefined)) return undefined;
  const published = entries.some(({ dns }) => dns !== undefined);
  const isLeaving = (entry: LoadBalancerStatus) => leavingLoadBalancers.some(({ id }) => id === entry.id);
  const rows = entries.map((entry) => rowOf(entry, { published, leaving: isLeaving(entry) }));
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
      rows,
    },
  };
}

interface RowFacts {
  readonly published: boolean;
  /** Out of the records, and it serves a little longer. */
  readonly leaving: boolean;
}

function rowOf(entry: ZoneLoadBalancerStatus, { published, leaving }: RowFacts): PartRow {
  const health = zoneHealth(entry);
  const dns = published ? [dnsCell(entry, health)] : [];
  const balancer = balancerCell(entry);
  const shown = leaving ? { ...balancer, text: `${balancer.text}, leaving` } : balancer;
  const cells = [membersCell(entry), addressCell(entry), shown, ...dns];
  // What is not yet as it should be is nothing to be alarmed about.
  const calm = health === "degraded" ? cells : cells.map(({ odd: _, ...cell }) => cell);
  return { name: entry.availabilityZone, health, cells: calm };
}

/** A balancer that is ONLINE by its own word has members that were not checked yet: that is no loss. */
export function zoneHealth({ id, health, provisioningStatus = "", operatingStatus }: LoadBalancerStatus): Health {
  if (provisioningStatus === "ERROR") return "degraded";
  if (id === undefined) return health === "Unknown" ? "unknown" : "progressing";
  if (health === "Unknown" || health === undefined) return "unknown";
  if (health === "Healthy") return "healthy";
  if (/^PENDING_(CREATE|DELETE)$/.test(provisioningStatus) || health === "Empty") return "progressing";
  return operatingStatus === "ONLINE" ? "progressing" : "degraded";
}

function membersCell({ members, health }: LoadBalancerStatus): PartCell {
  if (members === undefined || health === "Unknown") return { text: "not known" };
  const { healthy = 0, total = 0 } = members;
  if (total === 0) return { text: "none yet" };
  return { text: `${healthy} of ${total} healthy`, share: { good: healthy, total }, odd: healthy < total };
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

function balancerCell({ id, name, provisioningStatus, operatingStatus }: LoadBalancerStatus): PartCell {
  const note = name === undefined ? {} : { note: name };
  if (id === undefined) return { text: "not there", odd: true, ...note };
  const statuses = [provisioningStatus, operatingStatus].filter((word) => word !== undefined);
  const words = [...new Set(statuses)].join(", ");
  const isFine = provisioningStatus !== "ERROR" && operatingStatus !== "ERROR" && operatingStatus !== "OFFLINE";
  return { text: words === "" ? "not known" : words, odd: !isFine, ...note };
}

function dnsCell({ dns }: LoadBalancerStatus, health: Health): PartCell {
  const { addresses = [], badSince } = dns ?? {};
  if (addresses.length === 0) return { text: "left out", odd: true };
  const mayLeave = badSince !== undefined && health === "degraded";
  return { text: "in the records", ...(mayLeave ? { note: "may leave soon" } : {}) };
}
