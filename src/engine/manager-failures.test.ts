// What goes wrong around a manager, one trouble at a time, and that the rest of its work goes on.

import { describe, expect, test } from "vitest";
import { EngineWorld } from "../../test/support/engine-world.ts";
import { recordingFeature } from "../../test/support/recording-feature.ts";
import { specimenFeatureOn } from "../../test/support/specimen-cloud.ts";
import { configMaps } from "../apis/kube/builtin-kinds.ts";
import { KubeError } from "../core/kube-error.ts";
import type { Kube } from "../ports/kube.ts";
import { specimens } from "../sim/specimen/specimen-kind.ts";
import { type Feature, feature, watch } from "./feature.ts";

const minute = 60_000;
const lease = { ref: { namespace: "default", name: "mainstay-controller" } };

async function worldWith(...locations: readonly string[]): Promise<EngineWorld> {
  const world = new EngineWorld();
  await world.defineSpecimens();
  await world.make("one", { locations });
  return world;
}

async function children(world: EngineWorld): Promise<readonly string[]> {
  const { items } = await world.kube.list(configMaps, { labelSelector: "mainstay.dev/made-by=specimen" });
  return items.map(({ metadata }) => metadata.name).toSorted();
}

describe("a kind whose lists fail from the start", () => {
  test("keeps neither the manager from leading nor other features from working, and is named", async () => {
    const world = await worldWith("a");
    const metadata = { name: "here", namespace: "default" };
    await world.kube.create(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata });
    const seen: string[] = [];
    let broken = true;
    const { manager } = world.manager({
      lease,
      features: [specimenFeatureOn(world.specimenCloud), recordingFeature(seen)],
      through: (kube) => ({
        ...kube,
        list: async (kind, query, options) => {
          if (broken && kind.plural === "specimens")
            throw new KubeError({ code: "ServerError", status: 500, message: "conversion webhook failed" });
          return await kube.list(kind, query, options);
        },
      }),
    });
    await world.clock.advance(minute);
    expect(manager.term).toBeDefined();
    expect(seen).toContain("here");
    expect(manager.readiness()).toMatchObject({
      ready: false,
      missing: [expect.stringMatching(/specimens.*conversion webhook failed/)],
    });
    broken = false;
    await world.clock.advance(2 * minute);
    expect(manager.readiness()).toEqual({ ready: true, missing: [] });
    expect(await children(world)).toEqual(["one-a"]);
  });
});

describe("a first list that takes long", () => {
  test("is waited for: a candidate whose caches are half empty does not stand", async () => {
    const world = await worldWith("a");
    let list: () => void = () => {};
    const listable = new Promise<void>((resolve) => (list = resolve));
    const { manager } = world.manager({
      lease,
      features: [specimenFeatureOn(world.specimenCloud), recordingFeature([])],
      through: (kube) => ({
        ...kube,
        list: async (kind, query, options) => {
          if (kind.plural === "specimens") await listable;
          return await kube.list(kind, query, options);
        },
      }),
    });
    await world.clock.advance(20_000);
    expect(manager.term).toBeUndefined();
    list();
    await world.clock.advance(minute);
    expect(manager.term).toBeDefined();
  });
});

describe("a server that cannot be reached at all", () => {
  test("is no reason to stand for election with empty caches", async () => {
    const world = await worldWith("a");
    const refused = (): never => {
      throw new KubeError({ code: "Unreachable", message: "refused" });
    };
    const { manager, writes } = world.manager({
      lease,
      through: (kube) => ({ ...kube, list: async () => refused() }),
    });
    await world.clock.advance(minute);
    expect([manager.term, writes]).toEqual([undefined, []]);
  });
});

describe("a lease that cannot be had", () => {
  test("makes a manager unready in words, and is forgotten as soon as it can", async () => {
    const world = await worldWith("a");
    let forbidden = true;
    const { manager } = world.manager({
      lease,
      through: (kube) => ({
        ...kube,
        get: async (kind, ref, options) => {
          if (forbidden && kind.plural === "leases")
            throw new KubeError({ code: "Forbidden", status: 403, message: "leases are not for you" });
          return await kube.get(kind, ref, options);
        },
      }),
    });
    await world.clock.advance(minute);
    expect(manager.readiness()).toMatchObject({
      ready: false,
      missing: [expect.stringMatching(/^lease default\/mainstay-controller: .*leases are not for you/)],
    });
    forbidden = false;
    await world.clock.advance(minute);
    expect(manager.readiness()).toEqual({ ready: true, missing: [] });
    expect(manager.term).toBeDefined();
  });
});

describe("a term that ends in the middle of a plan", () => {
  test("aborts the write under way, and no later action of that plan is sent", async () => {
    const world = await worldWith("a");
    const sent: string[] = [];
    const aborted: string[] = [];
    let cut = false;
    const action = (name: string) => ({ kind: "write" as const, name, because: "ObjectNotFound" as const });
    const writing = feature<object, ReturnType<typeof action>>({
      name: "writing",
      root: specimens,
      watches: [watch({ kind: specimens, keys: ({ metadata: { name } }) => [{ name, namespace: "default" }] })],
      observe: async () => ({}),
      plan: () => ({ actions: ["first", "second"].map(action), waits: [], refusals: [] }),
      executors: {
        write: async ({ name }, { kube }) => {
          const metadata = { name, namespace: "default" };
          await kube.create(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata });
        },
      },
      changes: { write: "ConfigMapCreated" },
    });
    const { manager } = world.manager({
      lease,
      features: [writing],
      through: (kube): Kube => ({
        ...kube,
        patch: async (kind, ref, patch, options) => {
          if (cut && kind.plural === "leases") throw new KubeError({ code: "Unreachable", message: "cut off" });
          return await kube.patch(kind, ref, patch, options);
        },
        create: async (kind, object, options) => {
          if (kind.plural !== "configmaps") return await kube.create(kind, object, options);
          sent.push(object.metadata.name);
          cut = true;
          return await new Promise((_resolve, reject) => {
            options?.signal?.addEventListener("abort", () => {
              aborted.push(object.metadata.name);
              reject(new KubeError({ code: "Timeout", message: "aborted" }));
            });
          });
        },
      }),
    });
    expect(await world.clock.runUntil(() => cut && manager.term === undefined, 2 * minute)).toBe(true);
    await world.clock.advance(minute);
    expect({ sent, aborted }).toEqual({ sent: ["first"], aborted: ["first"] });
    const second = world.kube.get(configMaps, { name: "second", namespace: "default" });
    await expect(second).rejects.toMatchObject({ code: "NotFound" });
  });
});

describe("a status that the server is slow to take", () => {
  test("has a deadline as the rest of a round has: other keys go on", async () => {
    const world = await worldWith("a");
    await world.make("two", { locations: ["a"] });
    const { metrics } = world.manager({
      features: [specimenFeatureOn(world.specimenCloud, { deadlineMs: 10_000, concurrency: 1 })],
      through: (kube) => ({
        ...kube,
        apply: async (kind, object, options) => {
          if (object.metadata.name !== "one") return await kube.apply(kind, object, options);
          return await new Promise(() => {});
        },
      }),
    });
    await world.clock.advance(5 * minute);
    expect((await world.specimen("two")).status).toMatchObject({ readyLocations: ["a"] });
    expect(await metrics.text()).toContain(
      'mainstay_reasons_total{controller="specimen",reason="ReconcileDeadlineExceeded"}',
    );
  });
});

describe("a server restored from a backup", () => {
  test("is converged to again, and no key waits for a version that will never come", async () => {
    const world = await worldWith("a", "b");
    const { manager, log } = world.manager({ lease });
    await world.clock.advance(minute);
    const backup = world.api.backup();
    await world.make("two", { locations: ["a"] });
    await world.change("one", { locations: ["a"] });
    await world.clock.advance(minute);
    expect(await children(world)).toEqual(["one-a", "two-a"]);
    world.api.restore(backup);
    await world.clock.advance(5 * minute);
    expect(await children(world)).toEqual(["one-a", "one-b"]);
    expect((await world.specimen("one")).status).toMatchObject({ readyLocations: ["a", "b"] });
    expect(manager.readiness()).toEqual({ ready: true, missing: [] });
    await world.change("one", { locations: ["b"] });
    await world.clock.advance(minute);
    expect(await children(world)).toEqual(["one-b"]);
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("and overtaken by others' writes is found out by the first conflict, long before it is time to list again", async () => {
    const world = await worldWith("a", "b");
    world.manager({ lease });
    await world.clock.advance(minute);
    const backup = world.api.backup();
    await world.change("one", { locations: ["a"] });
    await world.clock.advance(minute);
    expect(await children(world)).toEqual(["one-a"]);
    world.api.restore(backup);
    // Versions have only grown, as far as anybody can see.
    world.api.advanceRevision(10_000);
    await world.clock.advance(minute);
    await world.change("one", { locations: ["b"] });
    await world.clock.advance(5 * minute);
    expect(await children(world)).toEqual(["one-b"]);
    expect((await world.specimen("one")).status).toMatchObject({ readyLocations: ["b"] });
  });
});

describe("a status that the API server refuses as invalid", () => {
  /** Until when, and how often it was refused. */
  async function refusedFor(ms: number) {
    const world = await worldWith("a");
    const endsMs = world.clock.nowMs() + ms;
    const refused: number[] = [];
    world.manager({
      through: (kube) => ({
        ...kube,
        apply: async (kind, object, options) => {
          if (options.subresource === "status" && world.clock.nowMs() < endsMs) {
            refused.push(world.clock.nowMs());
            throw new KubeError({ code: "Invalid", status: 422, message: "status is invalid" });
          }
          return await kube.apply(kind, object, options);
        },
      }),
    });
    return { world, refused };
  }

  test("is written again later, and later still, until it is taken", async () => {
    const { world, refused } = await refusedFor(40 * minute);
    await world.clock.advance(40 * minute);
    expect(refused.length).toBeGreaterThan(5);
    expect(refused.length).toBeLessThan(30);
    const pauses = refused.map((at, index) => at - (refused[index - 1] ?? at));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(5 * minute);
    await world.clock.advance(6 * minute);
    expect((await world.specimen("one")).status).toMatchObject({ readyLocations: ["a"] });
  });

  test("for a message that is too long is none: what does not fit is cut", async () => {
    const world = await worldWith("a");
    const feature = specimenFeatureOn(world.specimenCloud);
    const reporting: Feature = {
      ...feature,
      report: (input) => {
        const report = feature.report?.(input) ?? { statuses: [] };
        const message = "location a: what is wrong here, ".repeat(2_000);
        return {
          statuses: report.statuses.map((one) => ({
            ...one,
            conditions: (one.conditions ?? []).map((condition) => ({ ...condition, message })),
          })),
        };
      },
    };
    const { writes } = world.manager({ features: [reporting] });
    await world.clock.advance(minute);
    const [condition] = (await world.specimen("one")).status?.conditions ?? [];
    expect(condition?.message).toMatch(/^location a: what is wrong here, .*did not fit\.$/);
    const before = writes.length;
    await world.clock.advance(10 * minute);
    expect(writes).toHaveLength(before);
  });
});
