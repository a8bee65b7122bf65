import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { familyOf } from "../../../../core/net/ip.ts";
import { sharingPolicies } from "../../apis/gateway-pool.ts";
import { forwardingKey } from "../model/document.ts";
import { addressRanges } from "../pools/address-ranges.ts";
import { allocate } from "./allocate.ts";
import type { AddressClaim, AddressSupply, Allocation, AllocationInput, Assignment } from "./claim.ts";
import { sharingDomain } from "./sharing.ts";

const listed = (...texts: readonly string[]): AddressSupply => ({ kind: "static", ranges: addressRanges(texts) });
const four = listed("192.0.2.1-192.0.2.4");
const cidr = addressRanges(["10.0.0.0/24"]);
const port = (n: number) => ({ id: `port-${n}`, address: `10.0.0.${n}`, publicAddress: `203.0.113.${n}` });
const cloud = (...numbers: readonly number[]): AddressSupply => ({
  kind: "neutron",
  known: numbers.map(port),
  subnets: cidr,
});

/** Services are as old as their names are early in the alphabet. */
function claim(service: string, change: Partial<AddressClaim> = {}): AddressClaim {
  const [namespace = "", name = ""] = service.includes("/") ? service.split("/") : ["default", service];
  return {
    service: `${namespace}/${name}`,
    namespace,
    uid: `uid-${namespace}-${name}`,
    createdAt: `2026-01-01T00:00:${String(name.codePointAt(0)).padStart(3, "0")}Z`,
    ports: [{ protocol: "TCP", port: 80 }],
    families: [4],
    needsAllFamilies: true,
    requested: [],
    recorded: [],
    published: [],
    isDedicated: false,
    ...change,
  };
}

const tcp = (...ports: readonly number[]) => ports.map((one) => ({ protocol: "TCP", port: one }) as const);

function given(
  supply: AddressSupply,
  claims: readonly AddressClaim[],
  more: Partial<AllocationInput> = {},
): Allocation {
  return allocate({ supply, sharing: "ByPort", claims, ...more });
}

function addressOf({ place }: Assignment): string {
  return place.kind === "known" ? place.address.address : `new ${place.requested ?? place.slot}`;
}

/** `{ a: "192.0.2.1" }`, without the namespace. */
function shown({ assignments }: Allocation): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const one of assignments) {
    const name = one.service.replace(/^default\//, "");
    all[name] = name in all ? `${all[name]} ${addressOf(one)}` : addressOf(one);
  }
  return all;
}

function words({ refusals }: Allocation): readonly string[] {
  return refusals.map(({ service, why }) => `${service.replace(/^default\//, "")} ${why}`);
}

function carriedBy(claims: readonly AddressClaim[], { assignments }: Allocation): ReadonlyMap<string, string> {
  const carried = new Map<string, string>();
  for (const one of assignments) {
    const ports = claims.find(({ service }) => service === one.service)?.ports ?? [];
    for (const { protocol, port: number } of ports) {
      carried.set(forwardingKey({ address: addressOf(one), protocol, port: number }), one.service);
    }
  }
  return carried;
}

describe("addresses of Services", () => {
  test("are the lowest that fit, and shared by Services with other ports", () => {
    const made = given(four, [
      claim("a"),
      claim("b"),
      claim("c", { ports: tcp(443) }),
      claim("d", { ports: tcp(443, 8443) }),
    ]);
    expect(shown(made)).toEqual({ a: "192.0.2.1", b: "192.0.2.2", c: "192.0.2.1", d: "192.0.2.2" });
  });

  test("are shared by one port in two protocols", () => {
    const dns = (protocol: "TCP" | "UDP") => ({ ports: [{ protocol, port: 53 }] });
    expect(shown(given(four, [claim("a", dns("TCP")), claim("b", dns("UDP"))]))).toEqual({
      a: "192.0.2.1",
      b: "192.0.2.1",
    });
  });

  test("stay when older Services come, go, or get other ports", () => {
    const b = claim("b", { recorded: ["192.0.2.1"] });
    const before = given(four, [b]);
    const a = claim("a", { recorded: ["192.0.2.1"], ports: tcp(443, 80) });
    const more = { carriedBy: new Map([...carriedBy([b], before), ["192.0.2.1/TCP/443", "default/a"]]) };
    const after = given(four, [a, b], more);
    expect(shown(after)).toEqual({ a: "192.0.2.2", b: "192.0.2.1" });
    expect(after.assignments[0]?.from?.address).toBe("192.0.2.1");
    expect(after.notices.map(({ why, message }) => [why, message])).toEqual([
      ["AddressLost", "default/a: it cannot keep 192.0.2.1, where default/b has TCP/80"],
    ]);
  });

  test("are all kept before anybody gets a new one", () => {
    const claims = [claim("a"), claim("z", { recorded: ["192.0.2.1"] }), claim("y", { recorded: ["192.0.2.2"] })];
    expect(shown(given(four, claims))).toEqual({ a: "192.0.2.3", y: "192.0.2.2", z: "192.0.2.1" });
  });

  test("go to the oldest when two records say the same; the other one gets another", () => {
    const claims = [claim("b", { recorded: ["192.0.2.3"] }), claim("a", { recorded: ["192.0.2.3"] })];
    const made = given(four, claims);
    expect(shown(made)).toEqual({ a: "192.0.2.3", b: "192.0.2.1" });
    expect(made.assignments[1]?.from?.address).toBe("192.0.2.3");
  });

  test("go by uid when two are equally old", () => {
    const same = { createdAt: "2026-01-01T00:00:00Z", recorded: ["192.0.2.3"] };
    const claims = [claim("a", { ...same, uid: "2" }), claim("b", { ...same, uid: "1" })];
    expect(shown(given(four, claims))).toEqual({ a: "192.0.2.1", b: "192.0.2.3" });
  });

  test("return to a Service whose record somebody took away, as long as clients were shown them", () => {
    const made = given(four, [claim("a", { published: ["192.0.2.4", "198.51.100.1"] })]);
    expect([shown(made), made.notices]).toEqual([{ a: "192.0.2.4" }, []]);
  });

  test("that are recorded and not the pool's are replaced, and that is said", () => {
    const made = given(cloud(), [claim("a", { recorded: ["port-of-another-machine"] })]);
    expect(shown(made)).toEqual({ a: "new uid-default-a/IPv4" });
    expect(made.notices.map(({ why }) => why)).toEqual(["RecordUnknown"]);
  });

  test("leave a pool that lost them, and the Service has the old one until then", () => {
    const made = given(listed("192.0.2.1"), [claim("a", { recorded: ["192.0.2.9"] })]);
    expect(shown(made)).toEqual({ a: "192.0.2.1" });
  });

  test("are never those of gateways, nor those that a lost gateway may carry for somebody else", () => {
    const more = { reserved: new Set(["192.0.2.1"]), quarantined: new Set(["192.0.2.2"]) };
    expect(shown(given(four, [claim("a")], more))).toEqual({ a: "192.0.2.3" });
    const asked = given(four, [claim("a", { requested: ["192.0.2.2"] })], more);
    expect([shown(asked), words(asked)]).toEqual([{}, ["a RequestedAddressTaken"]]);
    expect(shown(given(four, [claim("a", { recorded: ["192.0.2.2"] })], more))).toEqual({ a: "192.0.2.2" });
  });
});

describe("a requested address", () => {
  test("is given, and left to whoever has it", () => {
    const claims = [claim("b", { requested: ["192.0.2.3"] }), claim("c", { requested: ["192.0.2.3"] }), claim("a")];
    const made = given(four, claims);
    expect(shown(made)).toEqual({ a: "192.0.2.1", b: "192.0.2.3" });
    expect(made.refusals).toEqual([
      {
        service: "default/c",
        why: "RequestedAddressTaken",
        message: "default/c: it asks for 192.0.2.3, where default/b has TCP/80",
        hint: "Ask for another address, or use other ports, or the same sharing key.",
      },
    ]);
  });

  test("that cannot be had costs nobody the address that it has", () => {
    const a = claim("a", { recorded: ["192.0.2.1"], requested: ["198.51.100.1"] });
    const made = given(four, [a, claim("b")]);
    expect(shown(made)).toEqual({ a: "192.0.2.1", b: "192.0.2.2" });
    expect(words(made)).toEqual(["a RequestedAddressOutsidePool"]);
  });

  test("replaces the old one, which stays until it works", () => {
    const made = given(four, [claim("a", { recorded: ["192.0.2.1"], requested: ["192.0.2.4"] }), claim("b")]);
    expect(shown(made)).toEqual({ a: "192.0.2.4", b: "192.0.2.2" });
    expect(made.assignments[0]?.from?.address).toBe("192.0.2.1");
  });

  test("of a family that the Service does not have is refused", () => {
    const made = given(four, [claim("a", { requested: ["2001:db8::1"] })]);
    expect(words(made)).toEqual(["a RequestedFamilyNotAsked"]);
    expect(shown(made)).toEqual({ a: "192.0.2.1" });
  });

  test("may be a floating IP of ours, or one of the subnet that is made for it", () => {
    const claims = [claim("a", { requested: ["203.0.113.7"] }), claim("b", { requested: ["10.0.0.99"] })];
    expect(shown(given(cloud(7), claims))).toEqual({ a: "10.0.0.7", b: "new 10.0.0.99" });
  });
});

describe("sharing", () => {
  const two = [claim("x/a"), claim("y/b", { ports: tcp(443) }), claim("x/c", { ports: tcp(8080) })];
  const [one, other, third] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"] as const;

  test.each([
    ["ByPort", { "x/a": one, "y/b": one, "x/c": one }],
    ["WithinNamespace", { "x/a": one, "y/b": other, "x/c": one }],
    ["ByKey", { "x/a": one, "y/b": other, "x/c": third }],
    ["Never", { "x/a": one, "y/b": other, "x/c": third }],
  ] as const)("%s", (sharing, expected) => {
    expect(shown(given(four, two, { sharing }))).toEqual(expected);
  });

  test("by a key is with nobody else, and never where the pool says never", () => {
    const keyed = [
      claim("a"),
      claim("b", { sharingKey: "k", ports: tcp(81) }),
      claim("c", { sharingKey: "k", ports: tcp(82) }),
    ];
    expect(shown(given(four, keyed))).toEqual({ a: one, b: other, c: other });
    expect(shown(given(four, keyed, { sharing: "ByKey" }))).toEqual({ a: one, b: other, c: other });
    expect(shown(given(four, keyed, { sharing: "Never" }))).toEqual({ a: one, b: other, c: third });
  });

  test("is over for a Service that wants an address of its own: it goes, and whoever it shared with stays", () => {
    const [a, b] = [
      claim("a", { recorded: [one], isDedicated: true }),
      claim("b", { recorded: [one], ports: tcp(443) }),
    ];
    const carried = new Map([
      [`${one}/TCP/80`, "default/a"],
      [`${one}/TCP/443`, "default/b"],
    ]);
    expect(shown(given(four, [a, b], { carriedBy: carried }))).toEqual({ a: other, b: one });
  });

  test("goes on where the policy became stricter, and nobody new joins", () => {
    const [a, b] = [claim("a", { recorded: [one] }), claim("b", { recorded: [one], ports: tcp(443) })];
    const carried = new Map([
      [`${one}/TCP/80`, "default/a"],
      [`${one}/TCP/443`, "default/b"],
    ]);
    const made = given(four, [a, b, claim("c", { ports: tcp(8080) })], { carriedBy: carried, sharing: "Never" });
    expect(shown(made)).toEqual({ a: one, b: one, c: other });
    expect(made.notices.map(({ service, why }) => `${service} ${why}`)).toEqual(["default/b KeptAgainstPolicy"]);
  });

  test("of two namespaces from before goes on, and is joined by neither", () => {
    const [a, b] = [claim("x/a", { recorded: [one] }), claim("y/b", { recorded: [one], ports: tcp(443) })];
    const carried = new Map([
      [`${one}/TCP/80`, "x/a"],
      [`${one}/TCP/443`, "y/b"],
    ]);
    const claims = [a, b, claim("x/c", { ports: tcp(81) }), claim("y/d", { ports: tcp(82), requested: [one] })];
    const made = given(four, claims, { carriedBy: carried, sharing: "WithinNamespace" });
    expect(shown(made)).toEqual({ "x/a": one, "y/b": one, "x/c": other });
    expect(words(made)).toEqual(["y/d RequestedAddressTaken"]);
  });

  test("is not got by a record that somebody wrote against the policy", () => {
    const claims = [claim("x/a", { recorded: [one] }), claim("y/b", { recorded: [one], ports: tcp(443) })];
    expect(shown(given(four, claims, { sharing: "WithinNamespace" }))).toEqual({ "x/a": one, "y/b": other });
  });
});

describe("two families", () => {
  const both = listed("192.0.2.1", "2001:db8::1-2001:db8::2");
  const dual = { families: [6, 4] as const };

  test("get an address each", () => {
    expect(shown(given(both, [claim("a", dual)]))).toEqual({ a: "192.0.2.1 2001:db8::1" });
  });

  test("are both needed where the Service requires them: it is told which one is missing, and has the other", () => {
    const made = given(both, [claim("a"), claim("b", dual)]);
    expect(shown(made)).toEqual({ a: "192.0.2.1", b: "2001:db8::1" });
    expect(words(made)).toEqual(["b PoolExhausted"]);
  });

  test("are a wish where the Service prefers them", () => {
    const prefers = { ...dual, needsAllFamilies: false };
    const exhausted = given(both, [claim("a"), claim("b", prefers)]);
    expect([shown(exhausted)["b"], words(exhausted)]).toEqual(["2001:db8::1", []]);
    expect(exhausted.notices.map(({ why }) => why)).toEqual(["FamilyLeftOut"]);
    const single = given(four, [claim("a", prefers)]);
    expect([shown(single), words(single), single.notices]).toEqual([{ a: "192.0.2.1" }, [], []]);
    const neither = given(listed(), [claim("a", prefers)]);
    expect(words(neither)).toEqual(["a FamilyNotInPool", "a FamilyNotInPool"]);
  });
});

describe("what there is not enough of", () => {
  test("is refused to the youngest alone, with what to do", () => {
    const made = given(listed("192.0.2.1-192.0.2.2"), [
      claim("c"),
      claim("b"),
      claim("a"),
      claim("d", { ports: tcp(443) }),
    ]);
    expect(shown(made)).toEqual({ a: "192.0.2.1", b: "192.0.2.2", d: "192.0.2.1" });
    expect(made.refusals).toEqual([
      {
        service: "default/c",
        why: "PoolExhausted",
        message: "default/c: the pool has no IPv4 address left with TCP 80 free",
        hint: "Add addresses to the pool, allow sharing, or delete Services that are not needed.",
      },
    ]);
  });

  test("is given as soon as it is free again", () => {
    expect(shown(given(listed("192.0.2.1"), [claim("c")]))).toEqual({ c: "192.0.2.1" });
  });

  test("may be a limit of the pool, which takes nothing from who has it", () => {
    const recorded = ["192.0.2.1", "192.0.2.2"].map((address, i) => claim(`${"yz"[i]}`, { recorded: [address] }));
    const made = given(four, [...recorded, claim("a"), claim("b", { ports: tcp(443) })], { maxAddresses: 1 });
    expect(shown(made)).toEqual({ b: "192.0.2.1", y: "192.0.2.1", z: "192.0.2.2" });
    expect(words(made)).toEqual(["a AddressLimitReached"]);
  });

  test("may be a limit of a namespace, and others are not held back by it", () => {
    const claims = [
      claim("x/a"),
      claim("x/b", { ports: tcp(443) }),
      claim("y/c"),
      claim("x/z", { recorded: ["192.0.2.4"] }),
    ];
    const made = given(four, claims, { maxServicesPerNamespace: 2 });
    expect(Object.keys(shown(made))).toEqual(["x/a", "x/z", "y/c"]);
    expect(words(made)).toEqual(["x/b NamespaceLimitReached"]);
  });
});

describe("addresses from Neutron", () => {
  test("are those that are there, before others are made; what is made is shared", () => {
    const made = given(cloud(9, 7), [
      claim("a"),
      claim("b"),
      claim("c"),
      claim("d", { ports: tcp(443) }),
      claim("e", { ports: tcp(443, 80) }),
    ]);
    expect(shown(made)).toEqual({
      a: "10.0.0.7",
      b: "10.0.0.9",
      c: "new uid-default-c/IPv4",
      d: "10.0.0.7",
      e: "new uid-default-e/IPv4",
    });
  });

  test("that were made meanwhile are used, so that a lost answer makes no second one", () => {
    const before = given(cloud(), [claim("a"), claim("b", { ports: tcp(443) })]);
    expect(shown(before)).toEqual({ a: "new uid-default-a/IPv4", b: "new uid-default-a/IPv4" });
    expect(shown(given(cloud(5), [claim("a"), claim("b", { ports: tcp(443) })]))).toEqual({
      a: "10.0.0.5",
      b: "10.0.0.5",
    });
  });

  test("outside the pool's subnet are not the pool's", () => {
    const strange = { id: "port-1", address: "172.16.0.1" };
    const made = given({ kind: "neutron", known: [strange], subnets: cidr }, [claim("a", { recorded: ["port-1"] })]);
    expect(shown(made)).toEqual({ a: "new uid-default-a/IPv4" });
  });
});

const pool6 = listed("192.0.2.1-192.0.2.5", "2001:db8::1-2001:db8::4");
const addresses = [...[1, 2, 3, 4, 5, 9].map((n) => `192.0.2.${n}`), "2001:db8::1", "2001:db8::3"];
const anyPorts = fc
  .uniqueArray(fc.tuple(fc.constantFrom("TCP", "UDP"), fc.integer({ min: 80, max: 84 })), {
    minLength: 1,
    maxLength: 3,
    selector: String,
  })
  .map((ports) => ports.map(([protocol, number]) => ({ protocol, port: number })));
const anyClaims = fc
  .array(
    fc.record({
      namespace: fc.constantFrom("x", "y"),
      createdAt: fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"),
      ports: anyPorts,
      families: fc.constantFrom<(readonly (4 | 6)[])[]>([4], [6], [4, 6]),
      needsAllFamilies: fc.boolean(),
      requested: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.subarray(addresses, { maxLength: 1 })),
      recorded: fc.oneof(fc.constant([]), fc.subarray(addresses, { maxLength: 2 })),
      published: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.subarray(addresses, { maxLength: 1 })),
      sharingKey: fc.constantFrom("", "k"),
      isDedicated: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
    { maxLength: 14 },
  )
  .map((all) =>
    all.map((one, i) => ({ ...one, uid: `uid-${i}`, service: `${one.namespace}/s${i}` }) satisfies AddressClaim),
  );
const anyInput = fc.record({
  supply: fc.constantFrom(pool6, four, cloud(1, 2)),
  sharing: fc.constantFrom(...sharingPolicies),
  claims: anyClaims,
  quarantined: fc.subarray(addresses, { maxLength: 2 }).map((some) => new Set(some)),
});

/** As the world looks when all of it was carried out. */
function carriedOut(input: AllocationInput, made: Allocation): AllocationInput {
  const recorded = (service: string) => made.assignments.filter((one) => one.service === service).map(addressOf);
  const claims = input.claims.map((one) => ({ ...one, recorded: recorded(one.service), published: [] }));
  return { ...input, claims, carriedBy: carriedBy(input.claims, made) };
}

/** Services that are still the same have what they had. */
function expectKept(before: Allocation, after: Allocation, same: ReadonlySet<string>): void {
  for (const one of before.assignments.filter(({ service }) => same.has(service))) {
    const now = after.assignments.find(({ service, family }) => service === one.service && family === one.family);
    expect(now === undefined ? undefined : addressOf(now)).toBe(addressOf(one));
  }
}

const namesOf = (all: readonly { readonly service: string }[]) => new Set(all.map(({ service }) => service));
const ofLists = anyInput.filter(({ supply }) => supply.kind === "static");

describe("whatever is asked", () => {
  test("no port of an address is given twice, and nobody shares with whom it may not", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { assignments } = allocate(input);
        for (const address of new Set(assignments.map(addressOf))) {
          const sharers = namesOf(assignments.filter((one) => addressOf(one) === address));
          const claims = input.claims.filter(({ service }) => sharers.has(service));
          const keys = claims.flatMap(({ ports }) => ports.map(({ protocol, port: n }) => `${protocol}/${n}`));
          expect(new Set(keys).size).toBe(keys.length);
          expect(new Set(claims.map((one) => sharingDomain(one, input.sharing))).size).toBe(1);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("every Service has an address of each family, or is told why not", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { assignments, refusals } = allocate(input);
        const refused = new Set(refusals.map(({ service }) => service));
        for (const { service, families, needsAllFamilies } of input.claims) {
          const has = assignments.filter((one) => one.service === service).map(({ family }) => family);
          expect(has.filter((family) => !families.includes(family))).toEqual([]);
          expect(new Set(has).size).toBe(has.length);
          const isServed = needsAllFamilies ? has.length === families.length : has.length > 0;
          expect(isServed || refused.has(service)).toBe(true);
        }
        const families = assignments.map(({ place, family }) => [
          place.kind === "known" ? familyOf(place.address.address) : place.family,
          family,
        ]);
        expect(families.filter(([ofAddress, asked]) => ofAddress !== asked)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test("the order of Services changes nothing", () => {
    const shuffled = anyInput.chain((input) => {
      const count = input.claims.length;
      return fc.tuple(fc.constant(input), fc.shuffledSubarray(input.claims, { minLength: count, maxLength: count }));
    });
    fc.assert(
      fc.property(shuffled, ([input, claims]) => {
        expect(allocate({ ...input, claims })).toEqual(allocate(input));
      }),
      { numRuns: 100 },
    );
  });

  test("nobody's address changes again once it was carried out, but to a requested one that became free", () => {
    fc.assert(
      fc.property(ofLists, (input) => {
        const made = allocate(input);
        const again = allocate(carriedOut(input, made));
        expectKept(made, again, namesOf(input.claims.filter(({ requested }) => requested.length === 0)));
      }),
      { numRuns: 100 },
    );
  });

  test("nothing moves any more after a few rounds", () => {
    fc.assert(
      fc.property(ofLists, (input) => {
        let now: AllocationInput = input;
        for (let rounds = 0; rounds <= input.claims.length; rounds += 1) now = carriedOut(now, allocate(now));
        const made = allocate(now);
        expect(made.assignments.filter(({ from }) => from !== undefined)).toEqual([]);
        expect(shown(allocate(carriedOut(now, made)))).toEqual(shown(made));
      }),
      { numRuns: 100 },
    );
  });

  test("nobody's address changes because others come, go or want other ports, or because the policy changes", () => {
    const plain = { requested: [], sharingKey: "", isDedicated: false };
    fc.assert(
      fc.property(ofLists, anyClaims, fc.constantFrom(...sharingPolicies), (input, others, sharing) => {
        const before = { ...input, claims: input.claims.map((one) => ({ ...one, ...plain })) };
        const made = allocate(before);
        const { claims, ...rest } = carriedOut(before, made);
        // Every second Service is gone or another one now, with any record; some are new.
        const changed = claims.flatMap((one, i) => {
          const other = others[i];
          if (i % 2 === 0) return [one];
          return other === undefined ? [] : [{ ...other, ...plain, service: one.service, namespace: one.namespace }];
        });
        const newcomers = others.slice(claims.length).map((one) => ({ ...one, service: `${one.service}-new` }));
        const after = allocate({ ...rest, sharing, claims: [...changed, ...newcomers] });
        expectKept(made, after, namesOf(claims.filter((_, i) => i % 2 === 0)));
      }),
      { numRuns: 200 },
    );
  });
});
