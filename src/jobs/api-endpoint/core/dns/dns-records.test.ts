import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { dnsEndpointSpec } from "./dns-endpoint.ts";
import { type DnsHealth, type DnsZone, dnsRecords, type StandIn } from "./dns-records.ts";

/** Looks at two zones, one after the other, each with the memory of the one before. */
function looks(
  ...all: readonly (readonly [atSeconds: number, az1: DnsHealth, az2: DnsHealth])[]
): readonly (readonly string[])[] {
  let before = new Map<string, DnsZone["before"]>();
  return all.map(([atSeconds, ...healths]) => {
    const zones = healths.map((health, index): DnsZone => {
      const zone = `az${index + 1}`;
      return { zone, address: at(index + 1), health, lasts: true, before: before.get(zone) };
    });
    const records = dnsRecords(zones, atSeconds * 1_000);
    before = new Map(records.zones.map(({ zone, memory }) => [zone, memory]));
    return records.addresses;
  });
}

const at = (index: number) => ({ is: "there", address: `192.0.2.${index}` }) as const;
const both = ["192.0.2.1", "192.0.2.2"];

describe("the records of a name", () => {
  test("are the addresses of the zones with healthy members", () => {
    expect(looks([0, "good", "good"])).toEqual([both]);
    expect(looks([0, "good", "bad"])).toEqual([["192.0.2.1"]]);
  });

  test("a zone leaves after two bad looks at least 15 seconds apart, and comes back with one good one", () => {
    expect(
      looks([0, "good", "good"], [10, "good", "bad"], [20, "good", "bad"], [25, "good", "bad"], [26, "good", "good"]),
    ).toEqual([both, both, both, ["192.0.2.1"], both]);
  });

  test("a good look in between begins the count anew", () => {
    expect(looks([0, "good", "good"], [10, "good", "bad"], [20, "good", "good"], [30, "good", "bad"])).toEqual([
      both,
      both,
      both,
      both,
    ]);
  });

  test("what is not known changes nothing", () => {
    expect(looks([0, "good", "good"], [60, "unknown", "unknown"], [120, "good", "unknown"])).toEqual([
      both,
      both,
      both,
    ]);
  });

  describe("beside one that is bad, one that nobody can look below, and that answers at its address,", () => {
    const beside = (before: DnsZone["before"], answersUnread: boolean) => {
      const wasIn = { addresses: ["192.0.2.2"], badSinceMs: 0 };
      const zones: readonly DnsZone[] = [
        { zone: "az1", address: at(1), health: "unknown", answersUnread, lasts: false, before },
        { zone: "az2", address: at(2), health: "bad", lasts: false, before: wasIn },
      ];
      return dnsRecords(zones, 60_000).addresses;
    };
    const wasWell = { addresses: ["192.0.2.1"], badSinceMs: undefined };

    test("lets it leave where it was well when last seen", () => {
      expect(beside(wasWell, true)).toEqual(["192.0.2.1"]);
    });

    test.each([
      ["it does not answer", wasWell, false],
      ["it was bad when last seen", { ...wasWell, badSinceMs: 0 }, true],
      ["it was not in the records", { addresses: [], badSinceMs: undefined }, true],
    ] as const)("does not where %s", (_why, before, answers) => {
      expect(beside(before, answers)).toContain("192.0.2.2");
    });
  });

  test("nor does it end the count of bad looks, nor begin it", () => {
    expect(
      looks(
        [0, "good", "good"],
        [10, "good", "bad"],
        [20, "good", "unknown"],
        [26, "good", "bad"],
        [27, "good", "unknown"],
      ),
    ).toEqual([both, both, both, ["192.0.2.1"], ["192.0.2.1"]]);
    expect(looks([0, "good", "good"], [10, "good", "unknown"], [40, "good", "bad"])).toEqual([both, both, both]);
  });

  test("an address that nobody can see stays, one that was taken away goes, one that is only remembered serves", () => {
    const was = { addresses: ["192.0.2.2"], badSinceMs: undefined };
    const now = (address: DnsZone["address"], health: DnsHealth) =>
      dnsRecords(
        [
          { zone: "az1", address: at(1), health: "good", lasts: true, before: undefined },
          { zone: "az2", address, health, lasts: true, before: was },
        ],
        0,
      ).addresses;
    expect(now({ is: "unseen" }, "good")).toEqual(both);
    expect(now({ is: "unseen" }, "unknown")).toEqual(both);
    expect(now({ is: "missing" }, "good")).toEqual(["192.0.2.1"]);
    expect(now({ is: "remembered", address: "192.0.2.3" }, "good")).toEqual(["192.0.2.1", "192.0.2.3"]);
  });

  test("the last one never leaves: when all are bad, what was there stays", () => {
    expect(looks([0, "good", "good"], [10, "bad", "bad"], [40, "bad", "bad"], [41, "good", "bad"])).toEqual([
      both,
      both,
      both,
      ["192.0.2.1"],
    ]);
    expect(looks([0, "good", "good"], [10, "bad", "good"], [20, "bad", "bad"], [26, "bad", "bad"])).toEqual([
      both,
      both,
      both,
      both,
    ]);
    expect(looks([0, "good", "good"], [10, "bad", "unknown"], [40, "bad", "unknown"], [41, "bad", "good"])).toEqual([
      both,
      both,
      both,
      ["192.0.2.2"],
    ]);
    expect(looks([0, "good", "bad"], [10, "bad", "bad"], [40, "bad", "bad"])).toEqual([
      ["192.0.2.1"],
      ["192.0.2.1"],
      ["192.0.2.1"],
    ]);
  });

  test("a zone that may serve leaves while another is seen to, and is back at once when none is", () => {
    expect(
      looks([0, "good", "good"], [10, "good", "may serve"], [25, "good", "may serve"], [40, "bad", "may serve"]),
    ).toEqual([both, both, ["192.0.2.1"], both]);
    expect(looks([0, "good", "bad"], [10, "bad", "may serve"], [25, "bad", "may serve"])).toEqual([
      ["192.0.2.1"],
      both,
      ["192.0.2.2"],
    ]);
  });

  test("a zone that came back because nobody else served leaves as slowly as any other", () => {
    expect(
      looks(
        [0, "good", "may serve"],
        [10, "bad", "may serve"],
        [20, "good", "may serve"],
        [30, "good", "may serve"],
        [35, "good", "may serve"],
      ),
    ).toEqual([["192.0.2.1"], both, both, both, ["192.0.2.1"]]);
  });

  test("all that may serve stay while none is seen to, one after the other or at once", () => {
    expect(looks([0, "good", "good"], [10, "may serve", "may serve"], [60, "may serve", "may serve"])).toEqual([
      both,
      both,
      both,
    ]);
    expect(looks([0, "good", "good"], [10, "may serve", "good"], [40, "may serve", "may serve"])).toEqual([
      both,
      both,
      both,
    ]);
  });

  test("a zone of which nobody knows comes back when all that are published are bad, and for no other reason", () => {
    expect(looks([0, "good", "bad"], [10, "bad", "unknown"], [60, "bad", "unknown"])).toEqual([
      ["192.0.2.1"],
      both,
      both,
    ]);
    expect(looks([0, "good", "bad"], [10, "unknown", "unknown"], [60, "may serve", "unknown"])).toEqual([
      ["192.0.2.1"],
      ["192.0.2.1"],
      ["192.0.2.1"],
    ]);
    const zone = (index: number, health: DnsHealth, was: readonly string[]): DnsZone => {
      return { zone: `az${index}`, address: at(index), health, lasts: true, before: { addresses: was, badSinceMs: 0 } };
    };
    const [first, second] = both.map((address) => [address]);
    const three = (other: DnsHealth) => [
      zone(1, "bad", first ?? []),
      zone(2, other, second ?? []),
      zone(3, "unknown", []),
    ];
    expect(dnsRecords(three("unknown"), 0).addresses).toEqual(both);
    expect(dnsRecords(three("bad"), 0).addresses).toEqual([...both, "192.0.2.3"]);
  });

  test("a time that lies ahead, by a clock that was, counts as now", () => {
    const zone = (index: number, health: DnsHealth, before?: DnsZone["before"]): DnsZone => {
      return { zone: `az${index}`, address: at(index), health, lasts: true, before };
    };
    const ahead = { addresses: ["192.0.2.2"], badSinceMs: 7_200_000 };
    const first = dnsRecords([zone(1, "good"), zone(2, "bad", ahead)], 0);
    expect(first).toMatchObject({ addresses: both, recheckAfterMs: 15_000 });
    const second = dnsRecords([zone(1, "good"), zone(2, "bad", first.zones[1]?.memory)], 15_000);
    expect(second.addresses).toEqual(["192.0.2.1"]);
  });

  test("are looked at again when the first of several zones may leave", () => {
    const zone = (index: number, badSinceMs: number): DnsZone => {
      const before = { addresses: [`192.0.2.${index}`], badSinceMs };
      return { zone: `az${index}`, address: at(index), health: "bad", lasts: true, before };
    };
    const good: DnsZone = { zone: "az1", address: at(1), health: "good", lasts: true, before: undefined };
    expect(dnsRecords([good, zone(2, 0), zone(3, 9_000)], 10_000).recheckAfterMs).toBe(5_000);
    expect(dnsRecords([good, zone(2, 9_000), zone(3, 0)], 10_000).recheckAfterMs).toBe(5_000);
    expect(dnsRecords([good, zone(2, 9_000)], 10_000).recheckAfterMs).toBe(14_000);
    expect(dnsRecords([good], 10_000).recheckAfterMs).toBeUndefined();
  });

  test("a cluster that begins has all of them, for a name that leads nowhere helps nobody", () => {
    expect(looks([0, "bad", "bad"])).toEqual([both]);
  });

  test("while no zone serves, a balancer that is to go and still does stands in, and no longer", () => {
    const zone = (index: number, health: DnsHealth, before?: DnsZone["before"]): DnsZone => {
      return { zone: `az${index}`, address: at(index), health, lasts: true, before };
    };
    const legacy = ["192.0.2.9"];
    const standIn = { address: "192.0.2.9", health: "good", isPublished: false } as const;
    const was = { addresses: ["192.0.2.1"], badSinceMs: undefined };
    const now = (...zones: readonly DnsZone[]) => dnsRecords(zones, 0, [standIn]).addresses;
    expect(now(zone(1, "bad"), zone(2, "bad"))).toEqual(legacy);
    expect(now(zone(1, "bad", was), zone(2, "bad"))).toEqual(["192.0.2.1", "192.0.2.9"]);
    expect(now(zone(1, "good"), zone(2, "bad"))).toEqual(["192.0.2.1"]);
    expect(now(zone(1, "unknown", was), zone(2, "bad"))).toEqual(["192.0.2.1", "192.0.2.9"]);
    expect(now({ ...zone(1, "good"), address: { is: "missing" } }, zone(2, "bad"))).toEqual(legacy);
    expect(now({ ...zone(1, "good"), lasts: false }, zone(2, "bad"))).toEqual(["192.0.2.1", "192.0.2.9"]);
    expect(dnsRecords([], 0, [standIn]).addresses).toEqual([]);
  });

  test.each<readonly [StandIn["health"], boolean, DnsHealth, isIn: boolean]>([
    ["may serve", true, "bad", true],
    ["may serve", false, "bad", true],
    ["may serve", false, "may serve", false],
    ["may serve", true, "good", false],
    ["good", false, "may serve", true],
    ["good", false, "unknown", true],
    ["good", true, "good", false],
    ["unknown", true, "may serve", true],
    ["unknown", false, "bad", false],
  ])("one to go that is %s (published: %s) stands in for a zone that is %s: %s", (health, isPublished, zone, isIn) => {
    const only: DnsZone = { zone: "az1", address: at(1), health: zone, lasts: true, before: undefined };
    const { standIns } = dnsRecords([only], 0, [{ address: "192.0.2.9", health, isPublished }]);
    expect(standIns).toEqual(isIn ? ["192.0.2.9"] : []);
  });

  test("of several to go, one that may serve does not begin to stand in beside one that does", () => {
    const only: DnsZone = { zone: "az1", address: at(1), health: "bad", lasts: true, before: undefined };
    const good: StandIn = { address: "192.0.2.8", health: "good", isPublished: false };
    const maybe: StandIn = { address: "192.0.2.9", health: "may serve", isPublished: false };
    expect(dnsRecords([only], 0, [good, maybe]).standIns).toEqual(["192.0.2.8"]);
    expect(dnsRecords([only], 0, [good, { ...maybe, isPublished: true }]).standIns).toEqual(["192.0.2.8", "192.0.2.9"]);
  });

  test("as external-dns reads them, one set for each family", () => {
    expect(dnsEndpointSpec("api.example.com", ["2001:db8::1", ...both])).toEqual({
      endpoints: [
        { dnsName: "api.example.com", recordType: "A", recordTTL: 30, targets: both },
        { dnsName: "api.example.com", recordType: "AAAA", recordTTL: 30, targets: ["2001:db8::1"] },
      ],
    });
  });
});

test("a published name follows the zones, and is taken away when nobody asks for it", () => {
  const world = new CloudModel(zonesIntent(["az1", "az2"], { publishDns: true }));
  world.join(machine("az1", 1), machine("az2", 1));
  world.converge();
  expect(world.object.dnsEndpoint?.addresses).toHaveLength(2);
  world.up.delete("10.6.2.1");
  world.converge();
  expect(world.object.dnsEndpoint?.addresses).toEqual([world.status?.zones[0]?.ip]);
  world.up.delete("10.6.1.1");
  world.converge();
  expect(world.object.dnsEndpoint?.addresses).toEqual([world.status?.zones[0]?.ip]);
  world.intent = { ...world.intent, publishDns: false };
  world.converge();
  expect(world.object.dnsEndpoint).toBeUndefined();
});
