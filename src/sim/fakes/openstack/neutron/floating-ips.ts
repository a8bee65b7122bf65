// Floating IPs: one to a port and external network, only where a router leads there, and they outlive what they were attached to.

import type {
  CreateFloatingIp,
  FloatingIp,
  FloatingIpQuery,
  FloatingIpSeen,
} from "../../../../core/openstack/neutron-objects.ts";
import { present } from "../../../../core/present.ts";
import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { FloatingIpRecord, NetworkRecord } from "../cloud-records.ts";
import type { Caller } from "../keystone/directory.ts";
import { checkQuota } from "../quota.ts";
import { checkText } from "../strict.ts";
import { checkUnchanged, countStatus, replaceCounted } from "./revisions.ts";
import { missing, owns, visibleNetwork, visiblePort } from "./visible.ts";

export function listFloatingIps(cloud: Cloud, caller: Caller, query: FloatingIpQuery): readonly FloatingIp[] {
  const { portIds, descriptions, addresses, tags } = query;
  const anyOf = (values: readonly string[] | undefined, found: string | undefined) =>
    values === undefined || (found !== undefined && values.includes(found));
  return candidates(cloud, caller, query).filter(
    (row) =>
      row.projectId === caller.projectId &&
      anyOf(portIds, row.portId) &&
      anyOf(descriptions, row.description) &&
      anyOf(addresses, row.address) &&
      (tags === undefined || tags.every((tag) => row.tags.includes(tag))),
  );
}

/** The rows of the narrowest index that fits the query. */
function candidates(cloud: Cloud, caller: Caller, query: FloatingIpQuery): readonly FloatingIpRecord[] {
  const { floatingips } = cloud.tables;
  const byKeys = (kind: string, values: readonly string[]) =>
    [...new Set(values)].flatMap((value) => floatingips.find(`${kind}:${value}`));
  if (query.portIds !== undefined) return byKeys("port", query.portIds);
  if (query.descriptions !== undefined) return byKeys("description", query.descriptions);
  if (query.addresses !== undefined) return byKeys("address", query.addresses);
  if (query.tags?.[0] !== undefined) return floatingips.find(`tag:${query.tags[0]}`);
  return floatingips.find(`project:${caller.projectId}`);
}

export function createFloatingIp(cloud: Cloud, caller: Caller, wanted: CreateFloatingIp): FloatingIpRecord {
  const { floatingNetworkId, portId, description, address } = wanted;
  checkText("description", description);
  if (address !== undefined && !caller.admin)
    refuse(403, "rule:create_floatingip:floating_ip_address is disallowed by policy");
  const network = visibleNetwork(cloud, caller, floatingNetworkId);
  if (!network.external) refuse(400, `Network ${network.id} is not a valid external network`, "BadRequest");
  checkQuota(cloud, caller.projectId, "floatingip");
  const attachment = portId === undefined ? {} : attach(cloud, caller, { portId, floatingNetworkId });
  const made = cloud.tables.floatingips.insert({
    id: cloud.random.uuid(),
    address: takeAddress(cloud, network, address),
    floatingNetworkId,
    description,
    tags: [],
    projectId: caller.projectId,
    revisionNumber: 0,
    ...attachment,
  });
  countStatus(cloud, made.id, portId !== undefined);
  return made;
}

export interface FloatingIpChange {
  readonly portId?: string | null;
  readonly description?: string;
}

/** What is not said stays, but a change without anything in it detaches. Where it goes is looked at before what it was like. */
export function updateFloatingIp(
  cloud: Cloud,
  caller: Caller,
  id: string,
  change: FloatingIpChange,
  seen?: FloatingIpSeen,
): FloatingIpRecord {
  const row = visibleFloatingIp(cloud, caller, id);
  if (change.description !== undefined) checkText("description", change.description);
  const { portId: before, fixedAddress, ...rest } = row;
  const keeps = change.portId === undefined && Object.keys(change).length > 0;
  const attachment =
    change.portId === undefined || change.portId === null
      ? keeps && before !== undefined
        ? { portId: before, ...present({ fixedAddress }) }
        : {}
      : attach(cloud, caller, { portId: change.portId, floatingNetworkId: row.floatingNetworkId, of: id });
  checkUnchanged(cloud, row, seen);
  const after = {
    ...rest,
    ...attachment,
    ...(change.description === undefined ? {} : { description: change.description }),
  };
  const changed = replaceCounted(cloud, after);
  countStatus(cloud, id, before !== undefined || changed.portId !== undefined);
  return changed;
}

export function deleteFloatingIp(cloud: Cloud, caller: Caller, id: string, seen?: FloatingIpSeen): void {
  const row = visibleFloatingIp(cloud, caller, id);
  checkUnchanged(cloud, row, seen);
  for (const subnet of cloud.tables.subnets.find(`network:${row.floatingNetworkId}`)) {
    cloud.addresses.release(subnet.id, row.address);
  }
  cloud.tables.floatingips.remove(id);
}

/** However many change, it is one change; none is none. */
export function tagFloatingIp(cloud: Cloud, id: string, tags: readonly string[]): void {
  const row = cloud.tables.floatingips.get(id);
  if (row === undefined || (row.tags.length === tags.length && tags.every((tag) => row.tags.includes(tag)))) return;
  replaceCounted(cloud, { ...row, tags: [...tags] });
}

/** The port goes; what was attached to it stays behind. */
export function detachFrom(cloud: Cloud, portId: string): void {
  for (const row of cloud.tables.floatingips.find(`port:${portId}`)) {
    const { portId: _port, fixedAddress: _address, ...rest } = row;
    replaceCounted(cloud, rest);
    countStatus(cloud, row.id, true);
  }
}

export function visibleFloatingIp(cloud: Cloud, caller: Caller, id: string): FloatingIpRecord {
  const row = cloud.tables.floatingips.get(id);
  return row !== undefined && owns(caller, row) ? row : missing("Floating IP", id);
}

interface Attachment {
  readonly portId: string;
  readonly floatingNetworkId: string;
  /** The floating IP that is moved here, when there is one already. */
  readonly of?: string;
}

function attach(cloud: Cloud, caller: Caller, { portId, floatingNetworkId, of }: Attachment) {
  const port = visiblePort(cloud, caller, portId);
  const fixed = port.fixedIps.find(({ subnetId }) => cloud.tables.subnets.get(subnetId)?.ipVersion === 4);
  if (fixed === undefined) refuse(400, `Port ${portId} has no fixed IPv4 address`, "BadRequest");
  const routed = cloud.tables.routers
    .find(`subnet:${fixed.subnetId}`)
    .some((router) => router.externalNetworkId === floatingNetworkId);
  if (!routed) {
    const text = `External network ${floatingNetworkId} is not reachable from subnet ${fixed.subnetId}`;
    refuse(404, text, "ExternalGatewayForFloatingIPNotFound");
  }
  const others = cloud.tables.floatingips.find(`port:${portId}`);
  if (others.some((other) => other.id !== of && other.floatingNetworkId === floatingNetworkId)) {
    refuse(409, `Port ${portId} has a floating IP of ${floatingNetworkId} already`, "FloatingIPPortAlreadyAssociated");
  }
  return { portId, fixedAddress: fixed.address };
}

function takeAddress(cloud: Cloud, network: NetworkRecord, address: string | undefined): string {
  const subnets = cloud.tables.subnets.find(`network:${network.id}`).filter(({ ipVersion }) => ipVersion === 4);
  if (address === undefined) {
    for (const { id } of subnets) {
      const next = cloud.addresses.takeNext(id);
      if (next !== undefined) return next;
    }
    refuse(409, `No more IP addresses available on network ${network.id}.`, "IpAddressGenerationFailure");
  }
  const home = subnets.find(({ id }) => cloud.addresses.contains(id, address));
  if (home === undefined) refuse(400, `IP address ${address} is in no subnet of ${network.id}`, "InvalidIpForNetwork");
  if (!cloud.addresses.take(home.id, address))
    refuse(409, `IP address ${address} is in use`, "IpAddressAlreadyAllocated");
  return address;
}
