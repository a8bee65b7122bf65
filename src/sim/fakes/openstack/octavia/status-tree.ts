// The status tree: everything below a balancer that traffic can reach. A pool that no listener uses is not in it.

import type { PoolNode, StatusTree } from "../../../../core/openstack/octavia-objects.ts";
import type { Cloud } from "../cloud.ts";
import type { PoolRecord } from "../cloud-records.ts";
import type { Caller } from "../keystone/directory.ts";
import { ownBalancer } from "./visible.ts";

interface Node {
  readonly id: string;
  readonly name: string;
  readonly provisioningStatus: StatusTree["provisioningStatus"];
  readonly operatingStatus: StatusTree["operatingStatus"];
}

export function statusTree(cloud: Cloud, caller: Caller, balancerId: string): StatusTree {
  const balancer = ownBalancer(cloud, caller, balancerId);
  const listeners = cloud.tables.listeners.find(`balancer:${balancerId}`);
  const used = new Set(listeners.flatMap(({ defaultPoolId }) => defaultPoolId ?? []));
  return {
    ...node(balancer),
    listeners: listeners.map((listener) => ({
      ...node(listener),
      poolIds: listener.defaultPoolId === undefined ? [] : [listener.defaultPoolId],
    })),
    pools: [...used].flatMap((id) => cloud.tables.pools.get(id) ?? []).map((pool) => poolNode(cloud, pool)),
  };
}

function poolNode(cloud: Cloud, pool: PoolRecord): PoolNode {
  const monitor = cloud.tables.healthmonitors.find(`pool:${pool.id}`)[0];
  const members = cloud.tables.members.find(`pool:${pool.id}`).map((member) => ({
    ...node(member),
    address: member.address,
    port: member.port,
  }));
  if (monitor === undefined) return { ...node(pool), members };
  const { id, name, type, provisioningStatus } = monitor;
  return { ...node(pool), healthMonitor: { id, name, type, provisioningStatus }, members };
}

function node({ id, name, provisioningStatus, operatingStatus }: Node): Node {
  return { id, name, provisioningStatus, operatingStatus };
}
