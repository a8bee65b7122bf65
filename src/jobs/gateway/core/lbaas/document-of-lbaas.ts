// The document that a gateway carries for a controller of ch-k8s-lbaas. The same configuration gives the same document on every gateway,
// but for its own place: the reference has no order, each gateway knows its own priority.

import { byText } from "../../../../core/by-text.ts";
import { canonicalAddress, familyOf } from "../../../../core/net/ip.ts";
import {
  bucketCounts,
  type DocumentVersion,
  type Endpoint,
  type Forwarding,
  forwardingKey,
  type GatewayDocument,
} from "../model/document.ts";
import { type AllowedSources, allowedSourcesBy } from "./allowed-sources.ts";
import type { LbaasConfig, LbaasForward } from "./lbaas-config.ts";

export interface LbaasSettings {
  readonly virtualRouterId: number;
  /** False: somebody else announces the addresses, as on VyOS. */
  readonly announces: boolean;
  /** False: gateways are the endpoints' way back, so clients keep their addresses. */
  readonly hidesClients: boolean;
  /** What endpoints see. Empty: the first addresses of Services, since they move with the group. */
  readonly sourceAddresses: readonly string[];
}

export const lbaasGroup = "lbaas-vips";

export function documentOfLbaas(
  config: LbaasConfig,
  gateway: string,
  version: DocumentVersion,
  settings: LbaasSettings,
): GatewayDocument {
  const known = config.ingress.flatMap(({ address: text, ports }) => {
    const address = canonicalAddress(text);
    return address === undefined ? [] : [{ address, ports }];
  });
  const addresses = [...new Set(known.map(({ address }) => address))].toSorted();
  const group = {
    name: lbaasGroup,
    virtualRouterId: settings.virtualRouterId,
    order: settings.announces ? [gateway] : [],
    sourceAddresses: settings.sourceAddresses.length > 0 ? settings.sourceAddresses : firstOfEach(addresses),
  };
  const allowed = allowedSourcesBy(config);
  const forwardings = known.flatMap(({ address, ports }) =>
    ports
      .filter(({ inboundPort }) => inboundPort > 0)
      .map((forward) => forwardingOf(address, forward, settings, allowed)),
  );
  return {
    pool: "ch-k8s-lbaas",
    version,
    vrrp: { mode: "compat", advertIntervalMs: 1_000, unicast: {} },
    groups: addresses.length === 0 ? [] : [group],
    addresses: addresses.map((address) => ({ address, group: lbaasGroup })),
    forwardings: firstOfKey(forwardings).toSorted(byText(forwardingKey)),
  };
}

const sourcesOfEachFamily = 4;

function firstOfEach(addresses: readonly string[]): readonly string[] {
  return ([4, 6] as const).flatMap((family) =>
    addresses.filter((address) => familyOf(address) === family).slice(0, sourcesOfEachFamily),
  );
}

/** The reference writes one rule after the other, and the first that matches counts. */
function firstOfKey(forwardings: readonly Forwarding[]): readonly Forwarding[] {
  return [...new Map(forwardings.toReversed().map((forwarding) => [forwardingKey(forwarding), forwarding])).values()];
}

function forwardingOf(
  address: string,
  forward: LbaasForward,
  { hidesClients }: LbaasSettings,
  allowed: AllowedSources,
): Forwarding {
  const { protocol, inboundPort: port, destinationPort } = forward;
  const endpoints = endpointsOf(address, forward.destinations, destinationPort);
  const allowedSources = allowed(forward);
  return {
    address,
    protocol,
    port,
    // It does not say whose forward this is.
    service: `ch-k8s-lbaas/${protocol.toLowerCase()}-${port}`,
    endpoints,
    buckets: bucketsFor(endpoints.length),
    affinity: "none",
    source: hidesClients ? "group" : "client",
    ...(allowedSources === undefined ? {} : { allowedSources }),
    whenEmpty: "reject",
  };
}

function endpointsOf(virtual: string, destinations: readonly string[], port: number): readonly Endpoint[] {
  const family = familyOf(virtual);
  const addresses = destinations
    .flatMap((text) => canonicalAddress(text) ?? [])
    .filter((one) => familyOf(one) === family);
  const most = bucketCounts.at(-1) ?? 0;
  // A port of 0 comes from Services without node ports: there is nobody to send to.
  return port < 1
    ? []
    : [...new Set(addresses)]
        .toSorted()
        .slice(0, most)
        .map((address) => ({ address, port }));
}

/** In turn: every gateway comes to the same without knowing what was before. */
function bucketsFor(endpoints: number): readonly number[] {
  if (endpoints === 0) return [];
  const count = endpoints === 1 ? 1 : (bucketCounts.find((size) => size >= endpoints * 4) ?? bucketCounts.at(-1) ?? 0);
  return Array.from({ length: count }, (_, bucket) => bucket % endpoints);
}
