// Octavia's status tree: one answer for everything below a balancer. A pool behind a listener stands there below it; here all pools
// are in one list, each once, and listeners name theirs.

import { z } from "zod";
import type { ListenerNode, MemberNode, PoolNode, StatusTree } from "../../../core/openstack/octavia-objects.ts";
import { provisioned, provisionedOf, provisioningStatus } from "./decode-octavia.ts";
import { text } from "./wire.ts";

const memberNode = z
  .object({ ...provisioned, address: z.string(), protocol_port: z.number() })
  .transform((wire): MemberNode => ({ ...provisionedOf(wire), address: wire.address, port: wire.protocol_port }));

const monitorNode = z
  .object({ id: z.string().optional(), name: text, type: text, provisioning_status: provisioningStatus.optional() })
  .transform(({ id, name, type, provisioning_status: status }) =>
    // A pool without one has an empty object there in some versions.
    id === undefined || status === undefined ? undefined : { id, name, type, provisioningStatus: status },
  );

const poolNode = z
  .object({
    ...provisioned,
    members: z.array(memberNode).default([]),
    healthmonitor: monitorNode.nullish(),
    health_monitor: monitorNode.nullish(),
  })
  .transform((wire): PoolNode => {
    const healthMonitor = wire.healthmonitor ?? wire.health_monitor;
    return {
      ...provisionedOf(wire),
      members: wire.members,
      ...(healthMonitor === undefined || healthMonitor === null ? {} : { healthMonitor }),
    };
  });

const listenerNode = z.object({ ...provisioned, pools: z.array(poolNode).default([]) });

export const statusTree: z.ZodType<StatusTree> = z
  .object({
    statuses: z.object({
      loadbalancer: z.object({
        ...provisioned,
        listeners: z.array(listenerNode).default([]),
        pools: z.array(poolNode).default([]),
      }),
    }),
  })
  .transform(({ statuses: { loadbalancer } }) => {
    const pools = [...loadbalancer.listeners.flatMap((listener) => listener.pools), ...loadbalancer.pools];
    const listeners = loadbalancer.listeners.map(
      (listener): ListenerNode => ({ ...provisionedOf(listener), poolIds: listener.pools.map(({ id }) => id) }),
    );
    return {
      ...provisionedOf(loadbalancer),
      listeners,
      pools: [...new Map(pools.map((pool) => [pool.id, pool])).values()],
    };
  });
