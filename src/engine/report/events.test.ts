import { describe, expect, test } from "vitest";
import { EngineWorld } from "../../../test/support/engine-world.ts";
import { quietLog } from "../../../test/support/quiet-log.ts";
import { customResourceDefinitions, events } from "../../apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { explain, explainDone } from "../../core/explain.ts";
import { KubeError } from "../../core/kube-error.ts";
import type { Kube } from "../../ports/kube.ts";
import { seededRandom } from "../../sim/time/seeded-random.ts";
import { EventRecorder } from "./events.ts";

interface WrittenEvent extends KubeObject {
  readonly note?: string;
  readonly type?: string;
  readonly regarding?: { readonly apiVersion?: string };
  readonly deprecatedCount?: number;
  readonly deprecatedFirstTimestamp?: string;
  readonly deprecatedLastTimestamp?: string;
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
}

const regarding: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "one", namespace: "default", uid: "u1" },
};
const schema = { openAPIV3Schema: { type: "object" } };
const event = (message: string, about = regarding) => ({
  regarding: about,
  explanation: explain("ApiTimeout", message),
  action: "look",
});

function bench(through: (kube: Kube) => Kube = (kube) => kube) {
  const world = new EngineWorld();
  const dropped: string[] = [];
  const fence = { leftMs: 60_000, remainingMs: () => fence.leftMs };
  const log = quietLog();
  const recorder = new EventRecorder({
    kube: through(world.kube),
    fence,
    clock: world.clock,
    random: seededRandom(3),
    log,
    reporter: { controller: "mainstay.dev/test", instance: "here" },
    onDropped: (reason) => dropped.push(reason),
  });
  const written = async (): Promise<readonly WrittenEvent[]> => (await world.kube.list<WrittenEvent>(events, {})).items;
  return { ...world, clock: world.clock, kube: world.kube, recorder, dropped, fence, written, log };
}

describe("the event recorder", () => {
  test("writes one Event, and counts equal ones in a series", async () => {
    const { recorder, clock, written } = bench();
    recorder.record(event("no answer"));
    await clock.advance(1_000);
    expect(await written()).toMatchObject([{ note: "no answer" }]);
    expect((await written())[0]?.series).toBeUndefined();
    for (let again = 0; again < 9; again += 1) recorder.record(event("no answer"));
    await clock.advance(60_000);
    expect(await written()).toMatchObject([{ series: { count: 10 } }]);
  });

  test("updates a series more and more rarely", async () => {
    let patches = 0;
    const { recorder, clock, written } = bench((kube) => ({
      ...kube,
      patch: (...call) => ((patches += 1), kube.patch(...call)),
    }));
    for (let second = 0; second < 600; second += 1) {
      recorder.record(event("no answer"));
      await clock.advance(1_000);
    }
    expect((await written())[0]?.series?.count).toBeGreaterThan(300);
    expect(patches).toBeLessThan(20);
  });

  test("begins a new series after a pause", async () => {
    const { recorder, clock, written } = bench();
    recorder.record(event("no answer"));
    await clock.advance(10 * 60_000);
    recorder.record(event("no answer"));
    await clock.advance(1_000);
    expect(await written()).toHaveLength(2);
  });

  test("goes on in a new Event when the old one has expired", async () => {
    const { recorder, clock, kube, written } = bench();
    recorder.record(event("no answer"));
    await clock.advance(1_000);
    const [first] = await written();
    await kube.delete(events, { name: first?.metadata.name ?? "", namespace: "default" });
    recorder.record(event("no answer"));
    await clock.advance(5_000);
    expect(await written()).toHaveLength(1);
  });

  test("writes the Events of an object that floods together, loses none, and leaves other objects alone", async () => {
    const { recorder, written, dropped, clock } = bench();
    const other = { ...regarding, metadata: { ...regarding.metadata, name: "two", uid: "u2" } };
    const notes = async (name: string) =>
      (await written()).filter(({ metadata }) => metadata.name.startsWith(`${name}.`)).map(({ note = "" }) => note);
    for (let kind = 0; kind < 175; kind += 1) recorder.record(event(`trouble ${"x".repeat(kind)}`));
    recorder.record(event("trouble", other));
    await recorder.flush();
    expect(await notes("one")).toHaveLength(100);
    expect(await notes("two")).toEqual(["trouble"]);
    await clock.advance(60_000);
    const together = (await notes("one")).filter((note) => note.startsWith("75 at once: "));
    expect([together.length, (await notes("one")).length, dropped]).toEqual([1, 101, []]);
    expect(together[0]).toMatch(/^75 at once: trouble x{100}; trouble x{101}; .*; and \d+ more$/);
  });

  test("keeps what floods apart by reason and action, one Event a minute for each object", async () => {
    const { recorder, written, clock } = bench();
    for (let kind = 0; kind < 100; kind += 1) recorder.record(event(`trouble ${"x".repeat(kind)}`));
    for (let zone = 0; zone < 32; zone += 1) {
      recorder.record({
        ...event(`made listener-${zone}-x`),
        explanation: explainDone("ListenerCreated", {
          kind: "create",
          words: `create listener az${zone}`,
          because: "AsExpected",
        }),
      });
      recorder.record({ ...event(`no answer in az${zone}`), action: "failed" });
    }
    await recorder.flush();
    await clock.advance(60_000);
    const together = async () => (await written()).filter(({ note = "" }) => note.startsWith("32 at once: "));
    expect(await together()).toMatchObject([
      { type: "Normal", note: expect.stringContaining("Created listener az0. Cause: Everything is as expected; ") },
    ]);
    await clock.advance(60_000);
    expect((await together()).map(({ type }) => type).toSorted()).toEqual(["Normal", "Warning"]);
  });

  test("goes on counting a series whose object floods, when there is room again", async () => {
    const { recorder, written, clock } = bench();
    recorder.record(event("no answer"));
    await recorder.flush();
    for (let kind = 0; kind < 99; kind += 1) recorder.record(event(`trouble ${"x".repeat(kind)}`));
    for (let again = 0; again < 4; again += 1) recorder.record(event("no answer"));
    await clock.advance(180_000);
    const series = (await written()).find(({ note }) => note === "no answer")?.series;
    expect(series?.count).toBe(5);
  });

  test("says in the log, once, that the Events of an object are rate-limited, and again when that begins anew", async () => {
    const { recorder, clock, log } = bench();
    const cut = () =>
      log.lines
        .filter(({ message }) => message === "events of an object are rate-limited")
        .map(({ data }) => data["object"]);
    for (let kind = 0; kind < 105; kind += 1) recorder.record(event(`trouble ${"x".repeat(kind)}`));
    await recorder.flush();
    expect(cut()).toEqual(["ConfigMap default/one"]);
    await clock.advance(60_000);
    for (let kind = 200; kind < 205; kind += 1) recorder.record(event(`trouble ${"x".repeat(kind)}`));
    expect(cut()).toHaveLength(2);
  });

  test("sets the times and the count that readers of the old kind sort and count by, and changes them with the series", async () => {
    const { recorder, clock, written } = bench();
    recorder.record(event("no answer"));
    await clock.advance(1_000);
    const [first] = await written();
    expect(first).toMatchObject({ deprecatedCount: 1, deprecatedLastTimestamp: first?.deprecatedFirstTimestamp });
    recorder.record(event("no answer"));
    await clock.advance(60_000);
    const [again] = await written();
    expect(again).toMatchObject({ deprecatedCount: 2, deprecatedFirstTimestamp: first?.deprecatedFirstTimestamp });
    expect(again?.deprecatedLastTimestamp).not.toBe(first?.deprecatedFirstTimestamp);
  });

  test("names an object in the version that kubectl prefers, and in its own while the server does not say", async () => {
    const served = ["v1beta1", "v1beta2"].map((name) => ({ name, served: true, storage: name === "v1beta1", schema }));
    const names = { plural: "beds", kind: "Bed" };
    const spec = { group: "beds.test", scope: "Namespaced", names, versions: served };
    const crd = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", spec };
    const bed = { apiVersion: "beds.test/v1beta1", kind: "Bed", metadata: { name: "one", namespace: "default" } };
    const toldThrough = async (through: (kube: Kube) => Kube) => {
      const { kube, clock, recorder, written } = bench(through);
      await kube.create<KubeObject>(customResourceDefinitions, { ...crd, metadata: { name: "beds.beds.test" } });
      await clock.advance(1_000);
      recorder.record(event("no answer", bed));
      await clock.advance(1_000);
      return (await written()).map((one) => one.regarding?.apiVersion);
    };
    const unanswered = () => Promise.reject(new KubeError({ code: "Timeout", message: "no" }));
    expect(await toldThrough((kube) => kube)).toEqual(["beds.test/v1beta2"]);
    expect(await toldThrough((kube) => ({ ...kube, request: unanswered }))).toEqual(["beds.test/v1beta1"]);
  });

  test("says nothing while this manager does not lead", async () => {
    const { recorder, clock, written, dropped, fence } = bench();
    fence.leftMs = 0;
    recorder.record(event("no answer"));
    await clock.advance(60_000);
    expect(await written()).toEqual([]);
    expect(dropped).toEqual(["not-leading"]);
  });

  test("remembers about objects only what an Event needs, and forgets series that have paused", async () => {
    const { recorder, clock } = bench();
    for (let number = 0; number < 50; number += 1) {
      const about = {
        ...regarding,
        metadata: { name: `n${number}`, uid: `u${number}` },
        data: { large: "x".repeat(9) },
      };
      recorder.record(event("no answer", about));
    }
    expect(recorder.remembered).toBe(50);
    await clock.advance(10 * 60_000);
    recorder.record(event("another"));
    expect(recorder.remembered).toBe(1);
  });

  test("never fails and never blocks: what the server refuses is counted and dropped", async () => {
    const { recorder, clock, dropped, written } = bench((kube) => ({
      ...kube,
      create: (kind, object, options) => {
        const { message = "" } = object as KubeObject & { readonly message?: string };
        if (message.includes("bad")) return Promise.reject(new KubeError({ code: "Forbidden", message: "no" }));
        return kube.create(kind, object, options);
      },
    }));
    recorder.record(event("bad"));
    recorder.record(event("good"));
    await clock.advance(1_000);
    expect(dropped).toEqual(["api-error"]);
    expect(await written()).toMatchObject([{ note: "good" }]);
  });
});
