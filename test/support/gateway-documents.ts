// Documents for gateways: small ones for tests that read, and random ones, good and hostile, for tests that search.

import fc from "fast-check";
import {
  bucketCounts,
  type Endpoint,
  type Forwarding,
  type GatewayDocument,
  protocols,
} from "../../src/jobs/gateway/core/model/document.ts";
import type { LocalGateway } from "../../src/jobs/gateway/core/model/local-gateway.ts";

export const localGateway: LocalGateway = {
  name: "gw-1",
  externalInterface: "ext0",
  internalInterface: "int0",
  ownAddresses: ["198.18.0.2", "198.19.0.2", "fd00:e::2", "fd00:c::2"],
  connectionMark: { bits: 0x1, mask: 0x1 },
};

export function forwarding(fields: Partial<Forwarding> = {}): Forwarding {
  return {
    address: "198.18.0.100",
    protocol: "TCP",
    port: 80,
    service: "default/web",
    endpoints: [
      { address: "198.19.0.21", port: 8080 },
      { address: "198.19.0.22", port: 8080 },
    ],
    buckets: [0, 1],
    affinity: "none",
    source: "group",
    whenEmpty: "reject",
    ...fields,
  };
}

/** One group with two source addresses of each family, and two addresses of each. */
export function gatewayDocument(fields: Partial<GatewayDocument> = {}): GatewayDocument {
  return {
    pool: "pool",
    version: { epoch: 1, generation: 1 },
    vrrp: { mode: "vrrp3", advertIntervalMs: 100, unicast: {} },
    groups: [
      {
        name: "a",
        virtualRouterId: 51,
        order: ["gw-1", "gw-2"],
        sourceAddresses: ["198.19.0.101", "198.19.0.102", "fd00:c::101", "fd00:c::102"],
      },
    ],
    addresses: [
      { address: "198.18.0.100", group: "a" },
      { address: "198.18.0.101", group: "a" },
      { address: "fd00:e::100", group: "a" },
      { address: "fd00:e::101", group: "a" },
    ],
    forwardings: [],
    ...fields,
  };
}

interface Pools {
  readonly addresses: readonly string[];
  readonly endpoints: readonly string[];
  readonly ranges: readonly string[];
}

const pools: readonly Pools[] = [
  {
    addresses: ["198.18.0.100", "198.18.0.101"],
    endpoints: ["198.19.0.21", "198.19.0.22", "198.19.0.23"],
    ranges: ["0.0.0.0/0", "10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "192.0.2.9/24"],
  },
  {
    addresses: ["fd00:e::100", "fd00:e::101"],
    endpoints: ["fd00:c::21", "FD00:C::22", "fd00:c:0::23"],
    ranges: ["::/0", "2001:db8::/32", "2001:db8:1::/48", "2001:DB8::5"],
  },
];

/** From few values, so that two of them share keys, endpoints and ranges often. Not all of their forwardings can be carried at once. */
export function someDocuments(): fc.Arbitrary<GatewayDocument> {
  const sources = fc.subarray(["198.19.0.102", "198.19.0.103", "fd00:c::101", "fd00:c::102"]);
  const addresses = fc.subarray(pools.flatMap((pool) => pool.addresses));
  return fc
    .record({
      one: sources,
      other: sources,
      addresses: fc.tuple(addresses, addresses),
      forwardings: fc.array(fc.oneof(...pools.map(someForwardings)), { maxLength: 8 }),
    })
    .map(({ one, other, addresses: [inOne, inOther], forwardings }) =>
      gatewayDocument({
        groups: [
          { name: "a", virtualRouterId: 51, order: ["gw-1"], sourceAddresses: ["198.19.0.101", ...one] },
          { name: "b", virtualRouterId: 52, order: ["gw-2"], sourceAddresses: ["198.19.0.111", ...other] },
        ],
        addresses: [
          ...inOne.map((address) => ({ address, group: "a" })),
          ...inOther.map((address) => ({ address, group: "b" })),
        ],
        forwardings,
      }),
    );
}

function someForwardings({ addresses, endpoints, ranges }: Pools): fc.Arbitrary<Forwarding> {
  const endpoint: fc.Arbitrary<Endpoint> = fc.record({
    address: fc.constantFrom(...endpoints),
    port: fc.constantFrom(8080, 8081, 65_535),
  });
  return fc
    .record({
      address: fc.constantFrom(...addresses),
      protocol: fc.constantFrom(...protocols),
      port: fc.constantFrom(1, 80, 65_535),
      service: fc.constantFrom("default/web", "kube-system/dns"),
      endpoints: fc.array(endpoint, { maxLength: 4 }),
      count: fc.constantFrom(...bucketCounts.filter((count) => count <= 16)),
      affinity: fc.constantFrom("none", "client"),
      source: fc.constantFrom("group", "group", "client"),
      allowedSources: fc.option(fc.subarray([...ranges]), { nil: undefined }),
      whenEmpty: fc.constantFrom("reject", "drop"),
      shift: fc.nat(3),
    })
    .map(({ count, shift, allowedSources, ...rest }) => ({
      ...rest,
      ...(allowedSources === undefined ? {} : { allowedSources }),
      buckets:
        rest.endpoints.length === 0
          ? []
          : Array.from({ length: count }, (_, bucket) => (bucket + shift) % rest.endpoints.length),
    }));
}

const hostileTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "198.18.0.100",
    "198.18.0.100 }; flush ruleset; add element ip mainstay sources { 198.19.0.9",
    "198.18.0.100\nflush ruleset\n",
    "198.18.0.100 }\nadd table ip evil\n#",
    '"; include "/etc/passwd',
    "fd00:e::100",
    "fd00:e::100%ext0",
    "::ffff:198.18.0.100",
    "0x7f.1",
    "127.0.0.1",
    "10.0.0.0/8; flush ruleset",
    "a",
    "a { }",
    "gw-1",
    "$(reboot)",
    "",
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
);

const hostileNumbers: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(0, 1, 80, 65_535, 65_536, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER, "80", "80 }; flush ruleset", null),
  fc.integer(),
);

/** Good often enough that whole forwardings come through beside bad ones. */
function mostly<T>(good: fc.Arbitrary<T>, hostile: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 30, arbitrary: good }, { weight: 1, arbitrary: hostile });
}

/** Anything that JSON can hold, mostly in the shape of a document, with attempts to end a statement and to begin another. */
export function hostileDocuments(): fc.Arbitrary<unknown> {
  const value = fc.oneof(hostileTexts, hostileNumbers);
  const item = fc.record(
    {
      address: mostly(fc.constantFrom("198.18.0.100", "198.18.0.101"), hostileTexts),
      protocol: mostly(fc.constantFrom(...protocols), hostileTexts),
      port: mostly(fc.integer({ min: 80, max: 90 }), hostileNumbers),
      service: mostly(fc.constant("default/web"), hostileTexts),
      endpoints: fc.array(
        fc.record({
          address: mostly(fc.constantFrom("198.19.0.21", "198.19.0.22"), hostileTexts),
          port: mostly(fc.constant(8080), hostileNumbers),
        }),
        { maxLength: 2 },
      ),
      buckets: mostly(fc.constantFrom([0], [0, 0]), fc.array(hostileNumbers, { maxLength: 2 })),
      affinity: mostly(fc.constantFrom("none", "client"), hostileTexts),
      source: mostly(fc.constant("group"), hostileTexts),
      allowedSources: fc.array(mostly(fc.constantFrom("10.0.0.0/8", "10.1.0.0/16"), hostileTexts), { maxLength: 2 }),
      whenEmpty: mostly(fc.constantFrom("reject", "drop"), hostileTexts),
    },
    {
      requiredKeys: [
        "address",
        "protocol",
        "port",
        "service",
        "endpoints",
        "buckets",
        "affinity",
        "source",
        "whenEmpty",
      ],
    },
  );
  const texts = fc.array(mostly(fc.constantFrom("198.19.0.101", "fd00:c::101"), hostileTexts), { maxLength: 3 });
  const shaped = fc
    .record({
      groups: fc.array(
        fc.record({
          name: mostly(fc.constant("a"), hostileTexts),
          virtualRouterId: mostly(fc.integer({ min: 1, max: 255 }), hostileNumbers),
          order: fc.array(hostileTexts, { maxLength: 2 }),
          sourceAddresses: texts,
        }),
        { maxLength: 3 },
      ),
      addresses: fc.array(fc.record({ address: hostileTexts, group: mostly(fc.constant("a"), hostileTexts) }), {
        maxLength: 4,
      }),
      forwardings: fc.array(fc.oneof({ weight: 9, arbitrary: item }, { weight: 1, arbitrary: value }), {
        maxLength: 6,
      }),
    })
    .map((parts) => ({
      ...gatewayDocument(),
      ...parts,
      groups: [...gatewayDocument().groups, ...parts.groups],
      addresses: [...gatewayDocument().addresses, ...parts.addresses],
    }));
  return fc.oneof({ weight: 9, arbitrary: shaped }, { weight: 1, arbitrary: fc.jsonValue() });
}
