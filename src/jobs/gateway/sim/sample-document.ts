// Documents for tests and simulations, of which only what matters has to be said.

import type { Forwarding, GatewayDocument, VrrpGroup } from "../core/model/document.ts";
import type { LocalGateway } from "../core/model/local-gateway.ts";

export function sampleLocal(fields: Partial<LocalGateway> = {}): LocalGateway {
  return {
    name: "gw1",
    externalInterface: "ext0",
    internalInterface: "int0",
    ownAddresses: [],
    connectionMark: { bits: 1, mask: 1 },
    ...fields,
  };
}

export function sampleGroup(fields: Partial<VrrpGroup> = {}): VrrpGroup {
  return {
    name: "a",
    virtualRouterId: 51,
    order: ["gw1", "gw3", "gw2"],
    sourceAddresses: ["198.19.0.101", "198.19.0.102", "fd00:c::101"],
    ...fields,
  };
}

export function sampleForwarding(fields: Partial<Forwarding> = {}): Forwarding {
  const endpoints = fields.endpoints ?? [{ address: "10.0.0.11", port: 8_080 }];
  return {
    address: "198.18.0.100",
    protocol: "TCP",
    port: 80,
    service: "default/web",
    endpoints,
    buckets: endpoints.length === 0 ? [] : Array.from({ length: 16 }, (_, bucket) => bucket % endpoints.length),
    affinity: "none",
    source: "group",
    whenEmpty: "reject",
    ...fields,
  };
}

export function sampleDocument(fields: Partial<GatewayDocument> = {}): GatewayDocument {
  const forwardings = fields.forwardings ?? [sampleForwarding()];
  const addresses = [...new Set(forwardings.map(({ address }) => address))];
  return {
    pool: "public",
    version: { epoch: 1, generation: 1 },
    vrrp: { mode: "vrrp3", advertIntervalMs: 100, unicast: {} },
    groups: [sampleGroup()],
    addresses: addresses.map((address) => ({ address, group: "a" })),
    ...fields,
    forwardings,
  };
}
