// Neutron's objects as JSON on the wire. Without agents the status of ports and floating IPs stays DOWN for ever.

import type { Cloud } from "../cloud.ts";
import type { FloatingIpRecord, NetworkRecord, PortRecord, RouterRecord, SubnetRecord } from "../cloud-records.ts";
import { comparesRevisions } from "../neutron/extensions.ts";
import { portView } from "../neutron/ports.ts";

interface Owned {
  readonly id: string;
  readonly projectId: string;
  readonly tags: readonly string[];
}

function owned({ id, projectId, tags }: Owned) {
  return { id, project_id: projectId, tenant_id: projectId, tags, revision_number: 1 };
}

export function encodeNetwork({ tables }: Cloud, row: NetworkRecord): unknown {
  return {
    ...owned(row),
    name: row.name,
    description: row.description,
    "router:external": row.external,
    shared: row.shared,
    status: "ACTIVE",
    admin_state_up: true,
    subnets: tables.subnets.find(`network:${row.id}`).map(({ id }) => id),
  };
}

export function encodeSubnet(_cloud: Cloud, row: SubnetRecord): unknown {
  return {
    ...owned(row),
    name: row.name,
    description: row.description,
    network_id: row.networkId,
    cidr: row.cidr,
    ip_version: row.ipVersion,
    gateway_ip: row.gatewayIp ?? null,
    ipv6_address_mode: row.ipv6AddressMode ?? null,
    ipv6_ra_mode: row.ipv6RaMode ?? null,
    enable_dhcp: true,
  };
}

export function encodePort(cloud: Cloud, row: PortRecord): unknown {
  const { hasPortSecurity, revisionNumber, allowedAddressPairs } = portView(cloud, row);
  return {
    ...owned(row),
    revision_number: revisionNumber,
    name: row.name,
    description: row.description,
    network_id: row.networkId,
    device_id: row.deviceId,
    device_owner: row.deviceOwner,
    mac_address: row.macAddress,
    fixed_ips: row.fixedIps.map(({ subnetId, address }) => ({ subnet_id: subnetId, ip_address: address })),
    allowed_address_pairs: allowedAddressPairs.map((pair) => ({
      mac_address: pair.macAddress,
      ip_address: pair.address,
    })),
    port_security_enabled: hasPortSecurity,
    status: row.status,
    admin_state_up: true,
  };
}

export function encodeRouter(_cloud: Cloud, row: RouterRecord): unknown {
  const { externalNetworkId, externalAddresses } = row;
  const gateway = {
    network_id: externalNetworkId,
    external_fixed_ips: externalAddresses.map((address) => ({ ip_address: address })),
  };
  return {
    ...owned(row),
    name: row.name,
    status: "ACTIVE",
    admin_state_up: true,
    external_gateway_info: externalNetworkId === undefined ? null : gateway,
  };
}

export function encodeFloatingIp(cloud: Cloud, row: FloatingIpRecord): unknown {
  return {
    ...owned(row),
    revision_number: comparesRevisions(cloud) ? row.revisionNumber : undefined,
    floating_ip_address: row.address,
    floating_network_id: row.floatingNetworkId,
    port_id: row.portId ?? null,
    fixed_ip_address: row.fixedAddress ?? null,
    router_id: null,
    description: row.description,
    status: row.isInError === true ? "ERROR" : "DOWN",
  };
}
