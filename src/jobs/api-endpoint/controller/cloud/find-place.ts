// The one network or subnet that a selector means. None and many are answers of their own, in words.

import type { Network, Subnet } from "../../../../core/openstack/neutron-objects.ts";
import { isOpenStackError } from "../../../../core/openstack/openstack-error.ts";
import type { NeutronReader } from "../../../../ports/neutron.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import type { NetworkSelector, SubnetFilter, SubnetSelector } from "../../core/model/intent.ts";
import type { Found } from "../../core/model/observed.ts";

export interface Resolver {
  readonly neutron: NeutronReader;
  readonly call: CloudCallOptions;
}

export async function findNetwork(
  selector: NetworkSelector,
  extra: { readonly external?: boolean },
  { neutron, call }: Resolver,
): Promise<Found<Network>> {
  if (selector.id !== undefined) return await byId("network", selector.id, () => neutron.getNetwork(selector.id, call));
  const { projectID, ...filter } = selector.filter;
  const query = { ...filter, ...(projectID === undefined ? {} : { projectId: projectID }), ...extra };
  return theOnly("network", query, await neutron.listNetworks(query, call));
}

export async function findSubnet(
  selector: SubnetSelector,
  networkId: string | undefined,
  { neutron, call }: Resolver,
): Promise<Found<Subnet>> {
  if (selector.id !== undefined) return await byId("subnet", selector.id, () => neutron.getSubnet(selector.id, call));
  const query = { ...subnetQuery(selector.filter), ...(networkId === undefined ? {} : { networkId }) };
  return theOnly("subnet", query, await neutron.listSubnets(query, call));
}

function subnetQuery({ projectID, gatewayIP, ipv6RAMode, ...filter }: SubnetFilter) {
  return {
    ...filter,
    ...(projectID === undefined ? {} : { projectId: projectID }),
    ...(gatewayIP === undefined ? {} : { gatewayIp: gatewayIP }),
    ...(ipv6RAMode === undefined ? {} : { ipv6RaMode: ipv6RAMode }),
  };
}

async function byId<T>(what: string, id: string, get: () => Promise<T>): Promise<Found<T>> {
  try {
    return { found: "one", value: await get() };
  } catch (error) {
    if (!isOpenStackError(error, "NotFound")) throw error;
    return { found: "none", message: `${what} ${id}: the project can see no such ${what}` };
  }
}

function theOnly<T extends { readonly id: string }>(what: string, query: object, found: readonly T[]): Found<T> {
  const [first, ...others] = found;
  const asked = `${what} ${JSON.stringify(query)}`;
  if (first === undefined) return { found: "none", message: `${asked}: no ${what} fits` };
  if (others.length === 0) return { found: "one", value: first };
  const ids = found.map(({ id }) => id).toSorted();
  return { found: "many", message: `${asked}: ${found.length} fit (${ids.slice(0, 3).join(", ")}…)` };
}
