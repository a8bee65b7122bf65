import { describe, expect, test } from "vitest";
import type { ProviderRefusal } from "../../core/api-endpoint/observed.ts";
import { CapabilityCache } from "./capability-cache.ts";

const hour = 3_600_000;
const hint: ProviderRefusal = { provider: "amphora", feature: "availability-zone", zone: "az1" };
const monitors: ProviderRefusal = { provider: "amphora", feature: "health-monitor" };

function cacheOf() {
  const cache = new CapabilityCache();
  let asked = 0;
  const octavia = {
    version: async () => {
      asked += 1;
      return [2, 26] as const;
    },
    listProviders: async () => ["amphora"],
    listFlavors: async () => [],
    listAvailabilityZones: async () => [{ name: "az1", enabled: true }],
  };
  const refused = async (nowMs = 0) =>
    (await cache.get({ endpointKey: "cloud", octavia, nowMs, call: {} })).refused.map(({ feature, zone }) => [
      feature,
      zone,
    ]);
  return { cache, refused, asked: () => asked };
}

describe("what a cloud refused", () => {
  test("is kept while the rest is asked again, and forgotten after an hour", async () => {
    const { cache, refused, asked } = cacheOf();
    await refused();
    cache.refused("cloud", [monitors]);
    cache.doubt("cloud");
    expect(await refused()).toEqual([["health-monitor", undefined]]);
    expect(asked()).toBe(2);
    expect(await refused(hour)).toEqual([]);
  });

  test("with 400 counts once the cloud was asked again and still lists it", async () => {
    const { cache, refused } = cacheOf();
    await refused();
    cache.doubt("cloud", [hint]);
    cache.doubt("cloud", [hint]);
    expect(await refused()).toEqual([]);
    cache.doubt("cloud", [hint]);
    expect(await refused()).toEqual([["availability-zone", "az1"]]);
  });

  test("with 400 counts no longer when the request is as bad without it", async () => {
    const { cache, refused } = cacheOf();
    await refused();
    cache.refused("cloud", [monitors]);
    cache.doubt("cloud", [hint]);
    await refused();
    cache.doubt("cloud", [hint]);
    await refused();
    cache.acquit("cloud", "amphora");
    expect(await refused()).toEqual([["health-monitor", undefined]]);
    cache.doubt("cloud", [hint]);
    expect(await refused()).toEqual([["health-monitor", undefined]]);
  });
});
