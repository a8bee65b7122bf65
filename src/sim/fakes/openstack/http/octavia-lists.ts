// Octavia's lists over HTTP: of the caller's project, or, for those who may see all, of every project unless one is asked for.

import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { CloudTables } from "../cloud-records.ts";
import { endpointOf } from "../keystone/catalogue.ts";
import { ownProject } from "../octavia/visible.ts";
import { octaviaPage } from "./paging.ts";
import { filtered } from "./query-filter.ts";
import { ok, type Reply, type RouteInput } from "./route.ts";

type Kind = "loadbalancers" | "listeners" | "pools" | "healthmonitors" | "members";
type Read<T> = (row: T) => string | number | boolean | undefined;

const shared = {
  id: (row: { readonly id: string }) => row.id,
  name: (row: { readonly name: string }) => row.name,
  project_id: (row: { readonly projectId: string }) => row.projectId,
  provisioning_status: (row: { readonly provisioningStatus: string }) => row.provisioningStatus,
  operating_status: (row: { readonly operatingStatus: string }) => row.operatingStatus,
  admin_state_up: (row: { readonly adminStateUp: boolean }) => row.adminStateUp,
};

const filters: { readonly [K in Kind]: Readonly<Record<string, Read<CloudTables[K]>>> } = {
  loadbalancers: {
    ...shared,
    description: (row) => row.description,
    provider: (row) => row.provider,
    flavor_id: (row) => row.flavorId,
    availability_zone: (row) => row.availabilityZone,
    vip_address: (row) => row.vipAddress,
    vip_port_id: (row) => row.vipPortId,
    vip_subnet_id: (row) => row.vipSubnetId,
    vip_network_id: (row) => row.vipNetworkId,
  },
  listeners: {
    ...shared,
    loadbalancer_id: (row) => row.loadBalancerId,
    load_balancer_id: (row) => row.loadBalancerId,
    protocol: (row) => row.protocol,
    protocol_port: (row) => row.port,
    default_pool_id: (row) => row.defaultPoolId,
  },
  pools: {
    ...shared,
    loadbalancer_id: (row) => row.loadBalancerId,
    load_balancer_id: (row) => row.loadBalancerId,
    protocol: (row) => row.protocol,
    lb_algorithm: (row) => row.algorithm,
  },
  // There is no filter by balancer here, which is why looks list monitors once for the project.
  healthmonitors: { ...shared, pool_id: (row) => row.poolId, type: (row) => row.type },
  members: {
    ...shared,
    address: (row) => row.address,
    protocol_port: (row) => row.port,
    subnet_id: (row) => row.subnetId,
    weight: (row) => row.weight,
  },
};

export function listOf<K extends Kind>(
  kind: K,
  write: (cloud: Cloud, row: CloudTables[K]) => unknown,
  within?: string,
): (input: RouteInput) => Reply {
  return ({ cloud, caller, query, path }) => {
    const asked = query.get("project_id");
    if (asked !== null) ownProject(caller, asked);
    const table = cloud.tables[kind];
    const rows = within === undefined ? table.all() : table.find(within);
    const mine = rows.filter((each) => caller.admin || each.projectId === caller.projectId);
    const found = filtered(mine, query, filters[kind]);
    const url = endpointOf(cloud, "octavia") + path;
    const page = octaviaPage(found, query, url, cloud.options.pageLimit);
    return ok({ [kind]: page.rows.map((each) => write(cloud, each)), [`${kind}_links`]: page.links });
  };
}

export function row<K extends keyof CloudTables>(cloud: Cloud, kind: K, id: string): CloudTables[K] {
  return cloud.tables[kind].get(id) ?? refuse(404, `${kind} ${id} not found.`);
}
