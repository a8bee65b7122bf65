// What every new port has until somebody changes it. Nothing is plugged into it, so it is DOWN.

import type { PortRecord } from "../cloud-records.ts";

type Given = "id" | "networkId" | "projectId" | "fixedIps";

export function newPort(fields: Pick<PortRecord, Given> & Partial<PortRecord>): PortRecord {
  return {
    name: "",
    description: "",
    deviceId: "",
    deviceOwner: "",
    macAddress: macAddressFor(fields.id),
    allowedAddressPairs: [],
    hasPortSecurity: true,
    status: "DOWN",
    tags: [],
    revisionNumber: 1,
    ...fields,
  };
}

/** With the prefix that Neutron gives all of its own; the rest is the id's, so that it costs no randomness. */
function macAddressFor(id: string): string {
  return `fa:16:3e:${id.slice(-6).match(/../g)?.join(":")}`;
}
