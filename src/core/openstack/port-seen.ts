// Whether a port is as it was seen, for a Neutron that does not compare by itself. Pairs and tags have no order.

import type { AddressPair, Port, PortSeen } from "./neutron-objects.ts";

export function isSamePort(port: Port, seen: PortSeen): boolean {
  return contents(port) === contents(seen);
}

function contents(port: PortSeen): string {
  const { name, description, deviceId, deviceOwner, fixedIps, allowedAddressPairs, tags, revisionNumber } = port;
  const addresses = fixedIps.map(({ subnetId, address }) => JSON.stringify([subnetId, address]));
  return JSON.stringify([
    [name, description, deviceId, deviceOwner, revisionNumber],
    addresses.toSorted(),
    allowedAddressPairs.map(pairText).toSorted(),
    tags.toSorted(),
  ]);
}

function pairText({ address, macAddress }: AddressPair): string {
  return JSON.stringify([address, macAddress]);
}
