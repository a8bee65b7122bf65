// Neutron's JSON as Mainstay's objects. What it leaves out or sends as null is absent here; what we do not know is dropped.

import { z } from "zod";
import type { FloatingIp, Network, Port, Router, Subnet } from "../../../core/openstack/neutron-objects.ts";
import { absent, text } from "./wire.ts";

const tags = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);

export const network: z.ZodType<Network> = z
  .object({
    id: z.string(),
    name: text,
    tags,
    subnets: z.array(z.string()).nullish(),
    "router:external": z.boolean().nullish(),
    project_id: text,
  })
  .transform((wire) => ({
    id: wire.id,
    name: wire.name,
    tags: wire.tags,
    subnetIds: wire.subnets ?? [],
    external: wire["router:external"] ?? false,
    projectId: wire.project_id,
  }));

export const subnet: z.ZodType<Subnet> = z
  .object({
    id: z.string(),
    name: text,
    network_id: z.string(),
    cidr: z.string(),
    ip_version: z.union([z.literal(4), z.literal(6)]),
    gateway_ip: z.string().nullish(),
    tags,
    project_id: text,
  })
  .transform((wire) => ({
    id: wire.id,
    name: wire.name,
    networkId: wire.network_id,
    cidr: wire.cidr,
    ipVersion: wire.ip_version,
    tags: wire.tags,
    projectId: wire.project_id,
    ...absent("gatewayIp", wire.gateway_ip),
  }));

export const port: z.ZodType<Port> = z
  .object({
    id: z.string(),
    name: text,
    network_id: z.string(),
    device_id: text,
    device_owner: text,
    mac_address: text,
    fixed_ips: z.array(z.object({ subnet_id: z.string(), ip_address: z.string() })).nullish(),
    allowed_address_pairs: z.array(z.object({ ip_address: z.string(), mac_address: z.string().nullish() })).nullish(),
    port_security_enabled: z.boolean().nullish(),
    status: text,
    description: text,
    tags,
    project_id: text,
    revision_number: z.number().nullish(),
  })
  .transform((wire) => ({
    id: wire.id,
    name: wire.name,
    networkId: wire.network_id,
    deviceId: wire.device_id,
    deviceOwner: wire.device_owner,
    macAddress: wire.mac_address,
    fixedIps: (wire.fixed_ips ?? []).map((fixed) => ({ subnetId: fixed.subnet_id, address: fixed.ip_address })),
    allowedAddressPairs: (wire.allowed_address_pairs ?? []).map((pair) => ({
      address: pair.ip_address,
      ...absent("macAddress", pair.mac_address),
    })),
    status: wire.status,
    description: wire.description,
    tags: wire.tags,
    projectId: wire.project_id,
    ...absent("hasPortSecurity", wire.port_security_enabled),
    ...absent("revisionNumber", wire.revision_number),
  }));

export const router: z.ZodType<Router> = z
  .object({
    id: z.string(),
    name: text,
    external_gateway_info: z
      .object({ external_fixed_ips: z.array(z.object({ ip_address: z.string() })).nullish() })
      .nullish(),
    tags,
  })
  .transform((wire) => ({
    id: wire.id,
    name: wire.name,
    externalAddresses: (wire.external_gateway_info?.external_fixed_ips ?? []).map((fixed) => fixed.ip_address),
    tags: wire.tags,
  }));

export const floatingIp: z.ZodType<FloatingIp> = z
  .object({
    id: z.string(),
    floating_ip_address: z.string(),
    floating_network_id: z.string(),
    port_id: z.string().nullish(),
    fixed_ip_address: z.string().nullish(),
    status: z.string().nullish(),
    description: text,
    tags,
    project_id: text,
    revision_number: z.number().nullish(),
  })
  .transform((wire) => ({
    id: wire.id,
    address: wire.floating_ip_address,
    floatingNetworkId: wire.floating_network_id,
    description: wire.description,
    tags: wire.tags,
    projectId: wire.project_id,
    ...absent("portId", wire.port_id),
    ...absent("fixedAddress", wire.fixed_ip_address),
    ...absent("revisionNumber", wire.revision_number),
    ...(wire.status === "ERROR" ? { isInError: true as const } : {}),
  }));

export const extension = z.object({ alias: z.string() });
