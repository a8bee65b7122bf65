import { expect, test } from "vitest";
import { CloudModel } from "../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zonesIntent } from "../../../../test/api-endpoint/model/endpoint-builders.ts";
import { formatRef } from "../../../apis/kube/kube-object.ts";
import { RoundMemory } from "./round-memory.ts";

const decided = [{ zone: "az1", memory: { addresses: ["192.0.2.1"], badSinceMs: 1 } }];

function remembered() {
  const world = new CloudModel(zonesIntent(["az1"], { publishDns: true }));
  world.join(machine("az1", 1));
  world.converge();
  const memory = new RoundMemory();
  const key = formatRef(world.intent.object);
  memory.remember(
    world.observe(),
    { dns: decided, named: ["192.0.2.1"], published: ["192.0.2.1"], away: undefined },
    1_000,
  );
  return { world, memory, key };
}

test("what was decided counts while status shows what it did before", () => {
  const { world, memory, key } = remembered();
  expect(memory.of(key, world.observe()).dnsMemory).toEqual(decided);
  const zones = world.recorded.zones.map((entry) => ({ ...entry, dns: { addresses: [], badSinceMs: undefined } }));
  world.recorded = { ...world.recorded, zones };
  expect(memory.of(key, world.observe()).dnsMemory).toBeUndefined();
});

test("in whichever order status is read", () => {
  const world = new CloudModel(zonesIntent(["az1", "az2"], { publishDns: true }));
  world.join(machine("az1", 1), machine("az2", 1));
  world.converge();
  const memory = new RoundMemory();
  memory.remember(world.observe(), { dns: decided, named: [], published: [], away: undefined }, 1_000);
  const zones = world.recorded.zones.toReversed().map(({ dns, ...entry }) => ({
    ...entry,
    dns: { badSinceMs: dns?.badSinceMs, addresses: dns?.addresses ?? [] },
  }));
  world.recorded = { ...world.recorded, zones };
  expect(memory.of(formatRef(world.intent.object), world.observe()).dnsMemory).toEqual(decided);
});

test("it is forgotten with its object, when another has its name, and when no records are published", () => {
  const { world, memory, key } = remembered();
  const observed = world.observe();
  expect(memory.of(key, { ...observed, object: { ...observed.object, uid: "another" } })).toEqual({});
  memory.remember(observed, { dns: [], named: [], published: [], away: undefined }, 2_000);
  expect(memory.of(key, observed).dnsMemory).toBeUndefined();
  memory.remember(observed, { dns: decided, named: [], published: [], away: undefined }, 3_000);
  memory.forget(key);
  expect(memory.of(key, observed)).toEqual({});
});

test("which addresses the records named is remembered whatever status shows, and since when they do not", () => {
  const { world, memory, key } = remembered();
  const { monotonicMs } = world;
  expect(memory.of(key, world.observe()).named).toEqual({
    watchedSince: { nowMs: 1_000, monotonicMs },
    latest: ["192.0.2.1"],
    published: { addresses: ["192.0.2.1"], since: { nowMs: 1_000, monotonicMs } },
    outSince: new Map(),
    leavingSince: new Map(),
  });
  memory.remember(world.observe(), { dns: [], named: [], published: [], away: undefined }, 2_000);
  expect(memory.of(key, world.observe()).named).toEqual({
    watchedSince: { nowMs: 1_000, monotonicMs },
    latest: [],
    published: { addresses: [], since: { nowMs: 2_000, monotonicMs } },
    outSince: new Map([["192.0.2.1", { nowMs: 2_000, monotonicMs }]]),
    leavingSince: new Map(),
  });
  const another = { ...world.observe(), object: { ...world.observe().object, uid: "another" } };
  memory.remember(another, { dns: [], named: ["192.0.2.9"], published: [], away: undefined }, 3_000);
  expect(memory.of(key, another).named).toEqual({
    watchedSince: { nowMs: 3_000, monotonicMs },
    latest: ["192.0.2.9"],
    published: { addresses: [], since: { nowMs: 3_000, monotonicMs } },
    outSince: new Map(),
    leavingSince: new Map(),
  });
});

test("how long an object has been going is counted from first sight, whatever becomes of the wall clock", () => {
  const { world, memory, key } = remembered();
  const going = (monotonicMs: number) => {
    const observed = world.observe();
    return { ...observed, monotonicMs, object: { ...observed.object, deletingSinceMs: 100_000 } };
  };
  expect(memory.deletingForMs(key, world.observe(), 160_000)).toBeUndefined();
  expect(memory.deletingForMs(key, going(5_000), 160_000)).toBe(60_000);
  for (const nowMs of [0, 161_000, 9_000_000]) expect(memory.deletingForMs(key, going(6_000), nowMs)).toBe(61_000);
  memory.forget(key);
  // Its stamp lies ahead of our clock.
  expect(memory.deletingForMs(key, going(7_000), 0)).toBe(0);
  expect(memory.deletingForMs(key, going(8_000), 0)).toBe(1_000);
});
