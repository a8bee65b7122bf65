// What a balancer that is not whole lacks, in words, where the round itself has nothing to say about it: the change that makes it whole
// is under way.

import type { Word } from "../../../../core/reasons.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { portOf } from "../situation/health.ts";
import { publicAddress } from "../situation/public-address.ts";
import type { Situation } from "../situation/situation.ts";

export interface Lacking {
  readonly reason: Word;
  readonly message: string;
}

export function whatItLacks({ seen }: WantedBalancer, { observed, ports }: Situation): Lacking {
  if (seen === undefined) return { reason: "LoadBalancerMissing", message: "its load balancer does not exist yet" };
  const { name, provisioningStatus } = seen.balancer;
  if (provisioningStatus === "ERROR") return { reason: "LoadBalancerInError", message: `${name} is in ERROR` };
  if (provisioningStatus.startsWith("PENDING") && provisioningStatus !== "PENDING_UPDATE")
    return { reason: "LoadBalancerPending", message: `${name}: ${provisioningStatus}` };
  const bare = ports.find((port) => portOf(seen, port).pool === undefined);
  if (bare !== undefined) return { reason: "ListenerMissing", message: `${name}: port ${bare} is not complete yet` };
  if (publicAddress(observed, seen).is === "missing")
    return { reason: "FloatingIpMissing", message: `${name} has no floating IP yet` };
  return { reason: "EndpointNotReady", message: `${name} is not complete yet` };
}
