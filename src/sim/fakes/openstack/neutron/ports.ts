// Ports: made in a subnet with an address of it, changed and deleted. On a network of another project's one may have a port, but choose
// neither its address, its port security nor its address pairs. A quota comes before that.

import ipaddr from "ipaddr.js";
import type { CreatePort, Port, PortChange } from "../../../../core/openstack/neutron-objects.ts";
import { present } from "../../../../core/present.ts";
import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { NetworkRecord, PortRecord } from "../cloud-records.ts";
import type { Caller } from "../keystone/directory.ts";
import { checkQuota } from "../quota.ts";
import { checkText } from "../strict.ts";
import { checkAddressPairs, isSameList, pairsFor } from "./address-pairs.ts";
import { comparesRevisions, hasExtension } from "./extensions.ts";
import { detachFrom } from "./floating-ips.ts";
import { newPort } from "./new-port.ts";
import { checkRevision, countPortChange } from "./revisions.ts";
import { checkNewTags } from "./tags.ts";
import { missing, owns, visibleNetwork, visiblePort } from "./visible.ts";

export function createPort(cloud: Cloud, caller: Caller, wanted: CreatePort): PortRecord {
  const { networkId, subnetId, address, name, description, deviceId, tags, hasPortSecurity } = wanted;
  checkTexts({ name, description, deviceId });
  const isTagged = hasExtension(cloud, "tag-ports-during-bulk-creation");
  checkNewTags(tags, isTagged);
  if (hasPortSecurity !== undefined && !hasExtension(cloud, "port-security"))
    refuse(400, "Unrecognized attribute(s) 'port_security_enabled'");
  const network = visibleNetwork(cloud, caller, networkId);
  if (!owns(caller, network) && !network.shared)
    refuse(403, `Tenant ${caller.projectId} not allowed to create port on this network`, "HTTPForbidden");
  checkQuota(cloud, caller.projectId, "port");
  if (address !== undefined) checkOwner(caller, network, "create_port:fixed_ips:ip_address");
  if (hasPortSecurity !== undefined) checkOwner(caller, network, "create_port:port_security_enabled");
  const made = newPort({
    id: cloud.random.uuid(),
    networkId,
    projectId: caller.projectId,
    fixedIps: [{ subnetId, address: takeAddress(cloud, networkId, subnetId, address) }],
    name,
    description,
    deviceId,
    ...present({ hasPortSecurity }),
  });
  if (!isTagged || tags.length === 0) return cloud.tables.ports.insert(made);
  return cloud.tables.ports.insert({ ...made, tags: [...tags], revisionNumber: 2 });
}

/** Whether it is as it was seen is looked at last, and only when there is anything to change. */
export function updatePort(
  cloud: Cloud,
  caller: Caller,
  id: string,
  change: PortChange,
  revision?: number,
): PortRecord {
  const { name, description, allowedAddressPairs: pairs } = change;
  checkTexts(present({ name, description }));
  if (pairs !== undefined) checkAddressPairs(cloud, pairs);
  const row = visiblePort(cloud, caller, id);
  const network = cloud.tables.networks.get(row.networkId);
  if (pairs !== undefined && network !== undefined) checkOwner(caller, network, "update_port:allowed_address_pairs");
  if (pairs !== undefined && pairs.length > 0 && !row.hasPortSecurity) {
    const text = "Port Security must be enabled in order to have allowed address pairs on a port.";
    refuse(409, text, "AddressPairAndPortSecurityRequired");
  }
  const newPairs = pairs === undefined || isSameList(row, pairs) ? undefined : pairsFor(row, pairs);
  const fields = present({ name, description, allowedAddressPairs: newPairs });
  if (Object.keys(fields).length > 0) checkRevision(cloud, row, revision);
  return countPortChange(cloud, { ...row, ...fields }, fields);
}

export function deletePort(cloud: Cloud, caller: Caller, id: string, revision?: number): void {
  const row = visiblePort(cloud, caller, id);
  if (row.deviceOwner.startsWith("network:router_")) {
    const text = `Port ${id} cannot be deleted directly via the port API: has device owner ${row.deviceOwner}.`;
    refuse(409, text, "ServicePortInUse");
  }
  checkRevision(cloud, row, revision);
  removePort(cloud, row);
}

/** With its addresses; floating IPs that were attached to it stay. */
export function removePort(cloud: Cloud, { id, fixedIps }: PortRecord): void {
  detachFrom(cloud, id);
  for (const { subnetId, address } of fixedIps) cloud.addresses.release(subnetId, address);
  cloud.tables.ports.remove(id);
}

/** As the driver decodes it: without what this Neutron does not say. */
export function portView(cloud: Cloud, row: PortRecord): Port {
  const { revisionNumber, hasPortSecurity, ...rest } = row;
  return {
    ...rest,
    ...(comparesRevisions(cloud) ? { revisionNumber } : {}),
    ...(hasExtension(cloud, "port-security") ? { hasPortSecurity } : {}),
  };
}

function checkTexts(texts: Readonly<Record<string, string>>): void {
  for (const [what, text] of Object.entries(texts)) checkText(what, text);
}

function checkOwner(caller: Caller, network: NetworkRecord, rule: string): void {
  if (!owns(caller, network)) refuse(403, `rule:${rule} is disallowed by policy`, "PolicyNotAuthorized");
}

function takeAddress(cloud: Cloud, networkId: string, subnetId: string, address: string | undefined): string {
  if (address !== undefined && !ipaddr.isValid(address)) refuse(400, `'${address}' is not a valid IP address.`);
  const subnet = cloud.tables.subnets.get(subnetId) ?? missing("Subnet", subnetId);
  if (subnet.networkId !== networkId) {
    const text = `Failed to create port on network ${networkId}, because fixed_ips included invalid subnet ${subnetId}.`;
    refuse(400, text, "InvalidInput");
  }
  if (address === undefined) {
    const next = cloud.addresses.takeNext(subnetId);
    return next ?? refuse(409, `No more IP addresses available on network ${networkId}.`, "IpAddressGenerationFailure");
  }
  if (!cloud.addresses.isForHosts(subnetId, address))
    refuse(400, `IP address ${address} is not a valid IP for the specified subnet.`, "InvalidIpForSubnet");
  const spelled = ipaddr.parse(address).toString();
  if (!cloud.addresses.take(subnetId, spelled))
    refuse(409, `IP address ${address} already allocated in subnet ${subnetId}`, "IpAddressAlreadyAllocated");
  return spelled;
}
