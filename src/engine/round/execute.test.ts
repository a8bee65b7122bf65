import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quietLog } from "../../../test/support/quiet-log.ts";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { InvariantViolation, MainstayError } from "../../core/errors.ts";
import { explain } from "../../core/explain.ts";
import { KubeError } from "../../core/kube-error.ts";
import type { Action } from "../../core/plan.ts";
import type { Kube } from "../../ports/kube.ts";
import { seededRandom } from "../../sim/time/seeded-random.ts";
import type { Executors, Writer } from "../feature.ts";
import { type Executed, execute } from "./execute.ts";
import { LaneBackoffs } from "./lane-backoffs.ts";
import { LanesUnderWay } from "./lanes-under-way.ts";

interface Step extends Action {
  readonly id: string;
}

const step = (id: string, lane?: string): Step => ({
  kind: "step",
  id,
  because: "ObjectNotFound",
  ...(lane === undefined ? {} : { lane: { part: lane } }),
});
const conflict = (): KubeError => new KubeError({ code: "Conflict", message: "somebody was faster" });

/** A world of steps: what was begun and finished, and which steps do not work. */
class Bench {
  readonly clock = new VirtualClock();
  readonly backoffs = new LaneBackoffs({
    clock: this.clock,
    random: seededRandom(7),
    range: { baseMs: 1_000, maxMs: 60_000 },
  });
  readonly lanes = new LanesUnderWay();
  abort = new AbortController();
  readonly begun: string[] = [];
  readonly finished: string[] = [];
  readonly failing = new Map<string, () => Error>();
  readonly hanging = new Set<string>();
  readonly release = new Map<string, () => void>();

  async run(actions: readonly Step[]): Promise<Executed> {
    const running = this.begin(actions);
    await this.clock.advance(10_000);
    return await running;
  }

  begin(actions: readonly Step[], underWay = this.lanes.of("k")): Promise<Executed> {
    const executors = { step: (action: Step) => this.#step(action) } as unknown as Executors<Action>;
    const unused = {} as Kube;
    const fence = { remainingMs: () => 1_000 };
    const writer: Writer = { kube: unused, nowMs: 0, signal: this.abort.signal, fence, epoch: 1, log: quietLog() };
    const { backoffs, clock, lanes } = this;
    return execute({ key: "k", actions, executors, writer, backoffs, clock, lanes, underWay, maxLanes: 3 });
  }

  async #step({ id }: Step): Promise<void> {
    this.begun.push(id);
    const failure = this.failing.get(id);
    if (failure !== undefined) throw failure();
    if (this.hanging.has(id)) await new Promise<void>((resolve) => this.release.set(id, resolve));
    else await new Promise<void>((resolve) => this.clock.after(100, resolve));
    this.finished.push(id);
  }
}

const results = ({ outcomes }: Executed): readonly string[] =>
  outcomes.map(({ action, result }) => `${(action as Step).id} ${result}`);

describe("lanes", () => {
  test("do everything in order within a lane", async () => {
    const bench = new Bench();
    const executed = await bench.run([step("a1", "a"), step("a2", "a"), step("a3", "a")]);
    expect(bench.finished).toEqual(["a1", "a2", "a3"]);
    expect(results(executed)).toEqual(["a1 done", "a2 done", "a3 done"]);
  });

  test("run beside each other", async () => {
    const bench = new Bench();
    await bench.run([step("a1", "a"), step("a2", "a"), step("b1", "b"), step("none")]);
    expect(bench.begun.slice(0, 3)).toEqual(["a1", "b1", "none"]);
  });

  test("are bounded: no more than the limit at once", async () => {
    const bench = new Bench();
    for (const id of ["a", "b", "c"]) bench.hanging.add(id);
    const running = bench.begin(["a", "b", "c", "d"].map((lane) => step(lane, lane)));
    await bench.clock.advance(1_000);
    expect(bench.begun).toEqual(["a", "b", "c"]);
    for (const release of bench.release.values()) release();
    await bench.clock.advance(20_000);
    expect(results(await running)).toEqual(["a done", "b done", "c done", "d done"]);
  });

  test("stop at their first failure and leave the others alone", async () => {
    const bench = new Bench();
    bench.failing.set("a1", conflict);
    const executed = await bench.run([step("a1", "a"), step("b1", "b"), step("a2", "a"), step("b2", "b")]);
    expect(results(executed)).toEqual(["a1 failed", "b1 done", "a2 skipped", "b2 done"]);
    expect(executed.outcomes[2]).toMatchObject({
      reason: "WriteConflict",
      message: expect.stringContaining("stopped at step"),
    });
  });

  test("back off alone, and come back by themselves", async () => {
    const bench = new Bench();
    bench.failing.set("a1", conflict);
    const plan = [step("a1", "a"), step("b1", "b")];
    await bench.run(plan);
    bench.failing.clear();
    bench.backoffs.failed("k", "a", explain("WriteConflict"));
    expect(bench.backoffs.nextMs("k")).toBeGreaterThan(0);
    const held = await executeNow(bench, plan);
    expect(results(held)).toEqual(["a1 skipped", "b1 done"]);
    await bench.clock.advance(120_000);
    expect(results(await bench.run(plan))).toEqual(["a1 done", "b1 done"]);
    expect(bench.backoffs.nextMs("k")).toBeUndefined();
  });

  test("with something that is not to begin now say why it failed, and begin nothing, although their time has come", async () => {
    const bench = new Bench();
    bench.failing.set("a1", conflict);
    await bench.run([step("a1", "a"), step("b1", "b")]);
    bench.failing.clear();
    await bench.clock.advance(120_000);
    const later = await bench.run([{ ...step("a1", "a"), notNow: true }, step("a2", "a"), step("b1", "b")]);
    expect(results(later)).toEqual(["a1 skipped", "a2 skipped", "b1 done"]);
    expect(later.outcomes[0]).toMatchObject({ reason: "WriteConflict", message: "somebody was faster" });
    expect(results(await bench.run([step("c1", "c"), { ...step("c2", "c"), notNow: true }]))).toEqual(["c1 done"]);
    expect(bench.begun).toEqual(["a1", "b1", "b1", "c1"]);
  });

  test("that fail again and again are tried later and later", () => {
    const bench = new Bench();
    const delays = Array.from({ length: 5 }, () => {
      bench.backoffs.failed("k", "a", explain("ApiTimeout"));
      return bench.backoffs.nextMs("k") ?? 0;
    });
    for (const [index, delay] of delays.entries()) {
      expect(delay).toBeGreaterThanOrEqual(500 * 2 ** index);
      expect(delay).toBeLessThanOrEqual(1_000 * 2 ** index);
    }
  });

  test("say the same while they back off, and say that it lasts once it has for a minute", async () => {
    const bench = new Bench();
    const plan = [step("a1", "a"), step("a2", "a")];
    bench.failing.set("a1", conflict);
    const first = await bench.begin(plan);
    const held = await bench.begin(plan);
    expect(results(held)).toEqual(["a1 skipped", "a2 skipped"]);
    expect(held.outcomes[0]).toMatchObject({ reason: "WriteConflict", message: "somebody was faster" });
    expect(first.outcomes[0]).toMatchObject({ reason: "WriteConflict", message: "somebody was faster" });
    expect(first.outcomes[0]).not.toHaveProperty("isLasting");
    await bench.clock.advance(60_000);
    expect((await bench.begin(plan)).outcomes[0]).toMatchObject({ result: "failed", isLasting: true });
  });

  test("that succeed are forgiven: the next failure backs off as little as a first one", async () => {
    const bench = new Bench();
    const plan = [step("a1", "a")];
    bench.failing.set("a1", conflict);
    for (let failure = 0; failure < 4; failure += 1) {
      expect(results(await bench.run(plan))).toEqual(["a1 failed"]);
      await bench.clock.advance(60_000);
    }
    bench.failing.clear();
    expect(results(await bench.run(plan))).toEqual(["a1 done"]);
    expect(bench.backoffs.lanesOf("k")).toEqual([]);
    bench.backoffs.failed("k", "a", explain("ApiTimeout"));
    expect(bench.backoffs.nextMs("k")).toBeLessThanOrEqual(1_000);
  });

  test("wait as long as a server asks them to", () => {
    const bench = new Bench();
    bench.backoffs.failed("k", "a", explain("ApiRateLimited"), 45_000);
    expect(bench.backoffs.nextMs("k")).toBe(45_000);
  });

  test("whose failure only a change can heal are tried by themselves after minutes only, and not before their back-off when it comes", async () => {
    const bench = new Bench();
    bench.failing.set("a1", () => new KubeError({ code: "Invalid", message: "refused" }));
    await bench.run([step("a1", "a")]);
    await bench.clock.advance(500_000);
    expect(results(await bench.run([step("a1", "a")]))).toEqual(["a1 skipped"]);
    expect(bench.backoffs.nextMs("k")).toBeGreaterThan(0);
    await bench.clock.advance(bench.backoffs.nextMs("k") ?? 0);
    expect(results(await bench.run([step("a1", "a")]))).toEqual(["a1 failed"]);
    bench.failing.clear();
    bench.backoffs.changed("k");
    expect(results(await bench.run([step("a1", "a")]))).toEqual(["a1 done"]);
  });

  test("of one key do not hold up those of another", () => {
    const bench = new Bench();
    bench.backoffs.failed("k", "a", explain("ApiTimeout"));
    expect(bench.backoffs.heldBy("other", "a")).toBeUndefined();
    expect(bench.backoffs.heldBy("k", "b")).toBeUndefined();
  });
});

describe("steps of one lane", () => {
  const one = { ...step("a1", "a"), step: "first" };
  const other = { ...step("a2", "a"), step: "second" };

  test("back off each alone, and what has failed can be asked with the time that is left", async () => {
    const bench = new Bench();
    bench.failing.set(
      "a1",
      () => new MainstayError({ reason: "ApiRateLimited", message: "later", retryAfterMs: 60_000 }),
    );
    expect(results(await bench.run([one]))).toEqual(["a1 failed"]);
    expect([...bench.backoffs.retryDelays("k")]).toEqual([["a#first", 50_000]]);
    expect(results(await bench.run([one]))).toEqual(["a1 skipped"]);
    expect(results(await bench.run([other]))).toEqual(["a2 done"]);
    await bench.clock.advance(60_000);
    expect([...bench.backoffs.retryDelays("k")]).toEqual([["a#first", 0]]);
    bench.failing.clear();
    expect(results(await bench.run([one]))).toEqual(["a1 done"]);
    expect([...bench.backoffs.retryDelays("k")]).toEqual([]);
  });

  test("that only a change can help have the longest time of all", () => {
    const bench = new Bench();
    bench.backoffs.failed("k", "a#first", explain("EndpointSpecInvalid"));
    expect([...bench.backoffs.retryDelays("k")]).toEqual([["a#first", 600_000]]);
  });
});

describe("a slow lane", () => {
  const removal = (id: string, lane: string): Step => ({ ...step(id, lane), removes: id });
  const saying = async (bench: Bench, actions: readonly Step[]) => results(await bench.run(actions));

  test("holds up no other: the round ends without it, and the next ones go on beside it", async () => {
    const bench = new Bench();
    bench.hanging.add("a1");
    expect(await saying(bench, [step("a1", "a"), step("a2", "a"), step("b1", "b")])).toEqual([
      "a1 skipped",
      "a2 skipped",
      "b1 done",
    ]);
    expect(await saying(bench, [step("a1", "a"), step("b2", "b"), step("c1", "c")])).toEqual([
      "a1 skipped",
      "b2 done",
      "c1 done",
    ]);
    expect(bench.begun.filter((id) => id === "a1")).toHaveLength(1);
  });

  test("says that it is under way, in words that do not change", async () => {
    const bench = new Bench();
    bench.hanging.add("a1");
    const [first] = (await bench.run([step("a1", "a")])).outcomes;
    const [again] = (await bench.run([step("a1", "a")])).outcomes;
    expect(first).toEqual(again);
    expect(first).toMatchObject({ reason: "ChangeUnderWay", message: expect.stringContaining("is under way") });
  });

  test("does nothing more by itself: what comes next is planned anew, and its result is told once", async () => {
    const bench = new Bench();
    bench.hanging.add("a1");
    await bench.run([step("a1", "a"), step("a2", "a")]);
    bench.release.get("a1")?.();
    await bench.clock.advance(10_000);
    expect(bench.begun).toEqual(["a1"]);
    expect(bench.lanes.takeResults("k").flatMap(({ outcomes }) => outcomes)).toMatchObject([{ result: "done" }]);
    expect([bench.lanes.takeResults("k"), [...bench.lanes.keys()]]).toEqual([[], []]);
    expect(await saying(bench, [step("a2", "a")])).toEqual(["a2 done"]);
  });

  test("that fails after all backs off as any other", async () => {
    const bench = new Bench();
    bench.hanging.add("a1");
    await bench.run([step("a1", "a")]);
    bench.abort.abort(new MainstayError({ reason: "ReconcileDeadlineExceeded", message: "too long" }));
    await bench.clock.settle();
    expect(bench.backoffs.lanesOf("k")).toEqual(["a"]);
    expect(bench.lanes.takeResults("k").flatMap(({ outcomes }) => outcomes)).toMatchObject([{ result: "failed" }]);
  });

  test("that takes something away lets nothing else be taken away in any lane, and everything else go on", async () => {
    const bench = new Bench();
    bench.hanging.add("a1");
    await bench.run([removal("a1", "a"), removal("b1", "b")]);
    expect(bench.finished).toEqual(["b1"]);
    expect(await saying(bench, [step("b2", "b"), removal("b3", "b"), removal("c1", "c")])).toEqual([
      "b2 done",
      "b3 skipped",
      "c1 skipped",
    ]);
    bench.release.get("a1")?.();
    await bench.clock.settle();
    expect(await saying(bench, [removal("c1", "c")])).toEqual(["c1 done"]);
  });

  test("lets no action without a lane begin: that concerns the whole object", async () => {
    const bench = new Bench();
    bench.hanging.add("a1");
    await bench.run([step("a1", "a")]);
    expect(await saying(bench, [step("all")])).toEqual(["all skipped"]);
  });

  test("that ends while the world is observed still counts as under way: nobody knows whether its effect was seen", async () => {
    const bench = new Bench();
    bench.hanging.add("a1");
    await bench.run([removal("a1", "a")]);
    const underWay = bench.lanes.of("k");
    bench.release.get("a1")?.();
    await bench.clock.settle();
    const plan = [removal("a1", "a"), removal("b1", "b"), step("c1", "c"), step("all")];
    const running = bench.begin(plan, underWay);
    await bench.clock.advance(1_000);
    expect(results(await running)).toEqual(["a1 skipped", "b1 skipped", "c1 done", "all skipped"]);
  });

  test("is not waited for in place of others: however many are slow, each of the rest has its turn", async () => {
    const bench = new Bench();
    const names = Array.from({ length: 7 }, (_, index) => `slow${index}`);
    for (const name of names) bench.hanging.add(name);
    const actions = [...names.map((name) => step(name, name)), step("quick", "quick")];
    expect((await saying(bench, actions)).at(-1)).toBe("quick done");
  });
});

test("an action without a lane is waited for, however slow it is", async () => {
  const bench = new Bench();
  bench.hanging.add("all");
  const running = bench.begin([step("all"), step("a1", "a")]);
  await bench.clock.advance(60_000);
  expect(bench.lanes.of("k")).toEqual([]);
  bench.release.get("all")?.();
  expect(results(await running)).toEqual(["all done", "a1 done"]);
});

describe("an executor that does not listen", () => {
  test("is left behind when the round ends, and reported as still running until it ends", async () => {
    const bench = new Bench();
    bench.hanging.add("a1");
    const running = bench.begin([step("a1", "a"), step("a2", "a"), step("b1", "b")]);
    await bench.clock.advance(500);
    bench.abort.abort(new MainstayError({ reason: "ReconcileDeadlineExceeded", message: "too long" }));
    const executed = await running;
    expect(results(executed)).toEqual(["a1 failed", "a2 skipped", "b1 done"]);
    expect(executed.outcomes[0]).toMatchObject({ reason: "ReconcileDeadlineExceeded" });
    expect(bench.lanes.of("k").map((action) => (action as Step).id)).toEqual(["a1"]);
    expect(bench.lanes.overdueKeys).toBe(1);
    bench.release.get("a1")?.();
    await bench.clock.settle();
    expect(bench.finished).toContain("a1");
    expect([bench.lanes.of("k"), bench.lanes.overdueKeys]).toEqual([[], 0]);
  });
});

describe("a lane that had no turn because others used up the round", () => {
  test("is not punished for it: it runs in the next round while they back off", async () => {
    const bench = new Bench();
    for (const id of ["a1", "b1", "c1"]) bench.hanging.add(id);
    const plan = [step("a1", "a"), step("b1", "b"), step("c1", "c"), step("d1", "d"), step("d2", "d")];
    const running = bench.begin(plan);
    await bench.clock.advance(500);
    bench.abort.abort(new MainstayError({ reason: "ReconcileDeadlineExceeded", message: "too long" }));
    expect(results(await running)).toEqual(["a1 failed", "b1 failed", "c1 failed", "d1 failed", "d2 skipped"]);
    expect(bench.backoffs.lanesOf("k")).toEqual(["a", "b", "c"]);
    bench.abort = new AbortController();
    const held = await executeNow(bench, plan);
    expect(results(held).slice(3)).toEqual(["d1 done", "d2 done"]);
  });
});

describe("a lane that was cut off because the term ended", () => {
  test("has not failed: it runs at once when this manager leads again", async () => {
    const bench = new Bench();
    bench.hanging.add("a1");
    const running = bench.begin([step("a1", "a")]);
    await bench.clock.advance(500);
    bench.abort.abort(new MainstayError({ reason: "LeadershipLost", message: "not renewed" }));
    expect(results(await running)).toEqual(["a1 failed"]);
    bench.abort = new AbortController();
    expect(results(await executeNow(bench, [step("a1", "a")]))).toEqual(["a1 done"]);
  });
});

describe("a round that ends between two actions", () => {
  test("does not even begin the later one", async () => {
    const bench = new Bench();
    const log = {
      ...quietLog(),
      info: () => bench.abort.abort(new MainstayError({ reason: "LeadershipLost", message: "" })),
    };
    const begun: string[] = [];
    const executors = { step: async ({ id }: Step) => void begun.push(id) } as unknown as Executors<Action>;
    const fence = { remainingMs: () => 1 };
    const writer = { kube: {} as Kube, nowMs: 0, signal: bench.abort.signal, fence, epoch: 1, log };
    const actions = [step("a1", "a"), step("a2", "a")];
    const { backoffs, clock, lanes } = bench;
    const executed = await execute({ key: "k", actions, executors, writer, backoffs, clock, lanes, underWay: [] });
    expect([begun, results(executed)]).toEqual([["a1"], ["a1 done", "a2 failed"]]);
  });
});

describe("what is known about lanes", () => {
  test("is forgotten when a lane has not been planned for a long time, and kept while it is", async () => {
    const { backoffs, clock } = new Bench();
    for (let gateway = 0; gateway < 100; gateway += 1)
      backoffs.failed("k", `gateway-${gateway}`, explain("ObjectInvalid"));
    for (let hour = 0; hour < 3; hour += 1) {
      backoffs.heldBy("k", "gateway-0");
      await clock.advance(3_600_000);
    }
    backoffs.heldBy("k", "gateway-0");
    backoffs.failed("k", "new", explain("ApiTimeout"));
    expect(backoffs.lanesOf("k")).toEqual(["gateway-0", "new"]);
  });
});

describe("a broken invariant in one lane", () => {
  test("is handed up while the other lanes finish", async () => {
    const bench = new Bench();
    bench.failing.set("a1", () => new InvariantViolation("two owners"));
    const executed = await bench.run([step("a1", "a"), step("b1", "b")]);
    expect(results(executed)).toEqual(["a1 failed", "b1 done"]);
    expect(executed.violation?.message).toBe("two owners");
  });
});

test("whatever fails, every action has one outcome, lanes stop at their first failure, and nothing runs after it", async () => {
  const lanes = fc.constantFrom(undefined, "a", "b", "c");
  const plans = fc.array(fc.tuple(lanes, fc.boolean()), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(plans, async (drawn) => {
      const bench = new Bench();
      const actions = drawn.map(([lane], index) => step(`s${index}`, lane));
      for (const [index, [, fails]] of drawn.entries()) if (fails) bench.failing.set(`s${index}`, conflict);
      const { outcomes } = await bench.run(actions);
      expect(outcomes.map(({ action }) => action)).toEqual(actions);
      for (const lane of [undefined, "a", "b", "c"]) {
        const inLane = outcomes.filter(({ action }) => action.lane?.part === lane).map(({ result }) => result);
        const firstFailure = inLane.indexOf("failed");
        const expected = inLane.map((_, index) =>
          firstFailure < 0 || index < firstFailure ? "done" : index === firstFailure ? "failed" : "skipped",
        );
        expect(inLane).toEqual(expected);
      }
    }),
    { numRuns: 50 },
  );
});

async function executeNow(bench: Bench, plan: readonly Step[]): Promise<Executed> {
  const executors = { step: async () => {} } as unknown as Executors<Action>;
  const writer = {
    kube: {} as Kube,
    nowMs: 0,
    signal: bench.abort.signal,
    fence: { remainingMs: () => 1 },
    epoch: 1,
    log: quietLog(),
  };
  const { backoffs, clock, lanes } = bench;
  return await execute({ key: "k", actions: plan, executors, writer, backoffs, clock, lanes, underWay: [] });
}
