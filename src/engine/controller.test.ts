// Laws of one controller over many keys, in virtual time: nobody starves, nobody holds up a neighbour, nobody is remembered for ever.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EngineWorld } from "../../test/support/engine-world.ts";
import { quietLog } from "../../test/support/quiet-log.ts";
import { specimenFeatureOn } from "../../test/support/specimen-cloud.ts";
import { configMaps } from "../apis/kube/builtin-kinds.ts";
import { MainstayError } from "../core/errors.ts";
import { allGuards } from "../core/guards.ts";
import { type Action, backoffKey } from "../core/plan.ts";
import { specimens } from "../sim/specimen/specimen-kind.ts";
import { seededRandom } from "../sim/time/seeded-random.ts";
import { Controller } from "./controller.ts";
import type { Feature } from "./feature.ts";
import { FeatureCaches } from "./informer/feature-caches.ts";
import { Informers } from "./informer/informers.ts";
import { fencedKube } from "./lease/fenced-kube.ts";
import { soleTerm } from "./lease/leader-term.ts";
import { EventRecorder } from "./report/events.ts";
import { createMetrics } from "./report/metrics.ts";
import { LanesUnderWay } from "./round/lanes-under-way.ts";
import { OverdueRuns } from "./round/overdue-runs.ts";
import { sleep } from "./round/sleep.ts";

const minute = 60_000;

async function running(
  settings: Parameters<typeof specimenFeatureOn>[1] = {},
  { through = (feature) => feature }: { readonly through?: (feature: Feature) => Feature } = {},
) {
  const world = new EngineWorld();
  await world.defineSpecimens();
  const { kube, clock } = world;
  const [random, log, metrics] = [seededRandom(5), quietLog(), createMetrics()];
  const feature = through(specimenFeatureOn(world.specimenCloud, settings));
  const informers = new Informers({ kube, clock, random, log });
  const caches = new FeatureCaches(feature, informers, {});
  const term = soleTerm(new AbortController().signal);
  const recorder = new EventRecorder({
    kube: fencedKube(kube, term),
    fence: term.fence,
    clock,
    random,
    log,
    reporter: { controller: "mainstay.dev/specimen", instance: "test" },
  });
  const overdue = new OverdueRuns();
  const guard = allGuards([]);
  const lanes = new LanesUnderWay();
  const lent = { feature, kube, term, clock, metrics, guard, caches, recorder, lanes };
  const controller = new Controller({ ...lent, random, log, overdue });
  controller.start();
  return { world, controller };
}

const allLocations = Array.from({ length: 12 }, (_, index) => `s${String(index).padStart(2, "0")}`);
const locations = fc.uniqueArray(fc.constantFrom(...allLocations), { maxLength: 12 });

test("whichever locations are down and whichever keys are stuck or broken, everything else gets done", async () => {
  const key = fc.record({ locations, kind: fc.constantFrom("well", "well", "stuck", "broken", "restless") });
  const schedules = fc.record({
    keys: fc.array(key, { maxLength: 6 }),
    down: locations,
    concurrency: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(schedules, async ({ keys, down, concurrency }) => {
      const { world } = await running({ deadlineMs: 20_000, concurrency });
      world.specimenCloud.silent.add("silent");
      for (const location of down) world.specimenCloud.down.add(location);
      for (const [index, { kind, ...spec }] of keys.entries()) {
        const wanted = kind === "stuck" ? [...spec.locations, "silent"] : spec.locations;
        await world.make(`k${index}`, { locations: wanted, broken: kind === "broken" });
      }
      for (let second = 0; second < 5 * 60; second += 5) {
        for (const [index, { kind }] of keys.entries()) {
          const ref = { name: `k${index}`, namespace: "default" };
          const body = { metadata: { labels: { at: String(second) } } };
          if (kind === "restless") await world.kube.patch(specimens, ref, { type: "merge", body });
        }
        await world.clock.advance(5_000);
      }
      const { items } = await world.kube.list(configMaps, { labelSelector: "mainstay.dev/made-by=specimen" });
      const made = items.map(({ metadata }) => metadata.name);
      const expected = keys.flatMap((drawn, index) =>
        drawn.kind === "well" || drawn.kind === "restless"
          ? drawn.locations.filter((location) => !down.includes(location)).map((location) => `k${index}-${location}`)
          : [],
      );
      expect(expected.filter((name) => !made.includes(name))).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

test("a slow lane holds up no other lane of its key, and makes nothing twice", async () => {
  const schedules = fc.record({
    wanted: fc.uniqueArray(fc.constantFrom(...allLocations), { minLength: 1, maxLength: 12 }),
    slow: locations,
    slowMs: fc.integer({ min: 3_000, max: 60_000 }),
    before: locations,
  });
  await fc.assert(
    fc.asyncProperty(schedules, async ({ wanted, slow, slowMs, before }) => {
      const { world } = await running();
      await world.make("k", { locations: before });
      await world.clock.advance(minute);
      for (const location of slow) world.specimenCloud.slowMs.set(location, slowMs);
      await world.change("k", { locations: wanted });
      // A thing is ready after five seconds; the rest is a round or two.
      await world.clock.advance(15_000);
      const childrenAt = async () =>
        (await world.kube.list(configMaps, { labelSelector: "mainstay.dev/made-by=specimen" })).items.map(
          ({ metadata }) => metadata.name,
        );
      const quick = wanted.filter((location) => !slow.includes(location)).map((location) => `k-${location}`);
      const made = await childrenAt();
      expect(quick.filter((name) => !made.includes(name))).toEqual([]);
      await world.clock.advance(8 * minute);
      expect(await childrenAt()).toEqual(wanted.map((location) => `k-${location}`).toSorted());
      const things = [...world.specimenCloud.things.values()].map(({ location }) => location);
      expect(things.toSorted()).toEqual(wanted.toSorted());
    }),
    { numRuns: 10, examples: [[{ wanted: ["s00"], slow: ["s00", "s05"], slowMs: 3_000, before: ["s05"] }]] },
  );
});

test("nothing is remembered about keys whose objects are gone, whatever happened to them", async () => {
  const { world, controller } = await running();
  world.specimenCloud.down.add("down");
  for (let number = 0; number < 40; number += 1)
    await world.make(`k${number}`, { locations: number % 2 === 0 ? ["a"] : ["a", "down"], broken: number % 5 === 0 });
  await world.clock.advance(minute);
  expect(controller.rememberedKeys.size).toBe(40);
  const timersWhileBusy = world.clock.pendingTimers;
  for (let number = 0; number < 40; number += 1) {
    await world.change(`k${number}`, { broken: false });
    await world.kube.delete(specimens, { name: `k${number}`, namespace: "default" });
  }
  world.specimenCloud.down.clear();
  await world.clock.advance(20 * minute);
  expect((await world.kube.list(specimens)).items).toEqual([]);
  expect([...controller.rememberedKeys]).toEqual([]);
  expect(world.clock.pendingTimers).toBeLessThan(timersWhileBusy);
});

test("a key whose world takes its time is not looked at before that can show, however often it is woken; then at once", async () => {
  const [settleMs, looks]: [number, number[]] = [2_000, []];
  const { world } = await running(
    {},
    {
      through: (feature) => ({
        ...feature,
        settleMs: ({ kind }) => (kind === "create-thing" ? settleMs : 0),
        observe: (key, reader) => {
          looks.push(world.clock.monotonicMs());
          return feature.observe(key, reader);
        },
      }),
    },
  );
  await world.make("k", { locations: ["a"] });
  await world.clock.advance(500);
  const madeAtMs = looks.at(-1) ?? 0;
  const ref = { name: "k", namespace: "default" };
  for (let times = 0; times < 10; times += 1) {
    await world.kube.patch(specimens, ref, { type: "merge", body: { metadata: { labels: { at: String(times) } } } });
    await world.clock.advance(100);
  }
  expect(world.specimenCloud.things.size).toBe(1);
  expect(looks.at(-1)).toBe(madeAtMs);
  await world.clock.advance(1_000);
  expect(looks[looks.lastIndexOf(madeAtMs) + 1]).toBe(madeAtMs + settleMs);
});

test("what a plan does not want begun is not, although its back-off ends while the round observes; the next round begins it at once", async () => {
  let failed: ReadonlyMap<string, number> = new Map();
  const begun: (boolean | undefined)[] = [];
  const { world } = await running(
    {},
    {
      through: (feature) => ({
        ...feature,
        observe: async (key, reader) => {
          ({ failed = new Map() } = reader);
          // The first back-off is shorter.
          if (failed.size > 0) await sleep(world.clock, 3_000);
          return await feature.observe(key, reader);
        },
        plan: (observed, nowMs) => {
          const plan = feature.plan(observed, nowMs);
          const isLater = (action: Action) => (failed.get(backoffKey(action)) ?? 0) > 0;
          return { ...plan, actions: plan.actions.map((one) => (isLater(one) ? { ...one, notNow: true } : one)) };
        },
        executors: {
          ...feature.executors,
          "create-thing": async (action, writer) => {
            begun.push(action.notNow);
            await feature.executors["create-thing"]?.(action, writer);
          },
        },
      }),
    },
  );
  world.specimenCloud.down.add("a");
  await world.make("k", { locations: ["a"] });
  await world.clock.advance(20);
  expect(begun).toEqual([undefined]);
  await world.kube.patch(
    specimens,
    { name: "k", namespace: "default" },
    { type: "merge", body: { metadata: { labels: { at: "once" } } } },
  );
  world.specimenCloud.down.clear();
  await world.clock.advance(10_000);
  expect(begun).toEqual([undefined, undefined]);
  expect(world.specimenCloud.things.size).toBe(1);
});

describe("status that another client wipes a moment later, for an hour", () => {
  const ref = { name: "k", namespace: "default" };

  /** How often there was something to wipe. */
  async function wipeForAnHour(world: EngineWorld): Promise<number> {
    let wiped = 0;
    for (let second = 0; second < 3_600; second += 1) {
      await world.clock.advance(1_000);
      if ((await world.specimen("k")).status === undefined) continue;
      wiped += 1;
      await world.kube.patch(specimens, ref, { type: "merge", body: { status: null } }, { subresource: "status" });
    }
    return wiped;
  }

  test("is written less and less often, whatever the job, and told once", async () => {
    const { world } = await running();
    await world.make("k", { locations: ["a"] });
    await world.clock.advance(minute);
    const wiped = await wipeForAnHour(world);
    expect(wiped).toBeGreaterThanOrEqual(10);
    expect(wiped).toBeLessThanOrEqual(25);
    expect((await world.eventReasons()).filter((reason) => reason === "StatusOverwritten")).toHaveLength(1);
  });

  test("says less and less often that rounds fail", async () => {
    const refused = new MainstayError({ reason: "PermissionDenied", message: "?" });
    const { world } = await running(
      {},
      {
        through: (feature) => ({ ...feature, reportsFailedRounds: true, observe: () => Promise.reject(refused) }),
      },
    );
    await world.make("k", { locations: ["a"] });
    await world.clock.advance(minute);
    const wiped = await wipeForAnHour(world);
    expect(wiped).toBeGreaterThanOrEqual(5);
    expect(wiped).toBeLessThanOrEqual(25);
  });
});
