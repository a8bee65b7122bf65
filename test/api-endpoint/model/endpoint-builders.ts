// Builders of intents, machines and places for tests of the api-endpoint planner. Each shows only what matters.

import type { Network, Subnet } from "../../../src/core/openstack/neutron-objects.ts";
import {
  type BalancerMode,
  type EndpointIntent,
  type ZoneMapping,
  zonesOf,
} from "../../../src/jobs/api-endpoint/core/model/intent.ts";
import type { Capabilities, MachineObserved, Places } from "../../../src/jobs/api-endpoint/core/model/observed.ts";
import { type Port, tcpPort } from "../../../src/jobs/api-endpoint/core/model/port.ts";

export const cluster = { namespace: "default", name: "demo" } as const;
export const ownerId = "0a1b2c3d-owner";
export const location = "p/RegionOne";
export const legacyName = "k8s-clusterapi-cluster-default-demo-kubeapi";
export const capoDescription = "Created by cluster-api-provider-openstack cluster default-demo";

export function zoneBalancerName(zone: string): string {
  return `k8s-clusterapi-cluster-default-demo-${zone}-kubeapi`;
}

export function tcpPorts(...numbers: readonly number[]): readonly Port[] {
  return numbers.map(tcpPort);
}

const monitor = { delaySeconds: 10, timeoutSeconds: 5, maxRetries: 5, maxRetriesDown: 3 };

export const single: BalancerMode = { mode: "single", availabilityZone: undefined, subnets: [] };

export function intent(over: Partial<EndpointIntent> = {}): EndpointIntent {
  return {
    door: "OpenStackCluster",
    object: { namespace: "default", name: "demo" },
    cluster,
    deleting: false,
    ownerId,
    location,
    ...((over.mode ?? "single") === "single" ? single : {}),
    crossZone: false,
    endpoint: undefined,
    apiPort: tcpPort(6443),
    additionalPorts: [],
    allowedCidrs: [],
    monitor,
    provider: undefined,
    flavor: undefined,
    floatingIp: { enabled: true, address: undefined },
    fixedIp: undefined,
    network: undefined,
    clusterNetwork: { id: "net" },
    clusterSubnets: [],
    externalNetwork: undefined,
    externalNetworkDisabled: false,
    tags: [],
    idleTimeoutMs: 1_800_000,
    consents: { repair: false, removeLegacy: false, adoptLegacy: false, minZones: undefined },
    publishDns: false,
    ...over,
  } as EndpointIntent;
}

/** The same wish for other balancers. */
export function withMode(asked: EndpointIntent, mode: BalancerMode): EndpointIntent {
  const ofAMode = new Set(["zones", "availabilityZone", "subnets"]);
  const settings = Object.fromEntries(Object.entries(asked).filter(([field]) => !ofAMode.has(field)));
  return { ...settings, ...mode } as EndpointIntent;
}

/** The same wish with another mapping. */
export function remapped(
  asked: EndpointIntent,
  change: (zones: readonly ZoneMapping[]) => readonly ZoneMapping[],
): EndpointIntent {
  return withMode(asked, { mode: "zones", zones: change(zonesOf(asked)) });
}

export const dnsEndpoint = { host: "api.demo.example.com", port: 6443 };

/** A mapping of these zones, each with the subnet `sub-<zone>`. */
export function zonesIntent(zones: readonly string[], over: Partial<EndpointIntent> = {}): EndpointIntent {
  return intent({
    mode: "zones",
    zones: zones.map((zone) => ({ zone, subnet: { id: `sub-${zone}` } })),
    network: { id: "net" },
    endpoint: dnsEndpoint,
    ...over,
  });
}

const number = (zone: string) => Number(/\d+$/.exec(zone)?.[0] ?? 9);

export function subnetOf(zone: string, over: Partial<Subnet> = {}): Subnet {
  const cidr = `10.0.${number(zone)}.0/24`;
  return {
    id: `sub-${zone}`,
    name: zone,
    networkId: "net",
    cidr,
    ipVersion: 4,
    tags: [],
    projectId: "p",
    ...over,
  };
}

export const nodeSubnet: Subnet = {
  id: "sub-nodes",
  name: "nodes",
  networkId: "net",
  cidr: "10.6.0.0/16",
  ipVersion: 4,
  tags: [],
  projectId: "p",
};

export function networkOf(id: string, over: Partial<Network> = {}): Network {
  return { id, name: id, tags: [], subnetIds: [], external: false, projectId: "p", ...over };
}

export function one<T>(value: T): { readonly found: "one"; readonly value: T } {
  return { found: "one", value };
}

export function placesOf(zones: readonly string[], over: Partial<Places> = {}): Places {
  return {
    network: one(networkOf("net")),
    zoneSubnets: new Map(zones.map((zone) => [zone, one(subnetOf(zone))])),
    singleSubnet: one(nodeSubnet),
    clusterNetwork: one(networkOf("net")),
    clusterSubnets: [nodeSubnet],
    clusterUnresolved: [],
    knownSubnets: [nodeSubnet, ...zones.map((zone) => subnetOf(zone))],
    externalNetwork: one(networkOf("public", { external: true })),
    routerAddresses: ["203.0.113.7"],
    ...over,
  };
}

export const amphora: Capabilities = {
  version: [2, 26],
  providers: ["amphora", "ovn"],
  availabilityZones: ["az1", "az2", "az3", "az4"],
  flavors: [{ id: "f-small", name: "small", enabled: true }],
  refused: [{ provider: "amphora", feature: "failover" }],
};

/** A cloud of which so much more was learnt. */
export function refusing(...refused: Capabilities["refused"]): Capabilities {
  return { ...amphora, refused: [...amphora.refused, ...refused] };
}

/** An old Neutron: whose a floating IP is stands in its description alone. */
export const noFloatingIpTags = { provider: "neutron", feature: "floating-ip-tags" } as const;
export const withoutFloatingIpTags = refusing(noFloatingIpTags);

/** What is learnt of OVN where it is the cloud's own choice. */
export const ovnRefusals: Capabilities["refused"] = [
  { provider: "", feature: "availability-zone" },
  { provider: "ovn", feature: "failover" },
];

/** Machine `cp-<zone>-<n>` at `10.6.<zone number>.<n>`. */
export function machine(zone: string, n: number, over: Partial<MachineObserved> = {}): MachineObserved {
  return { name: `cp-${zone}-${n}`, zone, addresses: [`10.6.${number(zone)}.${n}`], deleting: false, ...over };
}
