// Who sees what in Neutron: one's own, and networks that are shared or external, with the former's subnets. What one may not see is
// not there (404), whoever owns it.

import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { NetworkRecord, PortRecord, RouterRecord, SubnetRecord } from "../cloud-records.ts";
import type { Caller } from "../keystone/directory.ts";

export function owns({ admin, projectId }: Caller, row: { readonly projectId: string }): boolean {
  return admin || row.projectId === projectId;
}

export function seesNetwork(caller: Caller, network: NetworkRecord): boolean {
  return owns(caller, network) || network.shared || network.external;
}

export function seesSubnet(cloud: Cloud, caller: Caller, subnet: SubnetRecord): boolean {
  return owns(caller, subnet) || cloud.tables.networks.get(subnet.networkId)?.shared === true;
}

export function visibleNetwork(cloud: Cloud, caller: Caller, id: string): NetworkRecord {
  const network = cloud.tables.networks.get(id);
  return network !== undefined && seesNetwork(caller, network) ? network : missing("Network", id);
}

export function visibleSubnet(cloud: Cloud, caller: Caller, id: string): SubnetRecord {
  const subnet = cloud.tables.subnets.get(id);
  return subnet !== undefined && seesSubnet(cloud, caller, subnet) ? subnet : missing("Subnet", id);
}

export function visiblePort(cloud: Cloud, caller: Caller, id: string): PortRecord {
  const port = cloud.tables.ports.get(id);
  return port !== undefined && owns(caller, port) ? port : missing("Port", id);
}

export function visibleRouter(cloud: Cloud, caller: Caller, id: string): RouterRecord {
  const router = cloud.tables.routers.get(id);
  return router !== undefined && owns(caller, router) ? router : missing("Router", id);
}

export function missing(what: string, id: string): never {
  refuse(404, `${what} ${id} could not be found.`, `${what.replaceAll(" ", "")}NotFound`);
}
