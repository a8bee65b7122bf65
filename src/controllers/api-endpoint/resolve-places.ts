// Turns the selectors of a spec into the networks and subnets they mean. A selector that leads to none or to many is an answer of its
// own, so that it stops its zone and nothing else.

import type { EndpointIntent, NetworkSelector, SubnetFilter, SubnetSelector } from "../../core/api-endpoint/intent.ts";
import type { Found, Places } from "../../core/api-endpoint/observed.ts";
import type { Network, Subnet } from "../../core/openstack/neutron-objects.ts";
import { isOpenStackError } from "../../core/openstack/openstack-error.ts";
import type { NeutronReader } from "../../ports/neutron.ts";
import type { CloudCallOptions } from "../../ports/openstack.ts";

interface Resolver {
  readonly neutron: NeutronReader;
  readonly call: CloudCallOptions;
}

export async function resolvePlaces(
  intent: EndpointIntent,
  neutron: NeutronReader,
  call: CloudCallOptions,
): Promise<Places> {
  const resolver = { neutron, call };
  const clusterNetwork = await clusterNetworkOf(intent, resolver);
  const [network, clusterSubnets, externalNetwork] = await Promise.all([
    intent.network === undefined ? clusterNetwork : findNetwork(intent.network, {}, resolver),
    clusterSubnetsOf(intent, clusterNetwork, resolver),
    externalNetworkOf(intent, resolver),
  ]);
  const [zoneSubnets, singleSubnet, routerAddresses] = await Promise.all([
    zoneSubnetsOf(intent, network, resolver),
    singleSubnetOf(intent, network, clusterSubnets, resolver),
    routerAddressesOf(clusterNetwork, resolver),
  ]);
  return { network, zoneSubnets, singleSubnet, clusterNetwork, clusterSubnets, externalNetwork, routerAddresses };
}

async function clusterNetworkOf(intent: EndpointIntent, resolver: Resolver): Promise<Found<Network> | undefined> {
  if (intent.clusterNetwork !== undefined) return await findNetwork(intent.clusterNetwork, {}, resolver);
  const [first] = intent.clusterSubnets;
  if (first === undefined) return undefined;
  const subnet = await findSubnet(first, undefined, resolver);
  return subnet.found === "one" ? await findNetwork({ id: subnet.value.networkId }, {}, resolver) : subnet;
}

async function clusterSubnetsOf(
  { clusterSubnets }: EndpointIntent,
  network: Found<Network> | undefined,
  { neutron, call }: Resolver,
): Promise<readonly Subnet[]> {
  if (network?.found !== "one") return [];
  const { id: networkId } = network.value;
  if (clusterSubnets.length === 0) return await neutron.listSubnets({ networkId }, call);
  const found = await Promise.all(clusterSubnets.map((selector) => findSubnet(selector, networkId, { neutron, call })));
  return found.flatMap((one) => (one.found === "one" ? [one.value] : []));
}

async function externalNetworkOf(intent: EndpointIntent, resolver: Resolver): Promise<Found<Network> | undefined> {
  if (intent.externalNetworkDisabled || !intent.floatingIp.enabled) return undefined;
  return await findNetwork(intent.externalNetwork ?? { filter: {} }, { external: true }, resolver);
}

/** A filter looks within the balancers' network; an id may name a subnet elsewhere, and the planner then says so. */
async function zoneSubnetsOf(
  { zones }: EndpointIntent,
  network: Found<Network> | undefined,
  resolver: Resolver,
): Promise<Places["zoneSubnets"]> {
  const networkId = network?.found === "one" ? network.value.id : undefined;
  const found = await Promise.all(zones.map(({ subnet }) => findSubnet(subnet, networkId, resolver)));
  return new Map(
    zones.map(({ zone }, index) => [zone, found[index] ?? { found: "none", message: `zone ${zone}: not looked up` }]),
  );
}

/** The legacy rules: the first of the balancer's own subnets, else, on the cluster's network, the cluster's first. */
async function singleSubnetOf(
  { mode, subnets, network: own }: EndpointIntent,
  network: Found<Network> | undefined,
  clusterSubnets: readonly Subnet[],
  resolver: Resolver,
): Promise<Found<Subnet> | undefined> {
  if (mode !== "single" || network?.found !== "one") return undefined;
  const [first] = subnets;
  if (own !== undefined && first !== undefined) return await findSubnet(first, network.value.id, resolver);
  const [value] = own === undefined ? clusterSubnets : [];
  return value === undefined ? undefined : { found: "one", value };
}

/** A router's foot in a subnet: of a plain, a distributed and a redundant one. */
const routerPortOwners = [
  "network:router_interface",
  "network:router_interface_distributed",
  "network:ha_router_replicated_interface",
] as const;

/** Workers reach the balancers through these addresses, so access lists must name them. */
async function routerAddressesOf(
  network: Found<Network> | undefined,
  { neutron, call }: Resolver,
): Promise<readonly string[]> {
  if (network?.found !== "one") return [];
  const { id: networkId } = network.value;
  const ports = await Promise.all(
    routerPortOwners.map((deviceOwner) => neutron.listPorts({ networkId, deviceOwner }, call)),
  );
  const ids = [...new Set(ports.flat().map(({ deviceId }) => deviceId))].toSorted();
  const routers = ids.length === 0 ? [] : await neutron.listRouters({ ids }, call);
  return routers.flatMap(({ externalAddresses }) => externalAddresses).toSorted();
}

async function findNetwork(
  selector: NetworkSelector,
  extra: { readonly external?: boolean },
  { neutron, call }: Resolver,
): Promise<Found<Network>> {
  if (selector.id !== undefined) return await byId("network", selector.id, () => neutron.getNetwork(selector.id, call));
  const { projectID, ...filter } = selector.filter;
  const query = { ...filter, ...(projectID === undefined ? {} : { projectId: projectID }), ...extra };
  return theOnly("network", query, await neutron.listNetworks(query, call));
}

async function findSubnet(
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
