import { describe, expect, test } from "vitest";
import { configMaps, nodes } from "../../apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../apis/kube/kube-object.ts";
import type { Feature } from "../feature.ts";
import { FeatureCaches } from "./feature-caches.ts";
import type { Informer } from "./informer.ts";
import type { Informers } from "./informers.ts";

const key = { name: "one", namespace: "default" };
const one: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: key };

interface Seen {
  readonly state?: Informer<KubeObject>["state"];
  readonly settled?: boolean;
  readonly synced?: boolean;
  readonly holds?: KubeObject;
}

/** Caches of a feature for ConfigMaps that also watches Nodes, each as it is said to be. */
function caches(root: Seen, other: Seen = {}, watches: readonly Kind[] = [configMaps, nodes]): FeatureCaches {
  const informer = ({ state = "synced", settled = true, synced = true, holds }: Seen) =>
    ({
      state,
      hasSettled: () => settled,
      hasSynced: () => synced,
      get: () => holds,
      readiness: () => ({ message: `it is ${state}` }),
    }) as unknown as Informer<KubeObject>;
  const informers = { get: (kind: Kind) => informer(kind.plural === configMaps.plural ? root : other) };
  const feature = { name: "test", root: configMaps, watches: watches.map((kind) => ({ kind })) };
  return new FeatureCaches(feature as unknown as Feature, informers as unknown as Informers, {});
}

describe("the caches of a feature", () => {
  test("are settled only when every one of them is", () => {
    expect(caches({}).settled()).toBe(true);
    expect(caches({}, { settled: false }).settled()).toBe(false);
  });

  test.each([
    ["was never listed", { synced: false }, "KindNotServed"],
    ["is no longer served", { state: "not-served" }, "KindNotServed"],
    ["may no longer be read, although it once could", { state: "forbidden" }, "PermissionDenied"],
  ] as const)("cannot be planned from when a kind %s", (_what, seen, reason) => {
    expect(caches({}, seen).missing()?.reason).toBe(reason);
  });

  test("can be planned from while a kind cannot be reached: the last that was seen counts", () => {
    expect(caches({}, { state: "unreachable" }).missing()).toBeUndefined();
  });
});

describe("a root kind that is no longer served", () => {
  test("has taken an object with it when the cache has let go of it, and not before", () => {
    expect(caches({ state: "not-served" }).rootWentAway(key)).toBe(true);
    expect(caches({ state: "not-served", holds: one }).rootWentAway(key)).toBe(false);
    expect(caches({ state: "forbidden" }).rootWentAway(key)).toBe(false);
  });

  test("says nothing where the feature does not watch its root", () => {
    expect(caches({ state: "not-served" }, {}, [nodes]).rootWentAway(key)).toBe(false);
  });
});
