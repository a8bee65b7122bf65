import { expect, test } from "vitest";
import type { CloudAction } from "../../core/model/lessons.ts";
import { CapabilityCache } from "./capability-cache.ts";

const hour = 3_600_000;
const cloud = "cloud";
const ours = "our token";
const blue = "clusters/blue";
const green = "clusters/green";
const monitor = { kind: "create-monitor", provider: "amphora", wanted: {} } as unknown as CloudAction;
const inZone = {
  kind: "create-load-balancer",
  wanted: { provider: "amphora", availabilityZone: "az1" },
} as unknown as CloudAction;

const sent = (action: CloudAction, key = blue) => ({ key, credentials: ours, action });

function cacheOf() {
  const cache = new CapabilityCache();
  const octavia = {
    version: async () => [2, 26] as const,
    listProviders: async () => ["amphora"],
    listFlavors: async () => [],
    listAvailabilityZones: async () => [{ name: "az1", enabled: true }],
  };
  const refused = async (monotonicMs = 0, key = blue, endpointKey = cloud, sharingKey = ours) => {
    const found = await cache.get({ endpointKey, sharingKey, key, octavia, monotonicMs, call: {} });
    return found === "awaited" ? found : found.refused.map(({ feature, zone }) => [feature, zone]);
  };
  return { cache, refused };
}

test("what a cloud refused is kept while the rest is asked again, and forgotten after an hour", async () => {
  const { cache, refused } = cacheOf();
  await refused();
  cache.learn(cloud, sent(monitor), "Unsupported");
  cache.learn(cloud, sent(monitor), "BadRequest");
  expect(await refused()).toEqual([["health-monitor", undefined]]);
  expect(await refused(hour)).toEqual([]);
});

test("what a cloud refused counts for every object in it, and in no other cloud", async () => {
  const { cache, refused } = cacheOf();
  await refused();
  cache.learn(cloud, sent(monitor), "Unsupported");
  expect(await refused(0, green)).toEqual([["health-monitor", undefined]]);
  expect(await refused(0, green, "elsewhere")).toEqual([]);
});

test("what is forbidden counts for every object with the same credentials, and for no others in the cloud", async () => {
  const { cache, refused } = cacheOf();
  await refused();
  cache.learn(cloud, sent({ kind: "tag-floating-ip" } as CloudAction), "Forbidden");
  expect(await refused(0, green)).toEqual([["floating-ip-tags", undefined]]);
  expect(await refused(0, green, cloud, "another token")).toEqual([]);
});

test("what was learnt is kept when several ask again at the same time", async () => {
  const { cache, refused } = cacheOf();
  await refused();
  cache.learn(cloud, sent(monitor), "Unsupported");
  for (const monotonicMs of [1, 2, 3]) {
    cache.learn(cloud, sent(inZone), "BadRequest");
    await Promise.all([refused(monotonicMs), refused(monotonicMs), refused(monotonicMs, green)]);
  }
  expect(await refused(4)).toEqual([
    ["health-monitor", undefined],
    ["availability-zone", "az1"],
  ]);
  expect(await refused(4, green)).toEqual([["health-monitor", undefined]]);
});

test("what is learnt while an answer is on its way is kept", async () => {
  const { cache, refused } = cacheOf();
  await refused();
  const late = refused(hour);
  cache.learn(cloud, sent(monitor), "Unsupported");
  await late;
  expect(await refused(hour)).toEqual([["health-monitor", undefined]]);
});

test("a zone that is in a bad request again counts as refused only when the cloud was asked in between", async () => {
  const { cache, refused } = cacheOf();
  await refused();
  for (const _ of [1, 2]) cache.learn(cloud, sent(inZone), "BadRequest");
  expect(await refused()).toEqual([]);
  cache.learn(cloud, sent(inZone), "BadRequest");
  expect(await refused()).toEqual([["availability-zone", "az1"]]);
});

test("a refused zone is forgotten with its object", async () => {
  const { cache, refused } = cacheOf();
  for (const key of [blue, blue, green, green]) {
    await refused(0, key);
    cache.learn(cloud, sent(inZone, key), "BadRequest");
  }
  cache.forget(blue);
  expect(await refused()).toEqual([]);
  expect(await refused(0, green)).toEqual([["availability-zone", "az1"]]);
});
