import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GatewayPool, GatewayPoolSpec } from "../../apis/gateway-pool.ts";
import { addressNumber, addressRanges, addressText, isInRanges, parseAddressRange } from "./address-ranges.ts";
import { poolCollisions, poolRangeProblems } from "./pool-problems.ts";

describe("ranges of addresses", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7", "192.0.2.7"],
    ["192.0.2.10 - 192.0.2.20", "192.0.2.10", "192.0.2.20"],
    ["192.0.2.35/30", "192.0.2.32", "192.0.2.35"],
    ["0.0.0.0/0", "0.0.0.0", "255.255.255.255"],
    ["2001:db8::f0-2001:db8::1:0", "2001:db8::f0", "2001:db8::1:0"],
    ["2001:db8::/64", "2001:db8::", "2001:db8::ffff:ffff:ffff:ffff"],
  ])("%s", (text, first, last) => {
    const range = parseAddressRange(text);
    expect(range && [addressText(range.family, range.from), addressText(range.family, range.to)]).toEqual([
      first,
      last,
    ]);
  });

  test.each(["", "192.0.2.20-192.0.2.10", "192.0.2.1-2001:db8::1", "192.0.2.1-", "1-2-3", "192.0.2.0/33", "host"])(
    "%j is none",
    (text) => {
      expect(parseAddressRange(text)).toBeUndefined();
    },
  );

  test("are merged, and hold what each of them holds and nothing else", () => {
    const number = fc.integer({ min: 0, max: 40 });
    const range = fc.tuple(number, fc.integer({ min: 0, max: 8 })).map(([from, size]) => [from, from + size] as const);
    fc.assert(
      fc.property(fc.array(range, { maxLength: 6 }), (ranges) => {
        const merged = addressRanges(ranges.map(([from, to]) => `10.0.0.${from}-10.0.0.${to}`));
        for (let n = 0; n < 52; n += 1) {
          expect(isInRanges(`10.0.0.${n}`, merged)).toBe(ranges.some(([from, to]) => from <= n && n <= to));
        }
        const gaps = merged.slice(1).map(({ from }, i) => from - (merged[i]?.to ?? from));
        expect(gaps.filter((gap) => gap <= 1n)).toEqual([]);
      }),
    );
  });

  test("turn into numbers and back", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        const number = addressNumber(address) ?? -1n;
        const text = addressText(address.includes(":") ? 6 : 4, number);
        expect(addressNumber(text)).toBe(number);
      }),
    );
  });
});

function pool(name: string, spec: GatewayPoolSpec, age = "2026-01-01T00:00:00Z"): GatewayPool {
  const metadata = { name, creationTimestamp: age };
  return { apiVersion: "mainstay.dev/v1alpha1", kind: "GatewayPool", metadata, spec };
}

const vrrp = (base: number, ...sourceAddresses: readonly string[]) => ({
  virtualRouterIDBase: base,
  groups: [{ name: "a", sourceAddresses }],
});
const gateways = (...names: readonly string[]) => names.map((name) => ({ name, url: `https://${name}` }));
const listed = (...ipv4: readonly string[]) => ({ static: { ipv4 } });

describe("a pool's own addresses", () => {
  test.each([
    ["nothing", listed("192.0.2.1", "192.0.2.2-192.0.2.9"), []],
    ["a range that ends before it begins", listed("192.0.2.9-192.0.2.2"), ["spec.addresses.static.ipv4[0]"]],
    ["an address twice", listed("192.0.2.1-192.0.2.9", "192.0.2.8/31"), ["spec.addresses.static.ipv4[1]"]],
    ["a source address of a group", listed("10.0.0.10"), ["spec.vrrp.groups[0].sourceAddresses[0]"]],
    ["where a gateway speaks VRRP from", listed("10.0.0.0/30"), ["spec.gateways[0].vrrpAddress"]],
  ])("are wrong: %s", (_, addresses, expected) => {
    const [gateway] = gateways("gw1").map((one) => ({ ...one, vrrpAddress: "10.0.0.1" }));
    const spec = { addresses, vrrp: vrrp(1, "10.0.0.10"), gateways: gateway === undefined ? [] : [gateway] };
    expect(poolRangeProblems(pool("p", spec)).map(({ where }) => where)).toEqual(expected);
  });
});

describe("two pools", () => {
  const older = pool("older", {
    addresses: listed("192.0.2.1-192.0.2.9"),
    gateways: gateways("gw1"),
    vrrp: vrrp(50, "10.0.0.1"),
  });
  const young = (spec: GatewayPoolSpec) => pool("younger", spec, "2026-02-01T00:00:00Z");
  const apart = { addresses: listed("192.0.2.10"), gateways: gateways("gw2"), vrrp: vrrp(51, "10.0.0.2") };
  const unicast = (one: GatewayPool) => ({
    ...one,
    spec: { ...one.spec, gateways: (one.spec?.gateways ?? []).map((gw, i) => ({ ...gw, vrrpAddress: `10.0.1.${i}` })) },
  });

  test.each([
    ["nothing", apart, []],
    ["addresses", { ...apart, addresses: listed("192.0.2.9/32") }, ["spec.addresses.static"]],
    ["a source address", { ...apart, vrrp: vrrp(51, "192.0.2.3") }, ["spec.addresses.static"]],
    ["a gateway", { ...apart, gateways: gateways("gw2", "gw1") }, ["spec.gateways"]],
    ["a virtual router id", { ...apart, vrrp: vrrp(50, "10.0.0.2") }, ["spec.vrrp"]],
  ])("have in common: %s; the younger is wrong", (_, spec, expected) => {
    const younger = young(spec);
    expect(poolCollisions(younger, [younger, older]).map(({ where }) => where)).toEqual(expected);
    expect(poolCollisions(older, [younger, older])).toEqual([]);
  });

  test("may have a virtual router id in common when all gateways speak by address", () => {
    const younger = young({ ...apart, vrrp: vrrp(50, "10.0.0.2") });
    expect(poolCollisions(unicast(younger), [unicast(older)])).toEqual([]);
  });
});
