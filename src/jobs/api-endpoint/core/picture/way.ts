// One way in to the API, from the status of an OpenStackCluster or an APIEndpoint: an address, the balancer that has it, and whether
// clients are sent there.

import type { Health } from "../../../../core/views/object-view.ts";
import type { EdgeState } from "../../../../core/views/picture.ts";
import type { LoadBalancerStatus } from "../../apis/load-balancer/api-server-load-balancer.ts";
import { zoneHealth } from "../status/zone-health.ts";

export interface Way {
  /** Unique among the ways. */
  readonly key: string;
  /** Undefined for a balancer of no zone. */
  readonly zone: string | undefined;
  readonly entry: LoadBalancerStatus;
  readonly health: Health;
  /** Whether the DNS records name its address; undefined where Mainstay publishes none. */
  readonly published: boolean | undefined;
  /** Nothing is made for it before somebody corrects its network or subnet. */
  readonly isRefused: boolean;
  /** It counts for no zone: it is kept as a fall-back, or is about to go. */
  readonly beside?: "fall-back" | "leaving";
}

export function wayOf(
  { entry, zone }: { readonly entry: LoadBalancerStatus; readonly zone: string | undefined },
  targets: readonly string[] | undefined,
  isRefused: boolean,
): Way {
  const address = addressOf(entry);
  const recorded = entry.dns === undefined ? undefined : (entry.dns.addresses ?? []).length > 0;
  const published = targets === undefined ? recorded : address !== undefined && targets.includes(address);
  const health = isRefused ? "refused" : zoneHealth(entry);
  return { key: zone ?? entry.id ?? entry.name ?? "", zone, entry, health, published, isRefused };
}

/** What clients use: the floating address where there is one. */
export function addressOf({ ip, internalIP }: LoadBalancerStatus): string | undefined {
  return ip || internalIP || undefined;
}

export function wayName({ zone, entry }: Way): string {
  return zone ?? entry.name ?? "the load balancer";
}

/** From its address through the balancer itself, whoever stands behind it. */
export function throughBalancer({ entry }: Way): EdgeState {
  const { id, health, provisioningStatus = "", probe, ipDetached, members } = entry;
  if (probe === "Answered") return "open";
  if (!id || ipDetached === true || probe === "Failed") return "broken";
  if (/^PENDING_(CREATE|DELETE)$/.test(provisioningStatus)) return "broken";
  if (health === "Unknown" || health === undefined) return "unknown";
  const { total = 0, healthy = 0 } = members ?? {};
  // Machines answer and it does not serve, or nobody could look behind it: it is the balancer itself.
  return health === "Unhealthy" && (healthy > 0 || total === 0) ? "broken" : "open";
}

/** In ERROR, and for all that anybody knows it forwards traffic all the same. */
export function mayServeInError(way: Way): boolean {
  return way.entry.provisioningStatus === "ERROR" && throughBalancer(way) === "unknown";
}

export type Answer = "yes" | "no" | "unknown";

/** Whether clients that take this way get an answer. Some machines are enough, and so is a probe that was answered. */
export function serves(way: Way): Answer {
  const { health, probe } = way.entry;
  const through = throughBalancer(way);
  if (through === "broken") return "no";
  if (probe === "Answered" || health === "Healthy" || health === "Degraded") return "yes";
  return through === "unknown" ? "unknown" : "no";
}

/** Of the way itself: that a machine behind it is lost is the machine's, as long as another one answers. */
export function ownHealth(way: Way): Health {
  return serves(way) === "yes" ? "healthy" : way.health;
}
