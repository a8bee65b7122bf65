// The part of Octavia's v2 API that an API load balancer needs. Lists hold only what belongs to the credentials' own project, and are
// complete. A change of a balancer or of anything below it makes the whole balancer PENDING; until it is ACTIVE, the next is a Conflict.

import type { HealthMonitorId, ListenerId, LoadBalancerId, MemberId, PoolId } from "../core/openstack/ids.ts";
import type {
  ChildQuery,
  CreateHealthMonitor,
  CreateListener,
  CreateLoadBalancer,
  CreateMember,
  CreatePool,
  Flavor,
  HealthMonitor,
  Listener,
  LoadBalancer,
  LoadBalancerZone,
  Member,
  Pool,
  StatusTree,
  TaggedQuery,
  UpdateHealthMonitor,
  UpdateListener,
  UpdateLoadBalancer,
  UpdateMember,
  UpdatePool,
} from "../core/openstack/octavia-objects.ts";
import type { CloudCallOptions, CloudWriteOptions } from "./openstack.ts";

export interface OctaviaReader {
  /** The newest minor version of v2, such as `[2, 26]`. */
  version(options?: CloudCallOptions): Promise<readonly [number, number]>;
  listProviders(options?: CloudCallOptions): Promise<readonly string[]>;
  listFlavors(options?: CloudCallOptions): Promise<readonly Flavor[]>;
  listAvailabilityZones(options?: CloudCallOptions): Promise<readonly LoadBalancerZone[]>;

  listLoadBalancers(query: TaggedQuery, options?: CloudCallOptions): Promise<readonly LoadBalancer[]>;
  getLoadBalancer(id: LoadBalancerId, options?: CloudCallOptions): Promise<LoadBalancer>;
  statusTree(loadBalancerId: LoadBalancerId, options?: CloudCallOptions): Promise<StatusTree>;
  listListeners(query: ChildQuery, options?: CloudCallOptions): Promise<readonly Listener[]>;
  listPools(query: ChildQuery, options?: CloudCallOptions): Promise<readonly Pool[]>;
  listHealthMonitors(query: TaggedQuery, options?: CloudCallOptions): Promise<readonly HealthMonitor[]>;
  listMembers(poolId: PoolId, options?: CloudCallOptions): Promise<readonly Member[]>;
}

export interface Octavia extends OctaviaReader {
  createLoadBalancer(wanted: CreateLoadBalancer, options?: CloudWriteOptions): Promise<LoadBalancer>;
  updateLoadBalancer(
    id: LoadBalancerId,
    change: UpdateLoadBalancer,
    options?: CloudWriteOptions,
  ): Promise<LoadBalancer>;
  /** With everything below it. A floating IP on its VIP stays, detached. Of one that is gone already: done. */
  deleteLoadBalancer(id: LoadBalancerId, options?: CloudWriteOptions): Promise<void>;
  /** Admin only in most clouds: others get Forbidden. */
  failoverLoadBalancer(id: LoadBalancerId, options?: CloudWriteOptions): Promise<void>;

  createListener(wanted: CreateListener, options?: CloudWriteOptions): Promise<Listener>;
  updateListener(id: ListenerId, change: UpdateListener, options?: CloudWriteOptions): Promise<Listener>;
  deleteListener(id: ListenerId, options?: CloudWriteOptions): Promise<void>;

  createPool(wanted: CreatePool, options?: CloudWriteOptions): Promise<Pool>;
  updatePool(id: PoolId, change: UpdatePool, options?: CloudWriteOptions): Promise<Pool>;
  deletePool(id: PoolId, options?: CloudWriteOptions): Promise<void>;

  createHealthMonitor(wanted: CreateHealthMonitor, options?: CloudWriteOptions): Promise<HealthMonitor>;
  updateHealthMonitor(
    id: HealthMonitorId,
    change: UpdateHealthMonitor,
    options?: CloudWriteOptions,
  ): Promise<HealthMonitor>;
  deleteHealthMonitor(id: HealthMonitorId, options?: CloudWriteOptions): Promise<void>;

  createMember(poolId: PoolId, wanted: CreateMember, options?: CloudWriteOptions): Promise<Member>;
  updateMember(poolId: PoolId, id: MemberId, change: UpdateMember, options?: CloudWriteOptions): Promise<Member>;
  deleteMember(poolId: PoolId, id: MemberId, options?: CloudWriteOptions): Promise<void>;
  /** Adds these and updates those of the same address and port; never removes (`additive_only`, v2.11). */
  mergeMembers(poolId: PoolId, members: readonly CreateMember[], options?: CloudWriteOptions): Promise<void>;
}
