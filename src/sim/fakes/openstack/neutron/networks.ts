// Networks, subnets, ports and routers as one caller sees them.

import type {
  Network,
  NetworkQuery,
  Port,
  PortQuery,
  Router,
  Subnet,
  SubnetQuery,
} from "../../../../core/openstack/neutron-objects.ts";
import { present } from "../../../../core/present.ts";
import type { Cloud } from "../cloud.ts";
import type { NetworkRecord, PortRecord, RouterRecord, SubnetRecord } from "../cloud-records.ts";
import type { Caller } from "../keystone/directory.ts";
import { portView } from "./ports.ts";
import { fitsTags } from "./tag-filter.ts";
import { owns, seesNetwork, seesSubnet, visibleNetwork, visibleRouter, visibleSubnet } from "./visible.ts";

export function getNetwork(cloud: Cloud, caller: Caller, id: string): Network {
  return networkView(cloud, visibleNetwork(cloud, caller, id));
}

export function listNetworks(cloud: Cloud, caller: Caller, query: NetworkQuery): readonly Network[] {
  const { networks } = cloud.tables;
  const rows = query.name === undefined ? networks.all() : networks.find(`name:${query.name}`);
  const fits = (row: NetworkRecord) =>
    seesNetwork(caller, row) &&
    same(query.description, row.description) &&
    same(query.projectId, row.projectId) &&
    same(query.external, row.external) &&
    fitsTags(row.tags, query);
  return rows.filter(fits).map((row) => networkView(cloud, row));
}

export function getSubnet(cloud: Cloud, caller: Caller, id: string): Subnet {
  return subnetView(visibleSubnet(cloud, caller, id));
}

export function listSubnets(cloud: Cloud, caller: Caller, query: SubnetQuery): readonly Subnet[] {
  const { subnets } = cloud.tables;
  const rows = query.networkId === undefined ? subnets.all() : subnets.find(`network:${query.networkId}`);
  const fits = (row: SubnetRecord) =>
    seesSubnet(cloud, caller, row) &&
    same(query.name, row.name) &&
    same(query.description, row.description) &&
    same(query.projectId, row.projectId) &&
    same(query.ipVersion, row.ipVersion) &&
    same(query.gatewayIp, row.gatewayIp) &&
    same(query.cidr, row.cidr) &&
    same(query.ipv6AddressMode, row.ipv6AddressMode) &&
    same(query.ipv6RaMode, row.ipv6RaMode) &&
    fitsTags(row.tags, query);
  return rows.filter(fits).map(subnetView);
}

export function listPorts(cloud: Cloud, caller: Caller, query: PortQuery): readonly Port[] {
  const anyOf = (values: readonly string[] | undefined, found: string) =>
    values === undefined || values.includes(found);
  const fits = (row: PortRecord) =>
    row.projectId === caller.projectId &&
    same(query.networkId, row.networkId) &&
    same(query.deviceOwner, row.deviceOwner) &&
    anyOf(query.ids, row.id) &&
    anyOf(query.deviceIds, row.deviceId) &&
    anyOf(query.descriptions, row.description) &&
    fitsTags(row.tags, present({ tags: query.tags }));
  return candidates(cloud, caller, query)
    .filter(fits)
    .map((row) => portView(cloud, row));
}

/** The rows of the narrowest index that fits the query. */
function candidates({ tables: { ports } }: Cloud, caller: Caller, query: PortQuery): readonly PortRecord[] {
  const { ids, deviceIds, networkId, tags } = query;
  if (ids !== undefined) return [...new Set(ids)].flatMap((id) => ports.get(id) ?? []);
  if (deviceIds !== undefined) return [...new Set(deviceIds)].flatMap((id) => ports.find(`device:${id}`));
  if (tags?.[0] !== undefined) return ports.find(`tag:${tags[0]}`);
  return ports.find(networkId === undefined ? `project:${caller.projectId}` : `network:${networkId}`);
}

export function getRouter(cloud: Cloud, caller: Caller, id: string): Router {
  return routerView(visibleRouter(cloud, caller, id));
}

export function listRouters(cloud: Cloud, caller: Caller, ids: readonly string[]): readonly Router[] {
  const rows = [...new Set(ids)].flatMap((id) => cloud.tables.routers.get(id) ?? []);
  return rows.filter((row) => row.projectId === caller.projectId && owns(caller, row)).map(routerView);
}

function same<T>(wanted: T | undefined, found: T | undefined): boolean {
  return wanted === undefined || wanted === found;
}

function networkView(cloud: Cloud, { id, name, tags, external, projectId }: NetworkRecord): Network {
  const subnetIds = cloud.tables.subnets.find(`network:${id}`).map((subnet) => subnet.id);
  return { id, name, tags, subnetIds, external, projectId };
}

function subnetView({ id, name, networkId, cidr, ipVersion, gatewayIp, tags, projectId }: SubnetRecord): Subnet {
  return present({ id, name, networkId, cidr, ipVersion, gatewayIp, tags, projectId });
}

function routerView({ id, name, externalAddresses, tags }: RouterRecord): Router {
  return { id, name, externalAddresses, tags };
}
