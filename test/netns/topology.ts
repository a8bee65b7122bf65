// A client, gateways and two endpoints, each in a namespace of its own, on two links: one that clients use and one of the cluster.
//
//   client ── ext ──┬── gw1 ──┬── int ──┬── b1
//                   └── gw2 ──┘         └── b2

import { type GatewayNode, gatewayNode } from "./gateway-node.ts";
import { makeNamespace, type Namespace, removeLeftNamespaces } from "./namespace.ts";

export interface Topology {
  readonly client: Namespace;
  /** b1 and b2. */
  readonly servers: readonly [Namespace, Namespace];
  /** At first two: gw1 and gw2. */
  readonly gateways: readonly [GatewayNode, GatewayNode, ...GatewayNode[]];
  /** The next one, by number. */
  addGateway(): Promise<GatewayNode>;
  /** Names of gateways that hold this address now. */
  owners(address: string): Promise<readonly string[]>;
  remove(): Promise<void>;
}

export const endpointPort = 8_080;
/** A port on which the gateways themselves answer. */
export const gatewayPort = 9_999;
export const endpoints = {
  four: [
    { address: "198.19.0.11", port: endpointPort },
    { address: "198.19.0.12", port: endpointPort },
  ],
  six: [
    { address: "fd00:c::11", port: endpointPort },
    { address: "fd00:c::12", port: endpointPort },
  ],
} as const;
export const clients = ["198.18.0.9", "198.18.0.10"] as const;
const clientHosts = ["9", "10", "31", "32", "33", "34", "35", "36", "37", "38"];
export const manyClients = clientHosts.map((host) => `198.18.0.${host}`);
/** Where endpoints send what is not for their link: the first source address of each family, which moves with the gateway that leads. */
const wayBack = ["198.19.0.101", "fd00:c::101"];

type Place = "ext" | "int";
const netOf = (place: Place) => (place === "ext" ? "198.18.0" : "198.19.0");
const net6Of = (place: Place) => (place === "ext" ? "fd00:e:" : "fd00:c:");

export async function makeTopology(): Promise<Topology> {
  await removeLeftNamespaces();
  const removals: (() => Promise<void>)[] = [];
  const remove = async () => {
    for (const one of removals.toReversed()) await one();
  };
  try {
    const make = async (role: string) => {
      const space = await makeNamespace(role);
      removals.push(() => space.remove());
      return space;
    };
    const hub = await make("hub");
    for (const place of ["ext", "int"])
      await hub.ip([`link add ${place} type bridge mcast_snooping 0`, `link set ${place} up`]);
    const client = await make("client");
    await attach(hub, client, "ext", clientHosts);
    const server = async (name: string, host: number) => {
      const endpoint = await make(name);
      await attach(hub, endpoint, "int", [String(host)]);
      await endpoint.ip(wayBack.map((address) => `route add default via ${address}`));
      await endpoint.ask({ do: "serve", port: endpointPort, name });
      return endpoint;
    };
    const servers = [await server("b1", 11), await server("b2", 12)] as const;
    const gateways: [GatewayNode, GatewayNode, ...GatewayNode[]] = [await gateway(1), await gateway(2)];
    async function gateway(number: number): Promise<GatewayNode> {
      const name = `gw${number}`;
      const space = await makeNamespace(name);
      const links = [
        await attach(hub, space, "ext", [String(number)]),
        await attach(hub, space, "int", [String(number)]),
      ];
      await settings(space);
      await space.ask({ do: "serve", port: gatewayPort, name: "gateway" });
      const own = (["ext", "int"] as const).flatMap((place) => [
        `${netOf(place)}.${number}`,
        `${net6Of(place)}:${number}`,
      ]);
      const node = await gatewayNode(name, space, own, (isCut) =>
        hub.ip(links.map((link) => `link set ${link} ${isCut ? "down" : "up"}`)),
      );
      removals.push(() => node.remove());
      return node;
    }
    return {
      client,
      servers,
      gateways,
      async addGateway() {
        const added = await gateway(gateways.length + 1);
        gateways.push(added);
        return added;
      },
      async owners(address) {
        const found: string[] = [];
        for (const one of gateways) if ((await one.addresses()).includes(address)) found.push(one.name);
        return found;
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Gives the namespace an interface on a link; answers with the name of its other end. */
async function attach(hub: Namespace, space: Namespace, place: Place, hosts: readonly string[]): Promise<string> {
  const [near, far] = [`${place}0`, `${place}-${space.name.split("-").at(-1)}`];
  for (const which of ["all", "default"])
    await space.ask({ do: "set", path: `/proc/sys/net/ipv6/conf/${which}/accept_dad`, text: "0" });
  await hub.ip([
    `link add ${far} type veth peer name ${near} netns ${space.name}`,
    `link set ${far} master ${place}`,
    `link set ${far} up`,
  ]);
  const prefixed = hosts.flatMap((host) => [`${netOf(place)}.${host}/24`, `${net6Of(place)}:${host}/64`]);
  await space.ip([
    "link set lo up",
    `link set ${near} up`,
    ...prefixed.map((address) => `address add ${address} dev ${near}${address.includes(":") ? " nodad" : ""}`),
  ]);
  return far;
}

/** Of a gateway, as the agent's guide has them. */
async function settings(space: Namespace): Promise<void> {
  const values = {
    "ipv4/ip_forward": "1",
    "ipv6/conf/all/forwarding": "1",
    "ipv4/conf/all/rp_filter": "0",
    "ipv4/conf/ext0/rp_filter": "0",
    "ipv4/conf/int0/rp_filter": "0",
    "ipv4/conf/all/send_redirects": "0",
    "netfilter/nf_conntrack_tcp_be_liberal": "1",
    "netfilter/nf_conntrack_tcp_loose": "1",
    "ipv4/neigh/int0/retrans_time_ms": "100",
    "ipv6/neigh/int0/retrans_time_ms": "100",
  };
  for (const [path, text] of Object.entries(values))
    await space.ask({ do: "set", path: `/proc/sys/net/${path}`, text });
}
