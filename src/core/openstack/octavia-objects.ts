// Octavia's objects as Mainstay uses them: balancers and everything below them, and the inputs to create or update them. Pure data; the
// calls are in ports/octavia.ts.

import type {
  FlavorId,
  HealthMonitorId,
  ListenerId,
  LoadBalancerId,
  MemberId,
  NetworkId,
  PoolId,
  PortId,
  ProjectId,
  SubnetId,
} from "./ids.ts";

export type ProvisioningStatus =
  | "ACTIVE"
  | "PENDING_CREATE"
  | "PENDING_UPDATE"
  | "PENDING_DELETE"
  | "ERROR"
  | "DELETED";
export type OperatingStatus = "ONLINE" | "OFFLINE" | "DEGRADED" | "ERROR" | "NO_MONITOR" | "DRAINING";

interface Provisioned<Id extends string> {
  readonly id: Id;
  readonly name: string;
  readonly provisioningStatus: ProvisioningStatus;
  readonly operatingStatus: OperatingStatus;
}

export interface LoadBalancer extends Provisioned<LoadBalancerId> {
  readonly description: string;
  readonly adminStateUp: boolean;
  readonly projectId: ProjectId;
  readonly provider: string;
  readonly flavorId?: FlavorId;
  readonly availabilityZone?: string;
  readonly vipAddress: string;
  readonly vipPortId: PortId;
  readonly vipSubnetId: SubnetId;
  readonly vipNetworkId: NetworkId;
  readonly tags: readonly string[];
  readonly createdAt: string;
  readonly updatedAt?: string;
}

export interface Listener extends Provisioned<ListenerId> {
  readonly loadBalancerId: LoadBalancerId;
  readonly protocol: string;
  readonly port: number;
  readonly defaultPoolId?: PoolId;
  /** Empty: everybody. Octavia masks host bits. */
  readonly allowedCidrs: readonly string[];
  readonly clientTimeoutMs?: number;
  readonly memberTimeoutMs?: number;
  /** -1: as many connections as come. */
  readonly connectionLimit: number;
  readonly adminStateUp: boolean;
  readonly tags: readonly string[];
}

export interface Pool extends Provisioned<PoolId> {
  readonly loadBalancerId: LoadBalancerId;
  readonly listenerIds: readonly ListenerId[];
  readonly protocol: string;
  readonly algorithm: string;
  readonly healthMonitorId?: HealthMonitorId;
  readonly adminStateUp: boolean;
  readonly tags: readonly string[];
}

export interface HealthMonitor extends Provisioned<HealthMonitorId>, MonitorTimings {
  readonly poolId: PoolId;
  readonly type: string;
  readonly adminStateUp: boolean;
  readonly tags: readonly string[];
}

export interface MonitorTimings {
  readonly delaySeconds: number;
  readonly timeoutSeconds: number;
  readonly maxRetries: number;
  readonly maxRetriesDown: number;
}

export interface Member extends Provisioned<MemberId> {
  readonly address: string;
  readonly port: number;
  readonly subnetId?: SubnetId;
  readonly weight: number;
  readonly backup: boolean;
  readonly adminStateUp: boolean;
  readonly tags: readonly string[];
}

/** One call for everything below a balancer and how it does; without access lists, timings and tags. */
export interface StatusTree extends Provisioned<LoadBalancerId> {
  readonly listeners: readonly ListenerNode[];
  /** All pools of the balancer, those behind a listener included, each once. */
  readonly pools: readonly PoolNode[];
}

export interface ListenerNode extends Provisioned<ListenerId> {
  readonly poolIds: readonly PoolId[];
}

export interface PoolNode extends Provisioned<PoolId> {
  readonly healthMonitor?: {
    readonly id: HealthMonitorId;
    readonly name: string;
    readonly type: string;
    readonly provisioningStatus: ProvisioningStatus;
  };
  readonly members: readonly MemberNode[];
}

export interface MemberNode extends Provisioned<MemberId> {
  readonly address: string;
  readonly port: number;
}

/** All given parts must fit; `tags`: all of them. */
export interface TaggedQuery {
  readonly name?: string;
  /** All of them. */
  readonly tags?: readonly string[];
  /** At least one of them. */
  readonly tagsAny?: readonly string[];
}

export interface ChildQuery extends TaggedQuery {
  readonly loadBalancerId?: LoadBalancerId;
}

export interface CreateLoadBalancer {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** One of the two; the subnet when it is known. */
  readonly vipSubnetId?: SubnetId;
  readonly vipNetworkId?: NetworkId;
  readonly vipAddress?: string;
  readonly provider?: string;
  readonly flavorId?: FlavorId;
  readonly availabilityZone?: string;
}

export interface CreateListener {
  readonly loadBalancerId: LoadBalancerId;
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  readonly tags: readonly string[];
  /** Absent: not sent, which some providers insist on. */
  readonly allowedCidrs?: readonly string[];
  readonly clientTimeoutMs?: number;
  readonly memberTimeoutMs?: number;
}

export interface CreatePool {
  readonly listenerId: ListenerId;
  readonly name: string;
  readonly protocol: string;
  readonly algorithm: "ROUND_ROBIN" | "SOURCE_IP_PORT" | "LEAST_CONNECTIONS" | "SOURCE_IP";
  readonly tags: readonly string[];
}

export interface CreateHealthMonitor extends MonitorTimings {
  readonly poolId: PoolId;
  readonly name: string;
  readonly type: string;
  readonly tags: readonly string[];
}

/** What is absent gets Octavia's default: weight 1, switched on, no backup. A merge sets it back to that, too. */
export interface CreateMember extends Partial<Pick<Member, "weight" | "backup" | "adminStateUp">> {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly subnetId?: SubnetId;
  readonly tags: readonly string[];
}

export type UpdateLoadBalancer = Partial<Pick<LoadBalancer, "name" | "description" | "tags" | "adminStateUp">>;
export type UpdateListener = Partial<
  Pick<
    Listener,
    "name" | "tags" | "allowedCidrs" | "clientTimeoutMs" | "memberTimeoutMs" | "connectionLimit" | "adminStateUp"
  >
>;
export type UpdatePool = Partial<Pick<Pool, "name" | "tags" | "algorithm" | "adminStateUp">>;
export type UpdateHealthMonitor = Partial<MonitorTimings & Pick<HealthMonitor, "name" | "tags" | "adminStateUp">>;
export type UpdateMember = Partial<Pick<Member, "name" | "tags" | "weight" | "adminStateUp">>;

export interface Flavor {
  readonly id: FlavorId;
  readonly name: string;
  readonly enabled: boolean;
}

export interface LoadBalancerZone {
  readonly name: string;
  readonly enabled: boolean;
}
