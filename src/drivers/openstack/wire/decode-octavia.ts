// Octavia's JSON as Mainstay's objects. What it leaves out or sends as null is absent here; what we do not know is dropped.

import { z } from "zod";
import type {
  Flavor,
  HealthMonitor,
  Listener,
  LoadBalancer,
  LoadBalancerZone,
  Member,
  Pool,
} from "../../../core/openstack/octavia-objects.ts";
import { absent, text } from "./wire.ts";

export const provisioningStatus = z.enum([
  "ACTIVE",
  "PENDING_CREATE",
  "PENDING_UPDATE",
  "PENDING_DELETE",
  "ERROR",
  "DELETED",
]);
const operatingStatus = z.enum(["ONLINE", "OFFLINE", "DEGRADED", "ERROR", "NO_MONITOR", "DRAINING"]);

const tags = z.array(z.string()).nullish();
const refs = z.array(z.object({ id: z.string() })).nullish();
export const provisioned = {
  id: z.string(),
  name: text,
  provisioning_status: provisioningStatus,
  operating_status: operatingStatus,
};

type Provisioned = { readonly [Field in keyof typeof provisioned]: z.infer<(typeof provisioned)[Field]> };

export function provisionedOf(wire: Provisioned) {
  const { id, name, provisioning_status: provisioningStatus, operating_status: operatingStatus } = wire;
  return { id, name, provisioningStatus, operatingStatus };
}

export const loadBalancer: z.ZodType<LoadBalancer> = z
  .object({
    ...provisioned,
    description: text,
    admin_state_up: z.boolean(),
    project_id: z.string(),
    provider: text,
    flavor_id: z.string().nullish(),
    availability_zone: z.string().nullish(),
    vip_address: text,
    vip_port_id: text,
    vip_subnet_id: text,
    vip_network_id: text,
    tags,
    created_at: text,
    updated_at: z.string().nullish(),
  })
  .transform((wire) => ({
    ...provisionedOf(wire),
    description: wire.description,
    adminStateUp: wire.admin_state_up,
    projectId: wire.project_id,
    provider: wire.provider,
    vipAddress: wire.vip_address,
    vipPortId: wire.vip_port_id,
    vipSubnetId: wire.vip_subnet_id,
    vipNetworkId: wire.vip_network_id,
    tags: wire.tags ?? [],
    createdAt: wire.created_at,
    ...absent("flavorId", wire.flavor_id),
    ...absent("availabilityZone", wire.availability_zone),
    ...absent("updatedAt", wire.updated_at),
  }));

export const listener: z.ZodType<Listener> = z
  .object({
    ...provisioned,
    loadbalancers: refs,
    protocol: z.string(),
    protocol_port: z.number(),
    default_pool_id: z.string().nullish(),
    allowed_cidrs: z.array(z.string()).nullish(),
    timeout_client_data: z.number().nullish(),
    timeout_member_data: z.number().nullish(),
    connection_limit: z.number().nullish(),
    admin_state_up: z.boolean(),
    tags,
  })
  .transform((wire) => ({
    ...provisionedOf(wire),
    loadBalancerId: wire.loadbalancers?.[0]?.id ?? "",
    protocol: wire.protocol,
    port: wire.protocol_port,
    allowedCidrs: wire.allowed_cidrs ?? [],
    connectionLimit: wire.connection_limit ?? -1,
    adminStateUp: wire.admin_state_up,
    tags: wire.tags ?? [],
    ...absent("defaultPoolId", wire.default_pool_id),
    ...absent("clientTimeoutMs", wire.timeout_client_data),
    ...absent("memberTimeoutMs", wire.timeout_member_data),
  }));

export const pool: z.ZodType<Pool> = z
  .object({
    ...provisioned,
    loadbalancers: refs,
    listeners: refs,
    protocol: z.string(),
    lb_algorithm: z.string(),
    healthmonitor_id: z.string().nullish(),
    admin_state_up: z.boolean(),
    tags,
  })
  .transform((wire) => ({
    ...provisionedOf(wire),
    loadBalancerId: wire.loadbalancers?.[0]?.id ?? "",
    listenerIds: (wire.listeners ?? []).map(({ id }) => id),
    protocol: wire.protocol,
    algorithm: wire.lb_algorithm,
    adminStateUp: wire.admin_state_up,
    tags: wire.tags ?? [],
    ...absent("healthMonitorId", wire.healthmonitor_id),
  }));

export const healthMonitor: z.ZodType<HealthMonitor> = z
  .object({
    ...provisioned,
    pools: refs,
    type: z.string(),
    delay: z.number(),
    timeout: z.number(),
    max_retries: z.number(),
    max_retries_down: z.number(),
    admin_state_up: z.boolean(),
    tags,
  })
  .transform((wire) => ({
    ...provisionedOf(wire),
    poolId: wire.pools?.[0]?.id ?? "",
    type: wire.type,
    delaySeconds: wire.delay,
    timeoutSeconds: wire.timeout,
    maxRetries: wire.max_retries,
    maxRetriesDown: wire.max_retries_down,
    adminStateUp: wire.admin_state_up,
    tags: wire.tags ?? [],
  }));

export const member: z.ZodType<Member> = z
  .object({
    ...provisioned,
    address: z.string(),
    protocol_port: z.number(),
    subnet_id: z.string().nullish(),
    weight: z.number(),
    backup: z.boolean().nullish(),
    admin_state_up: z.boolean(),
    tags,
  })
  .transform((wire) => ({
    ...provisionedOf(wire),
    address: wire.address,
    port: wire.protocol_port,
    weight: wire.weight,
    backup: wire.backup ?? false,
    adminStateUp: wire.admin_state_up,
    tags: wire.tags ?? [],
    ...absent("subnetId", wire.subnet_id),
  }));

export const flavor: z.ZodType<Flavor> = z.object({ id: z.string(), name: text, enabled: z.boolean() });
export const zone: z.ZodType<LoadBalancerZone> = z.object({ name: z.string(), enabled: z.boolean() });
export const provider = z.object({ name: z.string() });
export const versions = z.object({ versions: z.array(z.object({ id: z.string() })) });
