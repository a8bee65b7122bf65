import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { type Action, emptyPlan, type Plan } from "../../core/plan.ts";
import { seededRandom } from "../../sim/time/seeded-random.ts";
import { RepeatedSteps, type RepeatedStepsOptions } from "./repeated-steps.ts";

interface Deletion extends Action {
  readonly id: string;
  readonly name: string;
}

const minuteMs = 60_000;
const lane = { part: "az1" };
const deletion: Deletion = { kind: "delete", name: "blue", id: "1", lane, because: "AsExpected" };
const other: Deletion = { ...deletion, lane: { part: "az2" } };
const busy = (...actions: readonly Action[]): Plan => ({
  ...emptyPlan,
  actions,
  waits: [{ reason: "ObjectNotFound", recheckAfterMs: 1_000, lane }],
});

class Bench {
  readonly clock = new VirtualClock();
  readonly steps: RepeatedSteps;

  constructor(options: Pick<RepeatedStepsOptions, "unseenMs"> = {}) {
    this.steps = new RepeatedSteps({ clock: this.clock, random: seededRandom(1), ...options });
  }

  object: KubeObject = { apiVersion: "v1", kind: "Thing", metadata: { name: "one", generation: 1 } };

  /** Kinds and lanes of what is done, and what is said. */
  round(plan: Plan): { readonly done: readonly string[]; readonly told: readonly string[]; readonly plan: Plan } {
    const held = this.steps.hold("k", plan, this.object);
    this.steps.done(
      "k",
      held.actions.map((action) => ({ action, result: "done" })),
    );
    return {
      done: held.actions.map((action) => `${action.kind} ${action.lane?.part ?? ""}`),
      told: held.waits.flatMap(({ reason, message = "" }) => (reason === "StepRepeated" ? message : [])),
      plan: held,
    };
  }

  /** When the step was done, if the same is planned every five seconds. */
  async doneAt(forMs: number, planOf: () => Plan = () => busy(deletion)): Promise<readonly number[]> {
    const times: number[] = [];
    for (const endsMs = this.clock.monotonicMs() + forMs; this.clock.monotonicMs() < endsMs; ) {
      if (this.round(planOf()).done.length > 0) times.push(this.clock.monotonicMs());
      await this.clock.advance(5_000);
    }
    return times;
  }
}

describe("a step that is planned again after it was done", () => {
  test("is done again at once a few times, and then later and later, at most every five minutes", async () => {
    const times = await new Bench().doneAt(60 * minuteMs);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(pauses.slice(0, 2)).toEqual([5_000, 5_000]);
    expect(pauses.slice(2, 7).every((pause, index) => pause >= 10_000 * 2 ** index)).toBe(true);
    expect(Math.min(...pauses.slice(8))).toBeGreaterThanOrEqual(5 * minuteMs);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(6 * minuteMs + 5_000);
    expect(times.length).toBeLessThanOrEqual(20);
  });

  test("is held while it is not to begin, also when its time has come, and told as before", async () => {
    const bench = new Bench();
    for (let i = 0; i < 3; i += 1) bench.round(busy(deletion));
    const { told } = bench.round(busy(deletion));
    await bench.clock.advance(minuteMs);
    expect(bench.round(busy({ ...deletion, notNow: true }))).toMatchObject({ done: [], told });
    expect(bench.round(busy(deletion)).done).toEqual(["delete az1"]);
  });

  test("is the same step whatever id its object has by now, and whyever it is taken", async () => {
    let id = 0;
    const planOf = () => busy({ ...deletion, id: String((id += 1)), step: `delete ${id}` } as Deletion);
    expect((await new Bench().doneAt(60 * minuteMs, planOf)).length).toBeLessThanOrEqual(20);
  });

  test("is another step when it asks for something else", async () => {
    let name = 0;
    const planOf = () => busy({ ...deletion, name: String((name += 1)) } as Deletion);
    expect(await new Bench().doneAt(minuteMs, planOf)).toHaveLength(12);
  });

  test("holds what comes after it in its lane, and nothing else", async () => {
    const bench = new Bench();
    for (let i = 0; i < 3; i += 1) bench.round(busy(deletion));
    const after = { ...deletion, kind: "create" };
    expect(bench.round(busy(deletion, after, other)).done).toEqual(["delete az2"]);
  });

  describe("and is tried in parts", () => {
    const part = (name: string) => ({ ...deletion, name, step: name, target: "monitor" }) as Deletion;
    const names = ["a,b,c", "a", "b", "c"];
    /** As a planner does: whatever is not known to have failed, and otherwise what waits least. */
    const planned = (bench: Bench) => {
      const left = bench.steps.retryDelays("k");
      const inMs = (name: string) => left.get(`az1#${name}`) ?? -1;
      return busy(part(names.toSorted((a, b) => inMs(a) - inMs(b))[0] ?? ""));
    };

    test("does each part once at once, and has one pace for all of them from then on", async () => {
      const bench = new Bench();
      const times = await bench.doneAt(60 * minuteMs, () => planned(bench));
      expect(times.length).toBeLessThanOrEqual(20 + names.length);
      expect(times.filter((at) => at < minuteMs).length).toBeGreaterThanOrEqual(3 + names.length - 1);
      const late = times.filter((at) => at > 20 * minuteMs);
      const pauses = late.slice(1).map((at, index) => at - (late[index] ?? 0));
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5 * minuteMs);
    });

    test("is in the way of no other target of its lane", async () => {
      const bench = new Bench();
      await bench.doneAt(10 * minuteMs, () => planned(bench));
      const another = { ...part("a"), target: "pool", kind: "update" };
      expect(bench.round(busy(another)).done).toEqual(["update az1"]);
      expect(bench.round(busy(another)).done).toEqual(["update az1"]);
    });
  });

  test("is told in words that stay the same, also while a try is under way", async () => {
    const bench = new Bench();
    await bench.doneAt(minuteMs);
    const told = new Set<string>();
    for (let i = 0; i < 200; i += 1) {
      const { told: words, done } = bench.round(busy(...(i % 2 === 0 ? [deletion] : [])));
      for (const one of words) told.add(one);
      expect([words.length, done.length < 2]).toEqual([1, true]);
      await bench.clock.advance(10_000);
    }
    expect([...told]).toEqual([
      expect.stringMatching(/^delete blue .*because AsExpected: this was done several times/),
    ]);
  });

  test("is told once for a lane, also when something is made and taken away again in turn", async () => {
    const bench = new Bench();
    const told = new Set<string>();
    const times = { create: 0, delete: 0 };
    for (let i = 0; bench.clock.monotonicMs() < 60 * minuteMs; ) {
      const { done, told: words } = bench.round(busy({ ...deletion, kind: i % 2 === 0 ? "create" : "delete" }));
      for (const one of words) told.add(one);
      if (done.length > 0) {
        times[i % 2 === 0 ? "create" : "delete"] += 1;
        i += 1;
      }
      await bench.clock.advance(5_000);
    }
    expect(told.size).toBe(1);
    expect(times.create).toBeLessThanOrEqual(20);
  });

  test("and takes something away that another one brings back waits while it is there, not while it is away", async () => {
    const bench = new Bench();
    const [taking, bringing] = [
      { ...deletion, removes: "it" },
      { ...deletion, kind: "create" },
    ];
    let [isThere, awayMs] = [true, 0];
    for (; bench.clock.monotonicMs() < 60 * minuteMs; await bench.clock.advance(5_000)) {
      if (!isThere) awayMs += 5_000;
      if (bench.round(busy(isThere ? taking : bringing)).done.length > 0) isThere = !isThere;
    }
    expect(awayMs).toBeLessThanOrEqual(2 * minuteMs);
  });

  test("comes back by itself when its time has come", () => {
    const bench = new Bench();
    for (let i = 0; i < 3; i += 1) bench.round(busy(deletion));
    const { recheckAfterMs = 0 } = bench.round({ ...emptyPlan, actions: [deletion] }).plan.waits[0] ?? {};
    expect(recheckAfterMs).toBeGreaterThanOrEqual(10_000);
    expect(recheckAfterMs).toBeLessThanOrEqual(12_000);
    expect([...bench.steps.retryDelays("k")]).toEqual([["az1", recheckAfterMs]]);
  });
});

describe("a step that helped", () => {
  test("is forgotten when its lane has been at rest for a while", async () => {
    const bench = new Bench();
    for (let i = 0; i < 10; i += 1) {
      expect(bench.round(busy(deletion)).done).toHaveLength(1);
      await bench.clock.advance(61_000);
      bench.round(emptyPlan);
    }
    expect([...bench.steps.keys()]).toEqual([]);
  });

  test("and is undone each time shortly after is not: somebody works against us", async () => {
    const bench = new Bench();
    let rounds = 0;
    const times = await bench.doneAt(60 * minuteMs, () =>
      (rounds += 1) % 2 === 0 ? emptyPlan : { ...emptyPlan, actions: [deletion] },
    );
    expect(times.length).toBeLessThanOrEqual(20);
  });

  test("is remembered while its lane is busy with what came of it", async () => {
    const bench = new Bench();
    for (let i = 0; i < 4; i += 1) {
      bench.round(busy(deletion));
      for (let minute = 0; minute < 10; minute += 1) {
        await bench.clock.advance(minuteMs);
        bench.round(busy());
      }
    }
    expect(bench.round(busy(deletion)).told).toHaveLength(1);
  });
});

describe("a person's change", () => {
  async function heldForLong(): Promise<Bench> {
    const bench = new Bench();
    await bench.doneAt(30 * minuteMs);
    while (bench.round(busy(deletion)).done.length === 0) await bench.clock.advance(5_000);
    expect(bench.round(busy(deletion)).done).toEqual([]);
    return bench;
  }

  test.each([
    ["of the spec", { generation: 2 }],
    ["of an annotation that speaks to Mainstay", { generation: 1, annotations: { "mainstay.dev/repair": "true" } }],
  ])("%s has the step tried at once, and then it waits as before", async (_what, metadata) => {
    const bench = await heldForLong();
    bench.object = { ...bench.object, metadata: { name: "one", ...metadata } };
    expect([bench.round(busy(deletion)).done, bench.round(busy(deletion)).done]).toEqual([["delete az1"], []]);
  });

  test("of anything else changes nothing", async () => {
    const bench = await heldForLong();
    bench.object = {
      ...bench.object,
      metadata: { ...bench.object.metadata, annotations: { "example.com/seen": "1" } },
    };
    expect(bench.round(busy(deletion)).done).toEqual([]);
  });

  test("that comes all the time, because our own change is what is undone, makes it no more than twice as often", async () => {
    const bench = new Bench();
    let generation = 1;
    const planOf = () => {
      bench.object = { ...bench.object, metadata: { name: "one", generation: (generation += 1) } };
      return busy(deletion);
    };
    await bench.doneAt(10 * minuteMs, planOf);
    expect((await bench.doneAt(60 * minuteMs, planOf)).length).toBeLessThanOrEqual(24);
  });
});

describe("after a restart", () => {
  const tried: Deletion = { ...deletion, restMs: 200_000 };

  test("a step rests for as long as the world's own times tell, and is told at once", async () => {
    const bench = new Bench();
    const { done, told } = bench.round(busy(tried));
    expect([done, told.length]).toEqual([[], 1]);
    const [first = 0, second = 0] = await bench.doneAt(30 * minuteMs, () => busy(tried));
    expect(first).toBe(200_000);
    expect(second - first).toBeGreaterThanOrEqual(5 * minuteMs);
  });

  test("and is tried at once when a person changes the object", () => {
    const bench = new Bench();
    bench.round(busy(tried));
    bench.object = { ...bench.object, metadata: { name: "one", generation: 2 } };
    expect(bench.round(busy(tried)).done).toEqual(["delete az1"]);
  });
});

test("a key that is gone is forgotten", () => {
  const bench = new Bench();
  bench.round(busy(deletion));
  bench.steps.forget("k");
  expect([...bench.steps.keys()]).toEqual([]);
});

describe("a step whose effect is looked at rarely", () => {
  const everyMs = 2 * minuteMs;
  const looking = (unseenMs: number) => new Bench({ unseenMs: () => unseenMs });

  /** It is undone at once each time, which shows every two minutes; in between the lane seems to be at rest. */
  async function fight(bench: Bench): Promise<readonly { readonly done: boolean; readonly told: boolean }[]> {
    const rounds: { readonly done: boolean; readonly told: boolean }[] = [];
    let doneMs = -everyMs;
    for (let look = 0; look < 120; look += 1) {
      const isSeen = bench.clock.monotonicMs() - doneMs >= everyMs;
      const { done, told } = bench.round(isSeen ? { ...emptyPlan, actions: [deletion] } : emptyPlan);
      if (done.length > 0) doneMs = bench.clock.monotonicMs();
      rounds.push({ done: done.length > 0, told: told.length > 0 });
      await bench.clock.advance(30_000);
    }
    return rounds;
  }

  test("did not help because nobody looked: it waits longer and longer, and is told without a break", async () => {
    const rounds = await fight(looking(everyMs + 30_000));
    const times = rounds.flatMap(({ done }, index) => (done ? [index * 30_000] : []));
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(pauses[0]).toBe(everyMs);
    expect(Math.min(...pauses.slice(-3))).toBeGreaterThanOrEqual(5 * minuteMs);
    const first = rounds.findIndex(({ told }) => told);
    expect(first).toBeGreaterThan(0);
    expect(rounds.slice(first).every(({ told }) => told)).toBe(true);
  });

  test("is forgotten once somebody has looked, and it lasted", async () => {
    const bench = looking(everyMs + 30_000);
    await fight(bench);
    await bench.clock.advance(20 * minuteMs);
    expect(bench.round(emptyPlan).told).toEqual([]);
    expect(bench.round({ ...emptyPlan, actions: [deletion] }).done).toEqual(["delete az1"]);
  });
});
