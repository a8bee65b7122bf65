import { describe, expect, test } from "vitest";
import type { ProviderRefusal } from "../../core/model/observed.ts";
import { CapabilityCache } from "./capability-cache.ts";

const hour = 3_600_000;
const hint: ProviderRefusal = { provider: "amphora", feature: "availability-zone", zone: "az1" };
const monitors: ProviderRefusal = { provider: "amphora", feature: "health-monitor" };
const blue = { endpointKey: "cloud", key: "clusters/blue" };
const green = { endpointKey: "cloud", key: "clusters/green" };

function cacheOf() {
  const cache = new CapabilityCache();
  const octavia = {
    version: async () => [2, 26] as const,
    listProviders: async () => ["amphora"],
    listFlavors: async () => [],
    listAvailabilityZones: async () => [{ name: "az1", enabled: true }],
  };
  const refused = async (nowMs = 0, who = blue) =>
    (await cache.get({ ...who, octavia, nowMs, call: {} })).refused.map(({ feature, zone }) => [feature, zone]);
  return { cache, refused };
}

/** Twice in a bad request, with the cloud asked in between. */
async function refusedFor(who: typeof blue, { cache, refused }: ReturnType<typeof cacheOf>): Promise<void> {
  for (const _ of [1, 2]) {
    await refused(0, who);
    cache.doubt(who, [hint]);
  }
}

describe("what a cloud refused", () => {
  test("is kept while the rest is asked again, and forgotten after an hour", async () => {
    const { cache, refused } = cacheOf();
    await refused();
    cache.refused(blue, [monitors]);
    cache.doubt(blue);
    expect(await refused()).toEqual([["health-monitor", undefined]]);
    expect(await refused(hour)).toEqual([]);
  });

  test("with 501 counts for every object in the cloud, and in no other cloud", async () => {
    const { cache, refused } = cacheOf();
    await refused();
    cache.refused(blue, [monitors]);
    expect(await refused(0, green)).toEqual([["health-monitor", undefined]]);
    expect(await refused(0, { ...green, endpointKey: "elsewhere" })).toEqual([]);
  });

  test("is kept when several ask again at the same time", async () => {
    const { cache, refused } = cacheOf();
    await refused();
    cache.refused(blue, [monitors]);
    for (const nowMs of [1, 2, 3]) {
      cache.doubt(blue, [hint]);
      await Promise.all([refused(nowMs), refused(nowMs), refused(nowMs, green)]);
    }
    expect(await refused(4)).toEqual([
      ["health-monitor", undefined],
      ["availability-zone", "az1"],
    ]);
    expect(await refused(4, green)).toEqual([["health-monitor", undefined]]);
  });

  test("is kept when it is learnt while an answer is on its way", async () => {
    const { cache, refused } = cacheOf();
    await refused();
    const late = refused(hour);
    cache.refused(blue, [monitors]);
    await late;
    expect(await refused(hour)).toEqual([["health-monitor", undefined]]);
  });
});

describe("a zone in a bad request", () => {
  test("is refused once the cloud was asked again and still lists it", async () => {
    const { cache, refused } = cacheOf();
    await refused();
    cache.doubt(blue, [hint]);
    cache.doubt(blue, [hint]);
    expect(await refused()).toEqual([]);
    cache.doubt(blue, [hint]);
    expect(await refused()).toEqual([["availability-zone", "az1"]]);
  });

  test("is refused for its object although others doubt all the time", async () => {
    const { cache, refused } = cacheOf();
    for (const _ of [1, 2]) {
      await Promise.all([refused(), refused(0, green)]);
      cache.doubt(green);
      cache.doubt(blue, [hint]);
      cache.doubt(green);
    }
    expect(await refused()).toEqual([["availability-zone", "az1"]]);
  });

  test("is refused for the object that sent it alone", async () => {
    const world = cacheOf();
    await refusedFor(blue, world);
    expect(await world.refused()).toEqual([["availability-zone", "az1"]]);
    expect(await world.refused(0, green)).toEqual([]);
    world.cache.doubt(green, [hint]);
    expect(await world.refused(0, green)).toEqual([]);
  });

  test("is refused no longer when the object's request is as bad without it", async () => {
    const world = cacheOf();
    const { cache, refused } = world;
    await refused();
    cache.refused(blue, [monitors]);
    await refusedFor(blue, world);
    cache.acquit(green, "amphora");
    cache.acquit(blue, "ovn");
    expect(await refused()).toHaveLength(2);
    cache.acquit(blue, "amphora");
    expect(await refused()).toEqual([["health-monitor", undefined]]);
    cache.doubt(blue, [hint]);
    expect(await refused()).toEqual([["health-monitor", undefined]]);
  });

  test("is forgotten with its object", async () => {
    const world = cacheOf();
    await refusedFor(blue, world);
    await refusedFor(green, world);
    world.cache.forget(blue.key);
    expect(await world.refused()).toEqual([]);
    expect(await world.refused(0, green)).toEqual([["availability-zone", "az1"]]);
  });
});
