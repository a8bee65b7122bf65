// The fields by which Neutron's lists can be narrowed. Anything else in a query is refused.

import type { TaggedResource } from "../../../../core/openstack/neutron-objects.ts";
import type { CloudTables } from "../cloud-records.ts";

type Read<T> = (row: T) => string | number | boolean | undefined;

interface Owned {
  readonly id: string;
  readonly projectId: string;
}

const owned = {
  id: (row: Owned) => row.id,
  project_id: (row: Owned) => row.projectId,
  tenant_id: (row: Owned) => row.projectId,
};
const named = { ...owned, name: (row: { readonly name: string }) => row.name };

export const filters: { readonly [K in TaggedResource]: Readonly<Record<string, Read<CloudTables[K]>>> } = {
  networks: {
    ...named,
    description: (row) => row.description,
    "router:external": (row) => row.external,
    shared: (row) => row.shared,
  },
  subnets: {
    ...named,
    description: (row) => row.description,
    network_id: (row) => row.networkId,
    ip_version: (row) => row.ipVersion,
    gateway_ip: (row) => row.gatewayIp,
    cidr: (row) => row.cidr,
    ipv6_address_mode: (row) => row.ipv6AddressMode,
    ipv6_ra_mode: (row) => row.ipv6RaMode,
  },
  ports: {
    ...named,
    network_id: (row) => row.networkId,
    device_id: (row) => row.deviceId,
    device_owner: (row) => row.deviceOwner,
    description: (row) => row.description,
  },
  routers: { ...named },
  floatingips: {
    ...owned,
    port_id: (row) => row.portId,
    description: (row) => row.description,
    floating_ip_address: (row) => row.address,
    fixed_ip_address: (row) => row.fixedAddress,
    floating_network_id: (row) => row.floatingNetworkId,
  },
};
