// What the model of a cloud stores: balancers with everything below them, and floating IPs. Tests may change any of it by hand.

import type { FloatingIp } from "../../../src/core/openstack/neutron-objects.ts";
import type {
  HealthMonitor,
  Listener,
  LoadBalancer,
  MemberNode,
  ProvisioningStatus,
} from "../../../src/core/openstack/octavia-objects.ts";

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** Weight 0: it gets no new connections, and the tree says DRAINING. */
export type MemberRow = Mutable<MemberNode> & {
  weight: number;
  backup: boolean;
  adminStateUp: boolean;
  tags: readonly string[];
  /** The one it was said to be in when it was made. */
  subnetId?: string;
};
export type FloatingIpRow = Mutable<FloatingIp>;

export interface PoolRow {
  id: string;
  name: string;
  status: ProvisioningStatus;
  algorithm: string;
  protocol: string;
  adminStateUp: boolean;
  tags: readonly string[];
  members: MemberRow[];
}

export interface BalancerRow {
  lb: Mutable<LoadBalancer>;
  listeners: Mutable<Listener>[];
  pools: PoolRow[];
  monitors: Mutable<HealthMonitor>[];
  /** Not ours: whoever touches it has broken a law. */
  foreign?: boolean;
  /** Its status tree cannot be read. */
  hidden?: boolean;
}

/** Ids in the order of making: `lb-0001`. */
export class IdSequence {
  #count = 0;

  next(prefix: string): string {
    this.#count += 1;
    return `${prefix}-${String(this.#count).padStart(4, "0")}`;
  }
}

const atRest = { provisioningStatus: "ACTIVE", operatingStatus: "ONLINE" } as const;

export function listenerRow(
  ids: IdSequence,
  loadBalancerId: string,
  over: Partial<Listener> & Pick<Listener, "name" | "port" | "tags">,
): Mutable<Listener> {
  return {
    id: ids.next("li"),
    protocol: "TCP",
    adminStateUp: true,
    ...atRest,
    allowedCidrs: [],
    clientTimeoutMs: 50_000,
    memberTimeoutMs: 50_000,
    connectionLimit: -1,
    ...over,
    loadBalancerId,
  };
}

export function poolRow(ids: IdSequence, over: Partial<PoolRow> & Pick<PoolRow, "name">): PoolRow {
  return {
    id: ids.next("pool"),
    status: "ACTIVE",
    algorithm: "ROUND_ROBIN",
    protocol: "TCP",
    adminStateUp: true,
    tags: [],
    members: [],
    ...over,
  };
}

const usualTimings = { delaySeconds: 10, timeoutSeconds: 5, maxRetries: 5, maxRetriesDown: 3 };

export function monitorRow(
  ids: IdSequence,
  over: Partial<HealthMonitor> & Pick<HealthMonitor, "name" | "poolId">,
): Mutable<HealthMonitor> {
  return { id: ids.next("hm"), type: "TCP", adminStateUp: true, tags: [], ...atRest, ...usualTimings, ...over };
}

export function memberRow(
  ids: IdSequence,
  over: Partial<MemberRow> & Pick<MemberRow, "name" | "address" | "port">,
): MemberRow {
  return { id: ids.next("m"), weight: 1, backup: false, adminStateUp: true, tags: [], ...atRest, ...over };
}
