// Which addresses are asked whether anybody answers there: those that people are sent to, of balancers of ours that should serve; while the
// cloud does not show them, those that status says. And what is written down of each, for a process that has not asked yet.

import { familyOf } from "../../../../core/net/ip.ts";
import type { LoadBalancerId } from "../../../../core/openstack/ids.ts";
import { present } from "../../../../core/present.ts";
import type { ProbeResult } from "../../apis/load-balancer/api-server-load-balancer.ts";
import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
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
  if (standing.is !== "ours" || intent.deleting) return [];
  const served = balancers.known ? servedBy(balancers.value, standing.ownerId, observed) : servedByStatus(observed);
  return served.map(({ balancerId, address }) => {
    const recordedFailures = recordedAt(address, balancerId, observed);
    return { balancerId, address, port: intent.apiPort.number, ...present({ recordedFailures }) };
  });
}

type Served = Pick<ProbedBalancer, "balancerId" | "address">;

function servedBy(all: readonly BalancerObserved[], ownerId: string, observed: EndpointObserved): readonly Served[] {
  return all.flatMap((seen) => {
    const { id: balancerId, tags, provisioningStatus, adminStateUp } = seen.balancer;
    const isThere = adminStateUp && !/^PENDING_(CREATE|DELETE)$/.test(provisioningStatus);
    const { address } = publicAddress(observed, seen);
    if (!hasOwnerTag(tags, ownerId) || !isThere || address === undefined) return [];
    // Before anybody could look below it, not even its listeners are known.
    const wasAsked = !seen.tree.known && recordedAt(address, balancerId, observed) !== undefined;
    return wasAsked || isOpen(seen, observed.intent.apiPort) ? [{ balancerId, address }] : [];
  });
}

/** The singleton repeats the first zone. */
function servedByStatus({ recorded: { zones, single }, intent }: EndpointObserved): readonly Served[] {
  const entries = zones.length > 0 || single === undefined ? zones : [single];
  return entries.flatMap(({ id: balancerId, address: floating, isAddressDetached, internalAddress = "" }) => {
    const isFloatingIpDue = intent.floatingIp.enabled && familyOf(internalAddress) !== 6;
    const address = floating ?? (isFloatingIpDue ? "" : internalAddress);
    const isReached = balancerId !== undefined && isAddressDetached !== true && address !== "";
    return isReached ? [{ balancerId, address }] : [];
  });
}

function recordedAt(address: string, id: LoadBalancerId, { recorded }: EndpointObserved): number | undefined {
  const entry = [...recorded.zones, recorded.single].find((one) => one?.id === id);
  const isThere = entry?.address === address || entry?.internalAddress === address;
  return isThere && entry?.probe !== undefined ? failuresOf[entry.probe] : undefined;
}
