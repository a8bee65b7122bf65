import { describe, expect, test } from "vitest";
import { configMaps } from "../../src/apis/kube/builtin-kinds.ts";
import { type KubeObject, refOf } from "../../src/apis/kube/kube-object.ts";
import { KubeError } from "../../src/core/kube-error.ts";
import { emptyPlan } from "../../src/core/plan.ts";
import { feature, watch } from "../../src/engine/feature.ts";
import { type KindCache, WrittenVersions } from "../../src/engine/informer/written-versions.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { specimens } from "../../src/sim/specimen/specimen-kind.ts";
import { EngineWorld } from "../support/engine-world.ts";

const never = new AbortController().signal;
const ref = { name: "a", namespace: "default" };

function objectAt(resourceVersion: string): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { ...ref, uid: "u", resourceVersion } };
}

/** An informer that has seen everything up to a version, or whatever a list begun later than a generation contains. */
class Witness implements KindCache {
  listGeneration = 1;
  listedGeneration = 1;
  version = 0;
  object: KubeObject | undefined = objectAt("1");
  readonly state = "synced";
  get = () => this.object;
  mayHold = () => true;
  mustHold = () => true;
  get lastResourceVersion(): string {
    return String(this.version);
  }
  invalidate(): void {}
  hasReached = (version: string, generation: number) =>
    this.listedGeneration > generation || this.version >= Number(version);
}

describe("what the simulation found in the engine", () => {
  test("a list that began while a write was under way is not taken to contain it", async () => {
    const witness = new Witness();
    const written = new WrittenVersions(() => [witness]);
    let answer: (object: KubeObject) => void = () => {};
    const patch = () => new Promise<KubeObject>((resolve) => (answer = resolve));
    const kube = written.remembering("key", { patch } as unknown as Kube);
    const write = kube.patch(configMaps, ref, { type: "merge", body: {} });
    // The list begins and is served before the write has its effect.
    witness.listGeneration = 2;
    witness.listedGeneration = 2;
    answer(objectAt("9"));
    await write;
    expect(await written.caughtUp("key", kube, never)).toBe(false);
    witness.version = 9;
    expect(await written.caughtUp("key", kube, never)).toBe(true);
  });

  test("a new leader plans only when its cache has what the last one left", async () => {
    const witness = new Witness();
    const written = new WrittenVersions(() => [witness]);
    const gone = new KubeError({ code: "NotFound", message: "no such object" });
    const reader = { get: () => Promise.reject(gone) } as unknown as Kube;
    written.assumeUncertain("key", configMaps, ref);
    expect(await written.caughtUp("key", reader, never)).toBe(false);
    witness.object = undefined;
    expect(await written.caughtUp("key", reader, never)).toBe(true);
  });

  test("the first round of a term looks its object up, and plans nothing from a cache that lags behind the answer", async () => {
    const world = new EngineWorld();
    await world.defineSpecimens();
    await world.make("one", { locations: ["a"] });
    const did: string[] = [];
    let goneOnServer = true;
    const looking = feature({
      name: "looking",
      root: specimens,
      watches: [watch({ kind: specimens, keys: (object) => [refOf(object)] })],
      observe: async () => (did.push("observed"), {}),
      plan: () => emptyPlan,
      executors: {},
      changes: {},
    });
    const ahead = (kube: Kube): Kube => ({
      ...kube,
      get: (kind, named, options) => {
        if (kind.plural !== specimens.plural) return kube.get(kind, named, options);
        did.push("looked up");
        // What the last leader did has not come in yet: the server has let the object go, the cache still holds it.
        const gone = new KubeError({ code: "NotFound", message: "no such object" });
        return goneOnServer ? Promise.reject(gone) : kube.get(kind, named, options);
      },
    });
    const { manager } = world.manager({ features: [looking], through: ahead });
    await world.clock.advance(10_000);
    expect([did[0], did.includes("observed")]).toEqual(["looked up", false]);
    goneOnServer = false;
    await world.clock.advance(120_000);
    expect(did.at(-1)).toBe("observed");
    await manager.stop();
  });

  test("what was planned while a kind could not be seen is planned again when it can be", async () => {
    const world = new EngineWorld();
    await world.defineSpecimens();
    await world.make("one", { locations: ["a"] });
    const seen: string[] = [];
    let broken = false;
    const looking = feature({
      name: "looking",
      root: specimens,
      watches: [
        watch({ kind: specimens, keys: (object) => [refOf(object)] }),
        watch({ kind: configMaps, keys: () => [], optional: true }),
      ],
      observe: async (_key, reader) => ({ state: reader.cached(configMaps).state }),
      plan: ({ state }) => {
        seen.push(state);
        return emptyPlan;
      },
      executors: {},
      changes: {},
    });
    const failing = (kube: Kube): Kube => ({
      ...kube,
      list: (kind, query, options) => {
        const away = broken && kind.plural === configMaps.plural;
        if (away) return Promise.reject(new KubeError({ code: "Unreachable", message: "away" }));
        return kube.list(kind, query, options);
      },
    });
    const { manager } = world.manager({ features: [looking], through: failing });
    await world.clock.advance(1_000);
    broken = true;
    world.api.closeWatches();
    await world.clock.advance(2_000);
    await world.change("one", { locations: ["b"] });
    await world.clock.advance(500);
    expect(seen.at(-1)).toBe("unreachable");
    broken = false;
    await world.clock.advance(60_000);
    expect(seen.at(-1)).toBe("synced");
    await manager.stop();
  });
});
