// Which addresses are asked whether anybody answers there: those that people are sent to, of balancers of ours that should serve. And
// what is written down of each, for a process that has not asked yet.

import type { LoadBalancerId } from "../../../../core/openstack/ids.ts";
import { present } from "../../../../core/present.ts";
import type { ProbeResult } from "../../apis/load-balancer/api-server-load-balancer.ts";
import type { EndpointObserved } from "../model/observed.ts";
import { hasOwnerTag } from "../model/ownership.ts";
import { failuresThatCount } from "../situation/balancer-health.ts";
import { isOpen } from "../situation/health.ts";
import { publicAddress } from "../situation/public-address.ts";

export interface ProbedBalancer {
  readonly balancerId: LoadBalancerId;
  readonly address: string;
  readonly port: number;
  /** By status, of this very address; absent where it says nothing. */
  readonly recordedFailures?: number;
}

/** As far as anybody counts them: the second one decides. */
const failuresOf: Readonly<Record<ProbeResult, number>> = { Answered: 0, FailedOnce: 1, Failed: failuresThatCount };

export function probeTargets(observed: EndpointObserved): readonly ProbedBalancer[] {
  const { standing, intent, balancers } = observed;
  if (standing.is !== "ours" || intent.deleting || !balancers.known) return [];
  return balancers.value.flatMap((seen) => {
    const { id: balancerId, tags, provisioningStatus, adminStateUp } = seen.balancer;
    const isThere = adminStateUp && !/^PENDING_(CREATE|DELETE)$/.test(provisioningStatus);
    const { address } = publicAddress(observed, seen);
    if (!hasOwnerTag(tags, standing.ownerId) || !isThere || !isOpen(seen, intent.apiPort) || address === undefined)
      return [];
    const recordedFailures = recordedAt(address, balancerId, observed);
    return [{ balancerId, address, port: intent.apiPort.number, ...present({ recordedFailures }) }];
  });
}

function recordedAt(address: string, id: LoadBalancerId, { recorded }: EndpointObserved): number | undefined {
  const entry = [...recorded.zones, recorded.single].find((one) => one?.id === id);
  const isThere = entry?.address === address || entry?.internalAddress === address;
  return isThere && entry?.probe !== undefined ? failuresOf[entry.probe] : undefined;
}
