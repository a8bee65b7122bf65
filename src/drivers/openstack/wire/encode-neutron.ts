// Ports as Neutron's JSON.

import type { AddressPair, CreatePort, PortChange } from "../../../core/openstack/neutron-objects.ts";
import { present } from "../../../core/present.ts";

/** With what this Neutron can do of it, by its extensions. */
export function encodePort(wanted: CreatePort, extensions: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const { networkId, subnetId, address, name, description, deviceId, tags, hasPortSecurity } = wanted;
  const isTagged = tags.length > 0 && extensions.has("tag-ports-during-bulk-creation");
  return present({
    network_id: networkId,
    fixed_ips: [present({ subnet_id: subnetId, ip_address: address })],
    name,
    description,
    device_id: deviceId,
    tags: isTagged ? tags : undefined,
    port_security_enabled: extensions.has("port-security") ? hasPortSecurity : undefined,
  });
}

export function encodePortChange(change: PortChange): Readonly<Record<string, unknown>> {
  const { name, description, allowedAddressPairs } = change;
  return present({ name, description, allowed_address_pairs: allowedAddressPairs?.map(encodePair) });
}

function encodePair({ address, macAddress }: AddressPair): Readonly<Record<string, unknown>> {
  return present({ ip_address: address, mac_address: macAddress });
}
