// The zones of a cluster's API endpoint, from the status of an OpenStackCluster or an APIEndpoint: who answers where, and which of them
// clients are sent to. Balancers of no zone stand beside them: the fall-back from before the zones, and what still serves before it goes.

import type { Refusal } from "../../../../core/plan.ts";
import type { Health, PartCell, PartRow } from "../../../../core/views/object-view.ts";
import type { Parts } from "../../../../core/views/parts.ts";
import type {
  ApiServerLoadBalancer,
  LeavingLoadBalancer,
  LoadBalancerStatus,
  ProbeResult,
} from "../../apis/load-balancer/api-server-load-balancer.ts";
import { lingerMs } from "../dns/named-addresses.ts";
import { fallbackLane, singleLane, zoneOfLane } from "../model/lanes.ts";
import { areMembersSeen } from "./members-seen.ts";
import { hasRefusedPlace } from "./refused-place.ts";
import { type EndpointBalancer, type EndpointLike, shownBalancers } from "./shown-balancers.ts";
import { isMadeAgain, zoneHealth } from "./zone-health.ts";

/**
 * Undefined while there is nothing to show. One balancer without zones is a part, too. `refusals` are those of the latest plan: what it
 * refuses to remove goes at no time, whatever an older status says.
 */
export function zoneParts(object: MappedEndpoint, refusals: readonly Refusal[] = []): Parts | undefined {
  const shown = shownBalancers(object);
  if (shown === undefined) return undefined;
  const { hasZones, parts, others } = shown;
  const leavingLoadBalancers = object.status?.leavingLoadBalancers ?? [];
  const published = parts.some(({ entry }) => entry.dns !== undefined);
  const leaving = leavingLoadBalancers.map((one) => ({ ...one, isRepaired: isToBeRepaired(one, object, parts) }));
  const row = (one: EndpointBalancer) =>
    rowOf(one, { published, leaving, refusals, isRefused: hasRefusedPlace(object, one.entry) });
  const going = leaving.filter(({ isRepaired }) => !isRepaired).map(({ name, id }) => name || id);
  return {
    ...(going.length === 0
      ? {}
      : { underWay: `${going.join(", ")}: out of the DNS records, serves a little longer and then goes` }),
    noun: hasZones ? ["zone", "zones"] : ["balancer", "balancers"],
    table: {
      title: hasZones ? "Zones" : "Load balancer",
      nameColumn: "Zone",
      columns: ["Machines", "Address", "Balancer", ...(published ? ["DNS"] : [])],
      rows: parts.map(row),
      ...(others.length === 0 ? {} : { others: others.map(row) }),
    },
  };
}

interface RowFacts {
  readonly published: boolean;
  readonly leaving: readonly OutOfRecords[];
  readonly refusals: readonly Refusal[];
  readonly isRefused: boolean;
}

interface OutOfRecords extends LeavingLoadBalancer {
  /** It stays: it has left the records so that it can be repaired. */
  readonly isRepaired: boolean;
}

/** One in ERROR whose zone is still mapped leaves the records too, but does not go. */
function isToBeRepaired(
  { id }: LeavingLoadBalancer,
  { spec }: MappedEndpoint,
  parts: readonly EndpointBalancer[],
): boolean {
  const mapped = spec?.apiServerLoadBalancer?.availabilityZoneSubnets ?? [];
  const part = parts.find(({ entry }) => entry.id === id);
  return (
    part?.entry.provisioningStatus === "ERROR" && mapped.some(({ availabilityZone }) => availabilityZone === part.zone)
  );
}

interface MappedEndpoint extends EndpointLike {
  readonly spec?: { readonly apiServerLoadBalancer?: ApiServerLoadBalancer };
}

function rowOf(
  { name, zone, entry }: EndpointBalancer,
  { published, leaving, refusals, isRefused }: RowFacts,
): PartRow {
  const health = isRefused ? "refused" : zoneHealth(entry);
  const dns = published ? [dnsCell(entry, health)] : [];
  const balancer = balancerCell(entry);
  const left = leaving.find(({ id }) => id === entry.id);
  const isHeld = refusals.some((one) => one.reason === "LastHealthyEndpoint" && isAbout(one, zone));
  const shown = left === undefined ? balancer : { ...balancer, text: `${balancer.text}, ${endingOf(left, isHeld)}` };
  const cells = [membersCell(entry), addressCell(entry), shown, ...dns];
  // What is not yet as it should be is nothing to be alarmed about.
  const isBad = health === "degraded" || health === "unhealthy";
  const calm = isBad ? cells : cells.map(({ odd: _, ...cell }) => cell);
  const serves = health !== "healthy" && entry.health === "Degraded";
  const { addresses = [], badSince } = entry.dns ?? {};
  const since = entry.repair?.since ?? badSince;
  return {
    name,
    health,
    ...(serves ? { serves } : {}),
    ...(published && addresses.length === 0 ? { withdrawn: "out of DNS" } : {}),
    ...(since === undefined || !isBad ? {} : { since }),
    cells: calm,
  };
}

/** What becomes of a balancer that nobody is sent to any more, and that still serves those who remember it. */
function endingOf({ since, isRepaired }: OutOfRecords, isHeld: boolean): string {
  if (isRepaired) return "out of DNS";
  if (isHeld) return "unwanted, stays";
  const sinceMs = Date.parse(since ?? "");
  return Number.isNaN(sinceMs) ? "leaving" : `leaving, goes at ${new Date(sinceMs + lingerMs).toISOString()}`;
}

/** Whether it is about the balancer of a zone; without a zone, about one of no zone. */
function isAbout({ lane }: Refusal, zone: string | undefined): boolean {
  if (lane === undefined) return false;
  return zone === undefined ? [singleLane.part, fallbackLane.part].includes(lane.part) : zoneOfLane(lane) === zone;
}

/** Of the API port; other ports are named where somebody does not answer there. */
function membersCell(entry: LoadBalancerStatus): PartCell {
  const { members, ports = [], health } = entry;
  if (members === undefined || !areMembersSeen(entry)) return { text: "not known" };
  const { healthy = 0, total = 0 } = members;
  if (total === 0 && isMadeAgain(entry)) return { text: "wait for the balancer" };
  if (total === 0) return { text: health === "Unhealthy" || health === "Unknown" ? "not known" : "none yet" };
  const poor = ports.slice(1).filter((one) => one.healthy < one.total);
  const note = poor.map((one) => `port ${one.port}: ${one.healthy} of ${one.total}`).join(", ");
  return {
    text: `${healthy} of ${total} ${healthy === 1 || total === 1 ? "answers" : "answer"}`,
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

function balancerCell(entry: LoadBalancerStatus): PartCell {
  const { id, name, provisioningStatus, operatingStatus, probe, members: { total = 0, healthy = 0 } = {} } = entry;
  const known = [name, id ? `id ${id}` : undefined].filter((text) => text !== undefined).join(", ");
  const note = known === "" ? {} : { note: known };
  if (!id) return { text: isMadeAgain(entry) ? "gone, is being made again" : "does not exist", odd: true, ...note };
  const probed = probe === undefined ? undefined : probeWords[probe];
  const statuses = [provisioningStatus, operatingStatus, probed].filter((word) => word !== undefined);
  const isOfMachines = operatingStatus === "ERROR" && provisioningStatus !== "ERROR" && total > 0 && healthy === 0;
  const words = `${[...new Set(statuses)].join(", ")}${isOfMachines ? " because no machine answers" : ""}`;
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
  const mayLeave = badSince !== undefined && (health === "degraded" || health === "unhealthy");
  return { text: "in the records", ...(mayLeave ? { note: "may leave soon" } : {}) };
}
