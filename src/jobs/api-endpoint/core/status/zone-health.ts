// The health of a zone by its balancer, as people are shown it: the word that status has for the balancer's health, where it has one.

import type { Health } from "../../../../core/views/object-view.ts";
import type { LoadBalancerStatus } from "../../apis/load-balancer/api-server-load-balancer.ts";

export function zoneHealth(entry: LoadBalancerStatus): Health {
  const { id, health, provisioningStatus = "" } = entry;
  if (provisioningStatus === "ERROR") return health === "Unhealthy" ? "unhealthy" : "degraded";
  if (health !== "Unknown" && isMadeAgain(entry)) return "unhealthy";
  if (!id) return health === "Unknown" ? "unknown" : "progressing";
  if (health === "Unknown" || health === undefined) return "unknown";
  if (health === "Healthy") return "healthy";
  if (/^PENDING_(CREATE|DELETE)$/.test(provisioningStatus) || health === "Empty") return "progressing";
  if (isUnchecked(entry)) return "progressing";
  return health === "Unhealthy" ? "unhealthy" : "degraded";
}

/** It was there, is lost, and does not serve before it is back. */
export function isMadeAgain({ repair, health, provisioningStatus }: LoadBalancerStatus): boolean {
  if (repair === undefined || provisioningStatus === "ERROR") return false;
  return health !== "Healthy" && health !== "Degraded";
}

/** ONLINE by its own word: its members were not checked yet, which is no loss; unless they answer, or nobody does at its address. */
function isUnchecked({ health, operatingStatus, probe, members }: LoadBalancerStatus): boolean {
  if (operatingStatus !== "ONLINE" || probe === "Failed") return false;
  return health !== "Unhealthy" || (members?.healthy ?? 0) === 0;
}
