// One load balancer of the picture, in a few words: whether it serves, and if not, what it is in.

import type { PictureNode } from "../../../../core/views/picture.ts";
import type { LoadBalancerStatus } from "../../apis/load-balancer/api-server-load-balancer.ts";
import { machinesAnswer } from "../status/machine-words.ts";
import { isMadeAgain } from "../status/zone-health.ts";
import { mayServeInError, ownHealth, serves, type Way } from "./way.ts";

export function balancerNode(way: Way): PictureNode {
  const { key, zone, entry, beside } = way;
  const name = zone ?? (beside === undefined ? (entry.name ?? "load balancer") : beside);
  const word = way.isRefused
    ? "does not exist, refused"
    : mayServeInError(way)
      ? `in ERROR, may still serve${notInDns(way)}`
      : `${wordOf(entry)}${serves(way) === "yes" ? notInDns(way) : ""}`;
  const health = ownHealth(way);
  const ident = health === "healthy" || !entry.id ? {} : { ident: `id ${entry.id}` };
  return { id: `balancer ${key}`, name, health, word, ...noteOf(entry), ...ident };
}

/** Nobody is sent to it, although it could serve them. */
function notInDns({ published }: Way): string {
  return published === false ? ", but is not in DNS" : "";
}

function wordOf(entry: LoadBalancerStatus): string {
  const { id, health, provisioningStatus, probe, members: { total = 0, healthy = 0 } = {} } = entry;
  if (health !== "Unknown" && isMadeAgain(entry)) return "is being made again";
  if (!id) return health === "Unknown" ? "could not be seen" : "is being made";
  if (provisioningStatus === "ERROR") return "in ERROR";
  if (provisioningStatus === "PENDING_CREATE") return "is being built";
  if (provisioningStatus === "PENDING_DELETE") return "is being deleted";
  if (health === "Unknown" || health === undefined)
    return probe === "Answered" ? "answers, not seen" : "could not be seen";
  if (probe === "Failed") return "does not answer";
  if (health === "Empty") return "no machines yet";
  if (health === "Unhealthy" && (total === 0 || healthy > 0)) return "does not serve";
  return health === "Healthy" ? "serves" : machinesAnswer(healthy, total);
}

/** Octavia's own words where they say more than ours. */
function noteOf(entry: LoadBalancerStatus): Pick<PictureNode, "note"> {
  const { provisioningStatus = "", operatingStatus = "", repair, members: { total = 0, healthy = 0 } = {} } = entry;
  if (repair?.since !== undefined && isMadeAgain(entry))
    return { note: `${repair.because === "Error" ? "in ERROR" : "gone"} since ${repair.since.slice(11, 19)}Z` };
  if (operatingStatus === "ERROR" && provisioningStatus !== "ERROR" && total > 0 && healthy === 0)
    return { note: `${provisioningStatus}, ERROR because no machine answers` };
  const statuses = [...new Set([provisioningStatus, operatingStatus])].filter((word) => word !== "");
  const isPlain =
    statuses.every((word) => ["ACTIVE", "ONLINE", "DEGRADED"].includes(word)) || statuses.join() === "ERROR";
  return isPlain ? {} : { note: statuses.join(", ") };
}
