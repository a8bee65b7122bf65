// Which addresses are asked whether anybody answers there: those that people are sent to, of balancers of ours that should serve.

import type { LoadBalancerId } from "../../../../core/openstack/ids.ts";
import type { EndpointObserved } from "../model/observed.ts";
import { hasOwnerTag } from "../model/ownership.ts";
import { isOpen } from "../situation/health.ts";
import { publicAddress } from "../situation/public-address.ts";

export interface ProbedBalancer {
  readonly balancerId: LoadBalancerId;
  readonly address: string;
  readonly port: number;
}

export function probeTargets(observed: EndpointObserved): readonly ProbedBalancer[] {
  const { standing, intent, balancers } = observed;
  if (standing.is !== "ours" || intent.deleting || !balancers.known) return [];
  return balancers.value.flatMap((seen) => {
    const { id: balancerId, tags, provisioningStatus, adminStateUp } = seen.balancer;
    const isThere = adminStateUp && !/^PENDING_(CREATE|DELETE)$/.test(provisioningStatus);
    const { address } = publicAddress(observed, seen);
    if (!hasOwnerTag(tags, standing.ownerId) || !isThere || !isOpen(seen, intent.apiPort) || address === undefined)
      return [];
    return [{ balancerId, address, port: intent.apiPort.number }];
  });
}
