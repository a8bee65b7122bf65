// Turns the selectors of a spec into the networks and subnets they mean. A selector that leads to none or to many is an answer of its
// own, so that it stops its zone and nothing else.

import type { Network, Subnet } from "../../../../core/openstack/neutron-objects.ts";
import { type EndpointIntent, zonesOf } from "../../core/model/intent.ts";
import type { Found, Places } from "../../core/model/observed.ts";
import { findNetwork, findSubnet, type Resolver } from "./find-place.ts";

export async function resolvePlaces(intent: EndpointIntent, resolver: Resolver): Promise<Places> {
  const clusterNetwork = await clusterNetworkOf(intent, resolver);
  const [network, chosen, externalNetwork] = await Promise.all([
    intent.network === undefined ? clusterNetwork : findNetwork(intent.network, {}, resolver),
    clusterSubnetsOf(intent, clusterNetwork, resolver),
    externalNetworkOf(intent, resolver),
  ]);
  const clusterSubnets = foundOf(chosen);
  const balancersNetwork = foundOf([network]).map(({ id }) => id);
  const clusterNetworks = [
    ...new Set([...foundOf([clusterNetwork]).map(({ id }) => id), ...clusterSubnets.map(({ networkId }) => networkId)]),
  ];
  const nodeNetworks = clusterNetwork === undefined ? balancersNetwork : clusterNetworks;
  const [zoneSubnets, singleSubnet, routerAddresses, subnets] = await Promise.all([
    zoneSubnetsOf(intent, network, resolver),
    singleSubnetOf(intent, network, clusterSubnets, resolver),
    routerAddressesOf(nodeNetworks, resolver),
    subnetsOf([...new Set([...nodeNetworks, ...balancersNetwork])], resolver),
  ]);
  return {
    network,
    zoneSubnets,
    singleSubnet,
    clusterNetwork,
    clusterSubnets,
    clusterUnresolved: chosen.flatMap((one) => (one.found === "one" ? [] : [one.message])),
    knownSubnets: once([...clusterSubnets, ...subnets, ...foundOf([...zoneSubnets.values(), singleSubnet])]),
    externalNetwork,
    routerAddresses,
  };
}

function foundOf<T>(all: readonly (Found<T> | undefined)[]): readonly T[] {
  return all.flatMap((one) => (one?.found === "one" ? [one.value] : []));
}

function once(subnets: readonly Subnet[]): readonly Subnet[] {
  return [...new Map(subnets.map((subnet) => [subnet.id, subnet])).values()];
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
  resolver: Resolver,
): Promise<readonly Found<Subnet>[]> {
  if (network?.found !== "one") return [];
  const { id: networkId } = network.value;
  if (clusterSubnets.length === 0)
    return (await subnetsOf([networkId], resolver)).map((value) => ({ found: "one", value }));
  return await Promise.all(clusterSubnets.map((selector) => findSubnet(selector, network.value, resolver)));
}

async function subnetsOf(networkIds: readonly string[], { neutron, call, ask }: Resolver): Promise<readonly Subnet[]> {
  const list = (networkId: string) => ask(`subnets of ${networkId}`, () => neutron.listSubnets({ networkId }, call));
  const found = await Promise.all(networkIds.map(list));
  return found.flat();
}

async function externalNetworkOf(intent: EndpointIntent, resolver: Resolver): Promise<Found<Network> | undefined> {
  if (intent.externalNetworkDisabled || !intent.floatingIp.enabled) return undefined;
  return await findNetwork(intent.externalNetwork ?? { filter: {} }, { external: true }, resolver);
}

/** A filter looks within the balancers' network; an id may name a subnet elsewhere, and the planner then says so. */
async function zoneSubnetsOf(
  intent: EndpointIntent,
  network: Found<Network> | undefined,
  resolver: Resolver,
): Promise<Places["zoneSubnets"]> {
  const within = network?.found === "one" ? network.value : undefined;
  const zones = zonesOf(intent);
  const found = await Promise.all(zones.map(({ subnet }) => findSubnet(subnet, within, resolver)));
  return new Map(
    zones.map(({ zone }, index) => [zone, found[index] ?? { found: "none", message: `zone ${zone}: not looked up` }]),
  );
}

/** The legacy rules: the first of the balancer's own subnets, else, on the cluster's network, the cluster's first. */
async function singleSubnetOf(
  intent: EndpointIntent,
  network: Found<Network> | undefined,
  clusterSubnets: readonly Subnet[],
  resolver: Resolver,
): Promise<Found<Subnet> | undefined> {
  if (intent.mode !== "single" || network?.found !== "one") return undefined;
  const { network: own, subnets } = intent;
  const [first] = subnets;
  if (own !== undefined && first !== undefined) return await findSubnet(first, network.value, resolver);
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
  networkIds: readonly string[],
  { neutron, call, ask }: Resolver,
): Promise<readonly string[]> {
  const queries = networkIds.flatMap((networkId) =>
    routerPortOwners.map((deviceOwner) => ({ networkId, deviceOwner })),
  );
  const ports = await Promise.all(
    queries.map((query) => ask(`ports ${JSON.stringify(query)}`, () => neutron.listPorts(query, call))),
  );
  const ids = [...new Set(ports.flat().map(({ deviceId }) => deviceId))].toSorted();
  const routers = ids.length === 0 ? [] : await ask(`routers ${ids.join()}`, () => neutron.listRouters({ ids }, call));
  return [...new Set(routers.flatMap(({ externalAddresses }) => externalAddresses))].toSorted();
}
