// What serves: which members of a balancer answer, and whether the balancer lets anybody through to them.

import type {
  HealthMonitor,
  Listener,
  LoadBalancer,
  MemberNode,
  PoolNode,
} from "../../../../core/openstack/octavia-objects.ts";
import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
import { isOn, type Port } from "../model/port.ts";
import { supports } from "../model/provider-features.ts";

/** What stands behind one port of a balancer. */
export interface PortObserved {
  readonly listener: Listener | undefined;
  readonly pool: PoolNode | undefined;
  readonly monitor: HealthMonitor | undefined;
}

export function portOf(seen: BalancerObserved, port: Port): PortObserved {
  return behindListener(
    seen,
    seen.listeners.find((listener) => isOn(listener, port)),
  );
}

/** Also where it stands on no port that is asked for. */
export function behindListener(seen: BalancerObserved, listener: Listener | undefined): PortObserved {
  const { monitors, tree } = seen;
  if (listener === undefined || !tree.known) return { listener, pool: undefined, monitor: undefined };
  const inTree = tree.value.listeners.find(({ id }) => id === listener.id)?.poolIds[0];
  const poolId = listener.defaultPoolId ?? inTree;
  const pool = poolsOf(seen).find(({ id }) => id === poolId);
  return { listener, pool, monitor: monitors.find(({ id }) => id === pool?.healthMonitor?.id) };
}

/** All that are seen. Where a monitor is in ERROR nobody watches: what is said of the members there is old. */
export function poolsOf({ tree }: BalancerObserved): readonly PoolNode[] {
  if (!tree.known) return [];
  return tree.value.pools.map((pool) =>
    pool.healthMonitor?.provisioningStatus === "ERROR" ? { ...pool, members: pool.members.map(unwatched) } : pool,
  );
}

/** One that somebody drained is so whoever watches. */
function unwatched(member: MemberNode): MemberNode {
  return member.operatingStatus === "DRAINING" ? member : { ...member, operatingStatus: "NO_MONITOR" };
}

/** `unknown`: it may answer, or not. It is nobody's proven replacement, and nothing is taken from it either. */
export type Health = "good" | "bad" | "unknown";

/** Where the provider has no monitors, a member that is there counts; where one is merely missing, nobody can tell. */
export function memberHealth(
  { operatingStatus, provisioningStatus }: MemberNode,
  provider: string | undefined,
  { capabilities }: Pick<EndpointObserved, "capabilities">,
): Health {
  if (provisioningStatus === "PENDING_DELETE") return "bad";
  if (operatingStatus !== "NO_MONITOR") return operatingStatus === "ONLINE" ? "good" : "bad";
  return capabilities.known && !supports(capabilities.value, provider, "health-monitor") ? "good" : "unknown";
}

/** Of those who stand behind one port, the best. */
export function healthBehind(seen: BalancerObserved, port: Port, observed: EndpointObserved): Health {
  return healthIn(seen, portOf(seen, port).pool, observed);
}

/** Of a pool's members, the best. */
export function healthIn(
  { balancer }: BalancerObserved,
  pool: PoolNode | undefined,
  observed: EndpointObserved,
): Health {
  return bestHealth((pool?.members ?? []).map((member) => memberHealth(member, balancer.provider, observed)));
}

export function bestHealth(all: readonly Health[]): Health {
  return all.find((health) => health === "good") ?? all.find((health) => health === "unknown") ?? "bad";
}

export function membersBehind(seen: BalancerObserved, port: Port): readonly MemberNode[] {
  return portOf(seen, port).pool?.members ?? [];
}

/** Ready to serve: it is neither being made nor broken, and nobody switched it off. */
export function isServing({ balancer, tree }: BalancerObserved): boolean {
  return balancer.provisioningStatus === "ACTIVE" && balancer.adminStateUp && tree.known;
}

/** By what Octavia's list shows of it: a change passes through PENDING_UPDATE, and the balancer serves meanwhile. */
export function shouldServe({ provisioningStatus, adminStateUp }: LoadBalancer): boolean {
  return ["ACTIVE", "PENDING_UPDATE"].includes(provisioningStatus) && adminStateUp;
}

/** Somebody answers behind it, as far as anybody can tell. */
export function servesAnybody(seen: BalancerObserved, apiPort: Port, observed: EndpointObserved): boolean {
  return !seen.tree.known || healthBehind(seen, apiPort, observed) !== "bad";
}

/** Its listener is there, and nobody switched it off. */
export function isOpen(seen: BalancerObserved, port: Port): boolean {
  return portOf(seen, port).listener?.adminStateUp ?? false;
}
