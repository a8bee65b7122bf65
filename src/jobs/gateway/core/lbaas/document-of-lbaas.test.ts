import { describe, expect, test } from "vitest";
import { documentOfLbaas } from "./document-of-lbaas.ts";
import type { LbaasAllowed, LbaasConfig, LbaasForward } from "./lbaas-config.ts";

const version = { epoch: 0, generation: 1 };
const settings = { virtualRouterId: 7, announces: true, hidesClients: true, sourceAddresses: [] };
const forward: LbaasForward = { protocol: "TCP", inboundPort: 80, destinationPort: 8_080, destinations: ["10.0.0.1"] };

function documentOf(config: Partial<LbaasConfig>, more: Partial<typeof settings> = {}) {
  return documentOfLbaas({ ingress: [], policies: [], assignments: [], ...config }, "gw1", version, {
    ...settings,
    ...more,
  });
}

function forwardingOf(fields: Partial<LbaasForward>, config: Partial<LbaasConfig> = {}) {
  return documentOf({ ingress: [{ address: "192.0.2.1", ports: [{ ...forward, ...fields }] }], ...config })
    .forwardings[0];
}

describe("what a gateway carries for a controller of ch-k8s-lbaas", () => {
  test("is the same whatever the order of its lists", () => {
    const ingress = ["192.0.2.9", "192.0.2.10"].map((address) => ({
      address,
      ports: [forward, { ...forward, inboundPort: 443 }],
    }));
    const reversed = ingress.map((one) => ({ ...one, ports: one.ports.toReversed() })).toReversed();
    expect(documentOf({ ingress: reversed })).toEqual(documentOf({ ingress }));
  });

  test("has no group without an address, and sources that move with the addresses", () => {
    expect(documentOf({}).groups).toEqual([]);
    const ingress = [1, 2, 3, 4, 5].map((last) => ({ address: `192.0.2.${last}`, ports: [] }));
    expect(documentOf({ ingress }).groups[0]?.sourceAddresses).toEqual([
      "192.0.2.1",
      "192.0.2.2",
      "192.0.2.3",
      "192.0.2.4",
    ]);
    expect(documentOf({ ingress }, { sourceAddresses: ["10.1.1.1"] as never }).groups[0]?.sourceAddresses).toEqual([
      "10.1.1.1",
    ]);
  });

  test("sends clients nowhere rather than to port 0 or to an address of another family", () => {
    expect(forwardingOf({ destinationPort: 0 })).toMatchObject({ endpoints: [], buckets: [], whenEmpty: "reject" });
    expect(forwardingOf({ destinations: ["fd00::1", "10.0.0.2"] })?.endpoints).toEqual([
      { address: "10.0.0.2", port: 8_080 },
    ]);
  });

  test.each([
    [1, 1],
    [2, 8],
    [4, 16],
    [5, 64],
    [250, 1_024],
    [1_024, 1_024],
  ])("%i endpoints share %i buckets, as evenly as can be", (count, buckets) => {
    const destinations = Array.from({ length: count }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    const given = forwardingOf({ destinations })?.buckets ?? [];
    expect(given).toHaveLength(buckets);
    const shares = destinations.map((_, endpoint) => given.filter((one) => one === endpoint).length);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
  });
});

describe("NetworkPolicies that it sends along", () => {
  const allow = (...allowed: readonly LbaasAllowed[]) => ({
    policies: [{ name: "p", allowed }],
    assignments: [{ address: "10.0.0.1", policies: ["p"] }],
  });
  const block = (range: string, ...except: readonly string[]): LbaasAllowed => ({
    blocks: [{ allow: range, except }],
    ports: [],
  });
  test.each<readonly [string, Partial<LbaasConfig>, readonly string[] | undefined]>([
    ["none for this endpoint: anybody", { assignments: [{ address: "10.9.9.9", policies: [] }] }, undefined],
    ["one that allows nothing: nobody", allow(), []],
    ["one that is named and missing: nobody", { assignments: [{ address: "10.0.0.1", policies: ["q"] }] }, []],
    ["any source", allow({ blocks: [], ports: [] }), undefined],
    ["a range", allow(block("198.51.100.7/24")), ["198.51.100.0/24"]],
    [
      "a range with a hole",
      allow(block("198.51.100.0/24", "198.51.100.0/26")),
      ["198.51.100.128/25", "198.51.100.64/26"],
    ],
    ["a range that is all hole", allow(block("198.51.100.0/24", "198.51.0.0/16")), []],
    ["another port", allow({ ...block("198.51.100.0/24"), ports: [{ protocol: "TCP", port: 80 }] }), []],
    ["another protocol", allow({ ...block("198.51.100.0/24"), ports: [{ protocol: "UDP" }] }), []],
    [
      "ports with this one among them",
      allow({ ...block("198.51.100.0/24"), ports: [{ protocol: "TCP", port: 8_000, endPort: 9_000 }] }),
      ["198.51.100.0/24"],
    ],
    ["the whole protocol", allow({ ...block("198.51.100.0/24"), ports: [{ protocol: "TCP" }] }), ["198.51.100.0/24"]],
    ["two entries", allow(block("198.51.100.0/24"), block("203.0.113.0/24")), ["198.51.100.0/24", "203.0.113.0/24"]],
  ])("%s", (_, config, sources) => {
    expect(forwardingOf({}, config)?.allowedSources).toEqual(sources);
  });

  test("endpoints that differ: only who is allowed by each of them", () => {
    const policies = [
      { name: "wide", allowed: [block("198.51.0.0/16")] },
      { name: "narrow", allowed: [block("198.51.100.0/24"), block("203.0.113.0/24")] },
    ];
    const assignments = [
      { address: "10.0.0.1", policies: ["wide"] },
      { address: "10.0.0.2", policies: ["narrow"] },
    ];
    const destinations = ["10.0.0.1", "10.0.0.2", "10.0.0.3"];
    expect(forwardingOf({ destinations }, { policies, assignments })?.allowedSources).toEqual(["198.51.100.0/24"]);
  });

  test("IPv6 ranges are ranges, too", () => {
    const config = allow(block("2001:db8::/32", "2001:db8:8000::/33"));
    expect(forwardingOf({}, config)?.allowedSources).toEqual(["2001:db8::/33"]);
  });
});
