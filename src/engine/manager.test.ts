import { describe, expect, test } from "vitest";
import { EngineWorld } from "../../test/support/engine-world.ts";
import { recordingFeature } from "../../test/support/recording-feature.ts";
import { specimenFeatureOn } from "../../test/support/specimen-cloud.ts";
import { configMaps, customResourceDefinitions, events } from "../apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../apis/kube/kube-object.ts";
import { dryRun, maxRemovals, noDeletes } from "../core/guards.ts";
import { KubeError } from "../core/kube-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { Kube } from "../ports/kube.ts";
import { specimenCrd, specimens } from "../sim/specimen/specimen-kind.ts";
import { type Feature, watch } from "./feature.ts";
import { watchFilterLabel } from "./informer/watch-filter.ts";
import { leaseNameFor } from "./lease/lease-name.ts";

const lease = { ref: { namespace: "default", name: "mainstay-controller" } };
const minute = 60_000;

async function worldWith(...locations: readonly string[]): Promise<EngineWorld> {
  const world = new EngineWorld();
  await world.defineSpecimens();
  await world.make("one", { locations });
  return world;
}

async function children(world: EngineWorld): Promise<readonly string[]> {
  const { items } = await world.kube.list(configMaps, { namespace: "default" });
  return items
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== "kube-root-ca.crt")
    .toSorted();
}

/** The informer hears of ConfigMaps three seconds late. */
function withLateChildren(kube: Kube, clock: Clock): Kube {
  return {
    ...kube,
    async *watch(kind, query, options) {
      for await (const event of kube.watch(kind, query, options)) {
        const late = kind.plural === configMaps.plural && event.type !== "BOOKMARK";
        if (late) await new Promise<void>((resolve) => clock.after(3_000, resolve));
        yield event;
      }
    },
  };
}

describe("a feature", () => {
  test("converges, says so in status and events, and is silent from then on", async () => {
    const world = await worldWith("a", "b");
    const { writes, log } = world.manager();
    await world.clock.advance(minute);
    expect(await children(world)).toEqual(["one-a", "one-b"]);
    expect(await world.specimen("one")).toMatchObject({
      metadata: { finalizers: ["mainstay.dev/specimen"] },
      status: {
        readyLocations: ["a", "b"],
        conditions: [{ type: "Ready", status: "True", reason: "AsExpected", observedGeneration: 1 }],
      },
    });
    expect(await world.eventReasons()).toContain("ObjectNotFound");
    const [writesSoFar, linesSoFar] = [writes.length, log.lines.filter(({ level }) => level !== "debug").length];
    await world.clock.advance(24 * 60 * minute);
    expect(writes.length).toBe(writesSoFar);
    expect(log.lines.filter(({ level }) => level !== "debug").length).toBe(linesSoFar);
  });

  test("writes one line per change it makes", async () => {
    const world = await worldWith("a");
    const { log } = world.manager();
    await world.clock.advance(minute);
    const done = log.lines.filter(({ message }) => message === "action done").map(({ data }) => data["action"]);
    expect(done).toEqual(["add-finalizer", "create-thing", "create-child"]);
  });

  test("moves a condition's time when its status changes, and only then", async () => {
    const world = await worldWith("a");
    const { writes } = world.manager();
    await world.clock.advance(minute);
    const writesSoFar = writes.length;
    const condition = async (): Promise<Readonly<Record<string, unknown>>> =>
      (await world.specimen("one")).status?.conditions?.[0] as never;
    const first = await condition();
    await world.kube.patch(
      specimens,
      { name: "one", namespace: "default" },
      { type: "merge", body: { metadata: { labels: { x: "y" } } } },
    );
    await world.clock.advance(minute);
    expect(await condition()).toEqual(first);
    expect(writes.length, "an unchanged status costs no call").toBe(writesSoFar);
    await world.change("one", { locations: ["a", "b"] });
    await world.clock.advance(1_000);
    expect(await condition()).toMatchObject({ status: "False", observedGeneration: 2 });
    expect((await condition())["lastTransitionTime"]).not.toBe(first["lastTransitionTime"]);
  });

  test("cleans up after itself and leaves what is not its own", async () => {
    const world = await worldWith("a", "b");
    world.specimenCloud.things.set("foreign", { id: "foreign", owner: "somebody", location: "a", readyAtMs: 0 });
    world.manager();
    await world.clock.advance(minute);
    await world.kube.delete(specimens, { name: "one", namespace: "default" });
    await world.clock.advance(minute);
    await expect(world.specimen("one")).rejects.toMatchObject({ code: "NotFound" });
    expect([...world.specimenCloud.things.keys()]).toEqual(["foreign"]);
    expect(await children(world)).toEqual([]);
  });
});

describe("a lane that fails", () => {
  test("does not hold up the others, is tried later and later, and heals by itself", async () => {
    const world = await worldWith("a", "b");
    world.specimenCloud.down.add("b");
    const { metrics } = world.manager();
    await world.clock.advance(10 * minute);
    expect(await children(world)).toEqual(["one-a"]);
    const tries = world.specimenCloud.calls.filter((call) => call.endsWith("/b")).length;
    expect(tries).toBeGreaterThan(4);
    expect(tries).toBeLessThan(20);
    expect(await world.eventReasons()).toContain("ApiUnreachable");
    expect(await metrics.text()).toContain('mainstay_reconciles_total{controller="specimen",outcome="failed"}');
    world.specimenCloud.down.clear();
    await world.clock.advance(6 * minute);
    expect(await children(world)).toEqual(["one-a", "one-b"]);
  });
});

describe("a lane that backs off", () => {
  test("is not tried sooner because its object changes all the time", async () => {
    const world = await worldWith("a", "b");
    world.specimenCloud.down.add("b");
    world.manager();
    for (let change = 0; change < 300; change += 1) {
      await world.kube.patch(
        specimens,
        { name: "one", namespace: "default" },
        { type: "merge", body: { metadata: { labels: { change: `n${change}` } } } },
      );
      await world.clock.advance(1_000);
    }
    expect(world.specimenCloud.calls.filter((call) => call.endsWith("/b")).length).toBeLessThan(20);
    expect(await children(world)).toEqual(["one-a"]);
  });
});

describe("a crash", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "after write %i, with its answer lost, is followed by convergence without doubles",
    async (fatal) => {
      const world = await worldWith("a", "b");
      let count = 0;
      let dead = false;
      const { manager } = world.manager({
        through: (kube) => {
          const once = async <T>(call: () => Promise<T>): Promise<T> => {
            const lost = new KubeError({ code: "Unreachable", message: "the process is gone" });
            if (dead) throw lost;
            const answer = await call();
            count += 1;
            if (count === fatal) dead = true;
            if (dead) throw lost;
            return answer;
          };
          return {
            ...kube,
            create: (kind, object, options) => once(() => kube.create(kind, object, options)),
            patch: (kind, ref, patch, options) => once(() => kube.patch(kind, ref, patch, options)),
            apply: (kind, object, options) => once(() => kube.apply(kind, object, options)),
          };
        },
      });
      await world.clock.runUntil(() => dead, minute);
      const stopped = manager.stop();
      await world.clock.advance(minute);
      await stopped;
      world.manager();
      await world.clock.advance(minute);
      expect(await children(world)).toEqual(["one-a", "one-b"]);
      expect([...world.specimenCloud.things.values()].map(({ location }) => location).toSorted()).toEqual(["a", "b"]);
      expect((await world.specimen("one")).status).toMatchObject({ conditions: [{ status: "True" }] });
    },
  );
});

describe("a cache that lags behind", () => {
  test("is never planned from when it is older than the key's own last write", async () => {
    const world = await worldWith("a");
    const { writes, log } = world.manager({ through: (kube) => withLateChildren(kube, world.clock) });
    await world.clock.advance(minute);
    expect(await children(world)).toEqual(["one-a"]);
    expect(writes.filter((write) => write === "create configmaps")).toHaveLength(1);
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("is not planned from while it still holds what the key has deleted", async () => {
    const world = await worldWith("a");
    const { writes, log } = world.manager({ through: (kube) => withLateChildren(kube, world.clock) });
    await world.clock.advance(minute);
    await world.change("one", { locations: [] });
    await world.clock.advance(minute);
    expect(await children(world)).toEqual([]);
    expect(writes.filter((write) => write === "delete configmaps")).toHaveLength(1);
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("is asked about again when the answer to a write was lost", async () => {
    const world = await worldWith("a");
    let lost = false;
    const { writes } = world.manager({
      through: (kube) => ({
        ...withLateChildren(kube, world.clock),
        async create(kind, object, options) {
          const made = await kube.create(kind, object, options);
          if (kind.plural !== "configmaps" || lost) return made;
          lost = true;
          throw new KubeError({ code: "Timeout", message: "no answer" });
        },
      }),
    });
    await world.clock.advance(minute);
    expect(lost).toBe(true);
    expect(await children(world)).toEqual(["one-a"]);
    expect(writes.filter((write) => write === "create configmaps")).toHaveLength(1);
    expect((await world.specimen("one")).status).toMatchObject({ readyLocations: ["a"] });
  });
});

describe("an executor that ignores its deadline", () => {
  test("loses its worker but keeps its key: others go on, and it is never run twice at once", async () => {
    const world = await worldWith("silent");
    world.specimenCloud.silent.add("silent");
    const { metrics } = world.manager({
      features: [specimenFeatureOn(world.specimenCloud, { deadlineMs: 10_000, concurrency: 1 })],
    });
    await world.clock.advance(5_000);
    await world.make("two", { locations: ["a"] });
    await world.clock.advance(minute);
    expect(await children(world)).toEqual(["two-a"]);
    expect(await world.eventReasons()).toContain("ReconcileDeadlineExceeded");
    expect(await metrics.text()).toContain('mainstay_overdue_keys{controller="specimen"} 1');
    await world.change("one", { locations: ["silent", "b"] });
    await world.clock.advance(10 * minute);
    expect(world.specimenCloud.calls.filter((call) => call.endsWith("/silent"))).toHaveLength(1);
    world.specimenCloud.silent.clear();
    for (const release of world.specimenCloud.release) release();
    await world.clock.advance(10 * minute);
    expect(await children(world)).toEqual(["one-b", "one-silent", "two-a"]);
    expect(await metrics.text()).toContain('mainstay_overdue_keys{controller="specimen"} 0');
  });
});

describe("a broken invariant", () => {
  test("that counts for a gauge nobody declared is isolated and reported, not forgotten", async () => {
    const world = await worldWith("a");
    const feature = specimenFeatureOn(world.specimenCloud);
    const gauges = [{ metric: "mainstay_undeclared_things", labels: {}, count: 1 }];
    const counting: Feature = { ...feature, report: () => ({ statuses: [], gauges }) };
    const { metrics } = world.manager({ features: [counting] });
    await world.clock.advance(30_000);
    expect(await world.eventReasons()).toContain("InvariantViolated");
    expect(await metrics.text()).toContain('mainstay_isolated_keys{controller="specimen"} 1');
  });

  test("isolates its key until its objects change, and nothing else", async () => {
    const world = await worldWith("a");
    await world.change("one", { broken: true });
    await world.make("two", { locations: ["a"] });
    const { metrics, log } = world.manager();
    await world.clock.advance(60 * minute);
    expect(await children(world)).toEqual(["two-a"]);
    expect(await world.eventReasons()).toContain("InvariantViolated");
    expect(await metrics.text()).toContain('mainstay_isolated_keys{controller="specimen"} 1');
    expect(log.lines.filter(({ message }) => message === "reconcile failed")).toHaveLength(1);
    await world.change("one", { broken: false });
    await world.clock.advance(minute);
    expect(await children(world)).toEqual(["one-a", "two-a"]);
    expect(await metrics.text()).toContain('mainstay_isolated_keys{controller="specimen"} 0');
  });
});

describe("guards", () => {
  test("a dry run changes nothing and says in status and events what it would do", async () => {
    const world = await worldWith("a");
    const { log } = world.manager({ guardOf: () => dryRun });
    await world.clock.advance(60 * minute);
    expect((await world.specimen("one")).metadata.finalizers).toBeUndefined();
    expect((await world.specimen("one")).status).toMatchObject({
      conditions: [{ reason: "DryRun", message: "would add finalizer because AsExpected" }],
    });
    expect(await world.eventReasons()).toEqual(["DryRun"]);
    expect(log.lines.filter(({ message }) => message === "changes refused")).toHaveLength(1);
  });

  test.each([
    ["no-deletes", noDeletes, "DeletesForbidden"],
    ["max-removals=1", maxRemovals(1), "TooManyRemovals"],
  ] as const)("%s keeps what would be removed, and the finalizer with it", async (_name, guard, reason) => {
    const world = await worldWith("a", "b");
    world.manager({ guardOf: () => guard });
    await world.clock.advance(minute);
    await world.change("one", { locations: [] });
    await world.clock.advance(minute);
    expect(await children(world)).toEqual(["one-a", "one-b"]);
    expect(world.specimenCloud.things.size).toBe(2);
    expect((await world.specimen("one")).status).toMatchObject({ conditions: [{ reason }] });
    await world.kube.delete(specimens, { name: "one", namespace: "default" });
    await world.clock.advance(10 * minute);
    expect((await world.specimen("one")).metadata.finalizers).toEqual(["mainstay.dev/specimen"]);
  });
});

describe("two managers", () => {
  test("one works and the other keeps warm without a word", async () => {
    const world = await worldWith("a");
    const [first, second] = [world.manager({ lease }), world.manager({ lease })];
    await world.clock.advance(2 * minute);
    expect(await children(world)).toEqual(["one-a"]);
    const [leader, standby] = first.manager.term === undefined ? [second, first] : [first, second];
    expect(leader.manager.term?.epoch).toBeGreaterThan(0);
    expect(standby.writes.filter((write) => !write.endsWith("leases.coordination.k8s.io"))).toEqual([]);
    expect(standby.manager.readiness()).toEqual({ ready: true, missing: [] });
    expect(await leader.metrics.text()).toContain("mainstay_leader_state 1");
    expect(await standby.metrics.text()).toContain("mainstay_leader_state 0");
  });

  test("the standby goes on where a stopped leader left off", async () => {
    const world = await worldWith("a", "b");
    const first = world.manager({ lease });
    await world.clock.advance(17_000);
    const second = world.manager({ lease });
    await world.clock.advance(500);
    const stopped = first.manager.stop();
    await world.clock.advance(minute);
    await stopped;
    expect(second.manager.term).toBeDefined();
    expect(await children(world)).toEqual(["one-a", "one-b"]);
    await world.make("two", { locations: ["a"] });
    await world.clock.advance(minute);
    expect(await children(world)).toEqual(["one-a", "one-b", "two-a"]);
  });

  test("a leader that loses its lease stops writing, and works again in a later term", async () => {
    const world = await worldWith("a");
    let cut = false;
    const first = world.manager({
      lease,
      through: (kube) => ({
        ...kube,
        patch: async (kind, ref, patch, options) => {
          if (cut && kind.plural === "leases") throw new KubeError({ code: "Unreachable", message: "cut off" });
          return await kube.patch(kind, ref, patch, options);
        },
      }),
    });
    await world.clock.advance(minute);
    const epoch = first.manager.term?.epoch ?? 0;
    cut = true;
    await world.clock.advance(20_000);
    expect(first.manager.term).toBeUndefined();
    await world.make("two", { locations: ["a"] });
    const before = first.writes.filter((write) => !write.endsWith("leases.coordination.k8s.io")).length;
    await world.clock.advance(minute);
    expect(first.writes.filter((write) => !write.endsWith("leases.coordination.k8s.io")).length).toBe(before);
    cut = false;
    await world.clock.advance(minute);
    expect(first.manager.term?.epoch).toBeGreaterThan(epoch);
    expect(await children(world)).toEqual(["one-a", "two-a"]);
  });

  test("a slow lane that a lost term left behind holds its lane in the next one: nothing is made twice", async () => {
    const world = await worldWith("a", "slow");
    world.specimenCloud.slowMs.set("slow", 3 * minute);
    let cut = false;
    const { manager, writes } = world.manager({
      lease,
      through: (kube) => ({
        ...kube,
        patch: async (kind, ref, patch, options) => {
          if (cut && kind.plural === "leases") throw new KubeError({ code: "Unreachable", message: "cut off" });
          return await kube.patch(kind, ref, patch, options);
        },
      }),
    });
    const creates = () => world.specimenCloud.calls.filter((call) => call.endsWith("/slow")).length;
    await world.clock.runUntil(() => creates() > 0, 20 * minute);
    const epoch = manager.term?.epoch ?? 0;
    cut = true;
    await world.clock.advance(20_000);
    const before = writes.filter((write) => !write.endsWith("leases.coordination.k8s.io")).length;
    await world.clock.advance(20_000);
    expect(manager.term).toBeUndefined();
    expect(writes.filter((write) => !write.endsWith("leases.coordination.k8s.io")).length).toBe(before);
    cut = false;
    await world.clock.advance(minute);
    expect([manager.term?.epoch === epoch, creates()]).toEqual([false, 1]);
    await world.clock.advance(30 * minute);
    expect([creates(), await children(world)]).toEqual([1, ["one-a", "one-slow"]]);
  });
});

describe("managers that share a fleet", () => {
  test("each manage what their filter passes, and do not compete", async () => {
    const world = await worldWith("a");
    const label = (name: string, filter: string) =>
      world.kube.patch(
        specimens,
        { name, namespace: "default" },
        { type: "merge", body: { metadata: { labels: { [watchFilterLabel]: filter } } } },
      );
    await world.make("two", { locations: ["a"] });
    await world.make("three", { locations: ["a"] });
    await label("one", "blue");
    await label("two", "red");
    const managers = ["blue", "red"].map((watchFilter) => {
      const scope = { watchFilter };
      return world.manager({ scope, lease: { ref: { namespace: "default", name: leaseNameFor(scope) } } });
    });
    await world.clock.advance(2 * minute);
    expect(managers.map(({ manager }) => manager.term !== undefined)).toEqual([true, true]);
    expect(await children(world)).toEqual(["one-a", "two-a"]);
    await label("three", "blue");
    await world.clock.advance(minute);
    expect(await children(world)).toEqual(["one-a", "three-a", "two-a"]);
  });
});

describe("readiness", () => {
  test("says in words which kind is missing, and the rest of the manager waits for nobody", async () => {
    const world = new EngineWorld();
    const seen: string[] = [];
    const other = recordingFeature(seen);
    await world.kube.create(configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "here", namespace: "default" },
    });
    const { manager } = world.manager({ features: [specimenFeatureOn(world.specimenCloud), other] });
    await world.clock.advance(minute);
    expect(manager.readiness().ready).toBe(false);
    expect(manager.readiness().missing).toMatchObject([expect.stringContaining("specimens.sim.mainstay.dev")]);
    expect(seen).toContain("here");
    await world.defineSpecimens();
    await world.make("one", { locations: ["a"] });
    await world.clock.advance(2 * minute);
    expect(manager.readiness()).toEqual({ ready: true, missing: [] });
    expect(await children(world)).toEqual(["here", "one-a"]);
  });

  test("shows an optional kind that is missing and is ready all the same", async () => {
    const world = await worldWith("a");
    const absent = {
      group: "nowhere.example.com",
      version: "v1",
      kind: "Nothing",
      plural: "nothings",
      namespaced: true,
    };
    const base = specimenFeatureOn(world.specimenCloud);
    const { manager } = world.manager({
      features: [{ ...base, watches: [...base.watches, watch({ kind: absent, keys: () => [], optional: true })] }],
    });
    await world.clock.advance(minute);
    expect(manager.readiness().ready).toBe(true);
    expect(manager.readiness().missing).toMatchObject([
      expect.stringMatching(/nothings\.nowhere\.example\.com.*\(optional\)$/),
    ]);
    expect(await children(world)).toEqual(["one-a"]);
  });

  test("nothing is taken for absent while a kind that is needed has vanished", async () => {
    const world = await worldWith("a");
    const helper = {
      group: "sim.mainstay.dev",
      version: "v1",
      kind: "Helper",
      plural: "helpers",
      namespaced: true,
    };
    const crd = JSON.parse(
      JSON.stringify(specimenCrd)
        .replaceAll("specimens", "helpers")
        .replaceAll("Specimen", "Helper")
        .replaceAll('"specimen"', '"helper"'),
    ) as KubeObject;
    await world.define(crd);
    const base = specimenFeatureOn(world.specimenCloud);
    const { manager } = world.manager({
      features: [{ ...base, watches: [...base.watches, watch({ kind: helper, keys: () => [] })] }],
    });
    await world.clock.advance(minute);
    await world.kube.delete(customResourceDefinitions, { name: "helpers.sim.mainstay.dev" });
    await world.clock.advance(10 * minute);
    expect(manager.readiness().ready).toBe(false);
    await world.change("one", { locations: [] });
    await world.clock.advance(10 * minute);
    expect(await children(world)).toEqual(["one-a"]);
    await world.define(crd);
    await world.clock.advance(2 * minute);
    expect(await children(world)).toEqual([]);
  });
});

describe("events", () => {
  test("of a thing that keeps failing are one series", async () => {
    const world = await worldWith("b");
    world.specimenCloud.down.add("b");
    world.manager();
    await world.clock.advance(10 * minute);
    const { items } = await world.kube.list<
      KubeObject & { readonly reason?: string; readonly series?: { readonly count: number } }
    >(events, {});
    const failures = items.filter(({ reason }) => reason === "ApiUnreachable");
    expect(failures).toHaveLength(1);
    expect(failures[0]?.series?.count).toBeGreaterThan(3);
  });
});
