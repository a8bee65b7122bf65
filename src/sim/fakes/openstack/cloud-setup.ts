// How a fake cloud is furnished: people and projects, networks, servers, flavors. Everything an administrator does before users come.

import ipaddr from "ipaddr.js";
import { present } from "../../../core/present.ts";
import type { Cloud } from "./cloud.ts";
import type {
  FlavorRecord,
  NetworkRecord,
  PortRecord,
  RouterRecord,
  ServerRecord,
  SubnetRecord,
} from "./cloud-records.ts";
import type { ApplicationCredential, ProjectRecord, UserRecord } from "./keystone/directory.ts";
import { newPort } from "./neutron/new-port.ts";

type Wanted<T, K extends keyof T> = Pick<T, K> & Partial<Omit<T, K>>;

/** A hyphenless id, as Keystone has them. */
function keystoneId(cloud: Cloud): string {
  return cloud.random.uuid().replaceAll("-", "");
}

export function addProject(cloud: Cloud, name: string, id: string = keystoneId(cloud)): ProjectRecord {
  const project = { id, name };
  cloud.directory.projects.set(id, project);
  return project;
}

export interface NewUser {
  readonly name: string;
  readonly password: string;
  /** By project id. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
}

export function addUser(cloud: Cloud, { name, password, roles }: NewUser): UserRecord {
  const user = { id: keystoneId(cloud), name, password, roles: new Map(Object.entries(roles)) };
  cloud.directory.users.set(user.id, user);
  return user;
}

export function addApplicationCredential(
  cloud: Cloud,
  wanted: Omit<ApplicationCredential, "id" | "roles">,
): ApplicationCredential {
  const roles = cloud.directory.users.get(wanted.userId)?.roles.get(wanted.projectId) ?? [];
  const credential = { ...wanted, id: keystoneId(cloud), roles };
  cloud.directory.applicationCredentials.set(credential.id, credential);
  return credential;
}

export function addNetwork(cloud: Cloud, wanted: Wanted<NetworkRecord, "name" | "projectId">): NetworkRecord {
  const defaults = { id: cloud.random.uuid(), tags: [], external: false, shared: false, description: "" };
  return cloud.tables.networks.insert({ ...defaults, ...wanted });
}

export interface NewSubnet extends Wanted<SubnetRecord, "name" | "projectId" | "networkId" | "cidr"> {
  /** In which zone it lies, where that matters. */
  readonly zone?: string;
  /** The first address given out, counted from the network's own. */
  readonly firstOffset?: number;
}

export function addSubnet(cloud: Cloud, { zone, firstOffset, ...wanted }: NewSubnet): SubnetRecord {
  const id = wanted.id ?? cloud.random.uuid();
  const address = ipaddr.parseCIDR(wanted.cidr)[0];
  cloud.addresses.add(id, wanted.cidr, firstOffset);
  if (zone !== undefined) cloud.subnetZones.set(id, zone);
  const ipVersion = address.kind() === "ipv4" ? 4 : 6;
  return cloud.tables.subnets.insert({ ipVersion, tags: [], description: "", ...wanted, id });
}

export function addRouter(
  cloud: Cloud,
  wanted: Wanted<RouterRecord, "name" | "projectId" | "subnetIds">,
): RouterRecord {
  const external = cloud.tables.subnets
    .find(`network:${wanted.externalNetworkId ?? ""}`)
    .flatMap(({ id }) => cloud.addresses.takeNext(id) ?? []);
  const defaults = { id: cloud.random.uuid(), tags: [], externalAddresses: external };
  const router = cloud.tables.routers.insert({ ...defaults, ...wanted });
  for (const subnetId of router.subnetIds) addRouterPort(cloud, router, subnetId);
  return router;
}

/** Its foot in a subnet, at the gateway's address. */
function addRouterPort(cloud: Cloud, { id, projectId }: RouterRecord, subnetId: string): void {
  const { networkId, gatewayIp } = cloud.tables.subnets.get(subnetId) ?? {};
  if (networkId === undefined) return;
  const fields = { projectId, networkId, subnetId, deviceId: id, deviceOwner: "network:router_interface" };
  addPort(cloud, { ...fields, ...(gatewayIp === undefined ? {} : { address: gatewayIp }) });
}

export interface NewPort extends Wanted<Omit<PortRecord, "fixedIps">, "projectId" | "networkId"> {
  readonly subnetId: string;
  /** Absent: the next free one. */
  readonly address?: string;
}

export function addPort(cloud: Cloud, { subnetId, address, ...wanted }: NewPort): PortRecord {
  if (address !== undefined) cloud.addresses.take(subnetId, address);
  const fixedIps = [{ subnetId, address: address ?? cloud.addresses.takeNext(subnetId) ?? "" }];
  return cloud.tables.ports.insert(newPort({ id: cloud.random.uuid(), ...wanted, fixedIps }));
}

export function addServer(cloud: Cloud, wanted: Wanted<ServerRecord, "name" | "projectId">): ServerRecord {
  return cloud.tables.servers.insert(present({ id: cloud.random.uuid(), ...wanted }));
}

export function addFlavor(cloud: Cloud, wanted: Wanted<FlavorRecord, "name" | "provider">): FlavorRecord {
  const flavor = { id: cloud.random.uuid(), enabled: true, ...wanted };
  cloud.flavors.push(flavor);
  return flavor;
}
