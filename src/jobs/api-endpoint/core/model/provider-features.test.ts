// What a cloud can do, by the version of its API, its provider and what was refused before.

import { describe, expect, test } from "vitest";
import { amphora } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import { octaviaTooOld, type ProviderFeature, refusedAfter, supports } from "./provider-features.ts";

const of = (major: number, minor: number) => ({ ...amphora, version: [major, minor] as const, refused: [] });

describe("a feature", () => {
  test.each<readonly [ProviderFeature, number]>([
    ["availability-zone", 14],
    ["allowed-cidrs", 12],
    ["batch-members", 11],
    ["timeouts", 1],
  ])("%s is there since Octavia 2.%i, and in every later version", (feature, minor) => {
    const there = [of(1, 99), of(2, minor - 1), of(2, minor), of(2, minor + 1), of(3, 0)];
    expect(there.map((cloud) => supports(cloud, "amphora", feature))).toEqual([false, false, true, true, true]);
  });

  test("that was always there is in every second version", () => {
    expect([of(1, 0), of(2, 0)].map((cloud) => supports(cloud, "amphora", "health-monitor"))).toEqual([false, true]);
  });

  test("of zones and of access lists is not in OVN", () => {
    const inOvn = (["availability-zone", "allowed-cidrs", "timeouts", "health-monitor"] as const).map((feature) =>
      supports(of(2, 26), "ovn", feature),
    );
    expect(inOvn).toEqual([false, false, true, true]);
  });

  test("that was refused is not asked of the same provider again", () => {
    const cloud = { ...of(2, 26), refused: [{ provider: "", feature: "timeouts" as const }] };
    expect([undefined, "", "amphora"].map((provider) => supports(cloud, provider, "timeouts"))).toEqual([
      false,
      false,
      true,
    ]);
    expect(supports(cloud, undefined, "batch-members")).toBe(true);
  });
});

test.each([
  [of(1, 30), true],
  [of(2, 4), true],
  [of(2, 5), false],
  [of(3, 0), false],
])("an Octavia without tags is too old, and no other: %j", (cloud, isTooOld) => {
  expect(octaviaTooOld(known(cloud)).map(({ reason }) => reason)).toEqual(isTooOld ? ["OctaviaTooOld"] : []);
});

describe("a request that is refused as a whole", () => {
  const timeouts = { provider: "amphora", feature: "timeouts" } as const;
  const list = { provider: "amphora", feature: "allowed-cidrs" } as const;
  const others = { provider: "octavia", feature: "timeouts" } as const;

  test("costs the first thing in it, and nothing more while that is left out already", () => {
    expect(refusedAfter([], [timeouts, list])).toEqual([timeouts]);
    expect(refusedAfter([timeouts], [timeouts, list])).toEqual([timeouts]);
    expect(refusedAfter([timeouts], [])).toEqual([timeouts]);
  });

  test("costs an access list when nothing else was in it; the timeouts of that provider count again", () => {
    expect(refusedAfter([timeouts, others], [list])).toEqual([others, list]);
    expect(refusedAfter([list], [timeouts])).toEqual([list, timeouts]);
  });
});
