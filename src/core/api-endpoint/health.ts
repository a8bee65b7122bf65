// What serves: which members of a balancer answer, and which balancers are ways in right now. Everything that takes something away
// asks here first.

import { familyOf } from "../net/ip.ts";
import type { FloatingIp } from "../openstack/neutron-objects.ts";
import type { HealthMonitor, Listener, MemberNode, PoolNode } from "../openstack/octavia-objects.ts";
import type { BalancerObserved, EndpointObserved } from "./observed.ts";

/** What stands behind one port of a balancer. */
export interface PortObserved {
  readonly listener: Listener | undefined;
  readonly pool: PoolNode | undefined;
  readonly monitor: HealthMonitor | undefined;
}

export function portOf({ listeners, monitors, tree }: BalancerObserved, port: number): PortObserved {
  const listener = listeners.find((candidate) => candidate.port === port && !isDatagram(candidate));
  if (listener === undefined || !tree.known) return { listener, pool: undefined, monitor: undefined };
  const inTree = tree.value.listeners.find(({ id }) => id === listener.id)?.poolIds[0];
  const poolId = listener.defaultPoolId ?? inTree;
  const pool = tree.value.pools.find(({ id }) => id === poolId);
  return { listener, pool, monitor: monitors.find(({ id }) => id === pool?.healthMonitor?.id) };
}

/** A UDP or SCTP listener may share the number of a TCP one. */
function isDatagram({ protocol }: Listener): boolean {
  return protocol === "UDP" || protocol === "SCTP";
}

/** Where the provider has no monitors, a member that is there counts (decision 43). */
export function isHealthy({ operatingStatus, provisioningStatus }: MemberNode): boolean {
  return (operatingStatus === "ONLINE" || operatingStatus === "NO_MONITOR") && provisioningStatus !== "PENDING_DELETE";
}

export function membersBehind(seen: BalancerObserved, port: number): readonly MemberNode[] {
  return portOf(seen, port).pool?.members ?? [];
}

/** Ready to serve: it is neither being made nor broken, and nobody switched it off. */
export function isServing({ balancer, tree }: BalancerObserved): boolean {
  return balancer.provisioningStatus === "ACTIVE" && balancer.adminStateUp && tree.known;
}

/** Its listener is there, and nobody switched it off. */
export function isOpen(seen: BalancerObserved, port: number): boolean {
  return portOf(seen, port).listener?.adminStateUp ?? false;
}

export function floatingIpOn({ floatingIps }: EndpointObserved, portId: string): FloatingIp | undefined {
  return floatingIps.known ? floatingIps.value.find((candidate) => candidate.portId === portId) : undefined;
}

/** It has the address that people are given: a floating IP where one is wanted and possible. */
export function hasItsAddress(observed: EndpointObserved, { balancer }: BalancerObserved): boolean {
  if (!observed.intent.floatingIp.enabled || familyOf(balancer.vipAddress) === 6) return true;
  return floatingIpOn(observed, balancer.vipPortId) !== undefined;
}

/** One balancer that lets people in, and through whom. */
export interface WayIn {
  readonly balancerId: string;
  readonly healthy: readonly MemberNode[];
  /** Whether people have its address. `remembered`: nobody can look now, and it had one. */
  readonly address: "there" | "remembered" | "missing";
}

/** Members whose Machine is gone, or that others put there, are no way in: what answers there is nobody's. */
export function waysIn(
  observed: EndpointObserved,
  ours: readonly BalancerObserved[],
  isNobodys: (member: MemberNode) => boolean,
): readonly WayIn[] {
  return ours
    .filter((seen) => isServing(seen) && isOpen(seen, observed.intent.apiPort))
    .map((seen) => ({
      balancerId: seen.balancer.id,
      healthy: membersBehind(seen, observed.intent.apiPort).filter((member) => isHealthy(member) && !isNobodys(member)),
      address: addressOfWay(observed, seen),
    }))
    .filter(({ healthy }) => healthy.length > 0);
}

function addressOfWay(observed: EndpointObserved, seen: BalancerObserved): WayIn["address"] {
  if (hasItsAddress(observed, seen)) return "there";
  const { single, zones } = observed.recorded;
  const before = [single, ...zones].find((entry) => entry?.id === seen.balancer.id)?.address;
  return observed.floatingIps.known || before === undefined ? "missing" : "remembered";
}
