// What the fake cloud stores, service by service. Close to what the ports show, with what the ports leave out.

import type { FloatingIp, Network, Port, Router, Subnet } from "../../../core/openstack/neutron-objects.ts";
import type { HealthMonitor, Listener, LoadBalancer, Member, Pool } from "../../../core/openstack/octavia-objects.ts";

interface Stamped {
  readonly projectId: string;
  readonly createdAt: string;
  readonly updatedAt?: string;
}

export type BalancerRecord = LoadBalancer;
export interface ListenerRecord extends Listener, Stamped {
  readonly connectionLimit: number;
}
/** Its listeners and its monitor are found through them. */
export type PoolRecord = Omit<Pool, "listenerIds" | "healthMonitorId"> & Stamped;
export interface MonitorRecord extends HealthMonitor, Stamped {
  readonly loadBalancerId: string;
}
export interface MemberRecord extends Member, Stamped {
  readonly poolId: string;
  readonly loadBalancerId: string;
  readonly monitorPort?: number;
}

export interface NetworkRecord extends Omit<Network, "subnetIds"> {
  readonly description: string;
  readonly shared: boolean;
}
export interface SubnetRecord extends Subnet {
  readonly description: string;
  readonly ipv6AddressMode?: string;
  readonly ipv6RaMode?: string;
}
export interface PortRecord extends Port {
  readonly hasPortSecurity: boolean;
  readonly revisionNumber: number;
}
export interface RouterRecord extends Router {
  readonly projectId: string;
  readonly externalNetworkId?: string;
  readonly subnetIds: readonly string[];
}
export interface FloatingIpRecord extends FloatingIp {
  readonly revisionNumber: number;
}

export interface FlavorRecord {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly provider: string;
}

export interface ServerRecord {
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
  readonly availabilityZone?: string;
}

export interface CloudTables {
  readonly loadbalancers: BalancerRecord;
  readonly listeners: ListenerRecord;
  readonly pools: PoolRecord;
  readonly healthmonitors: MonitorRecord;
  readonly members: MemberRecord;
  readonly networks: NetworkRecord;
  readonly subnets: SubnetRecord;
  readonly ports: PortRecord;
  readonly routers: RouterRecord;
  readonly floatingips: FloatingIpRecord;
  readonly servers: ServerRecord;
}

export type RecordKind = keyof CloudTables;
