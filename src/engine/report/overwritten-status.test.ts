import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import type { Wait } from "../../core/plan.ts";
import { seededRandom } from "../../sim/time/seeded-random.ts";
import type { StatusToWrite } from "./lost-status.ts";
import { OverwrittenStatus } from "./overwritten-status.ts";

const minuteMs = 60_000;
const ready = { type: "Ready", status: "True" as const, reason: "AsExpected", message: "" };

class Bench {
  readonly clock = new VirtualClock();
  readonly overwritten = new OverwrittenStatus({ clock: this.clock, random: seededRandom(1) });
  /** As it is on the server. */
  status: Record<string, unknown> = {};
  waits: readonly Wait[] = [];
  wanted: Pick<StatusToWrite, "status" | "conditions" | "atomicConditionTypes"> = { status: { zones: ["a"], ip: "1" } };

  /** True when it was written. */
  round(): boolean {
    const { overwritten, wanted, status, waits } = this;
    const object = { apiVersion: "v1", kind: "Thing", metadata: { name: "one", generation: 1 }, status };
    const report = { ...wanted, observed: object };
    if (!overwritten.mayWrite("k", "one", report, waits)) return false;
    const conditions = (wanted.conditions ?? []).map((condition) => ({ ...condition, observedGeneration: 1 }));
    const next = { ...wanted.status, ...(conditions.length === 0 ? {} : { conditions }) };
    if (JSON.stringify(next) === JSON.stringify(status)) return false;
    this.status = next;
    overwritten.written("k", "one", report, waits);
    return true;
  }

  /** When it was written, if this is done to it every second. */
  async writtenAt(forMs: number, rival: (bench: Bench) => void): Promise<readonly number[]> {
    const times: number[] = [];
    for (const endsMs = this.clock.monotonicMs() + forMs; this.clock.monotonicMs() < endsMs; ) {
      if (this.round()) times.push(this.clock.monotonicMs());
      await this.clock.advance(1_000);
      rival(this);
    }
    return times;
  }

  get told(): readonly string[] {
    return this.overwritten.waits("k").map(({ message = "" }) => message);
  }
}

const dropZones = ({ status }: Bench): void => void delete status["zones"];

describe("status that is overwritten each time", () => {
  test.each([
    ["a field is dropped", { status: { zones: ["a"], ip: "1" } }, dropZones],
    ["a field is changed", { status: { zones: ["a"] } }, ({ status }: Bench): void => void (status["zones"] = ["b"])],
    [
      "a field that has to be absent is there",
      { status: { old: undefined, ip: "1" } },
      ({ status }: Bench): void => void (status["old"] = 1),
    ],
    [
      "everything is wiped",
      { status: { zones: ["a"] }, conditions: [ready] },
      (bench: Bench): void => void (bench.status = {}),
    ],
    [
      "a condition of ours is dropped from a list without keys",
      { status: {}, conditions: [ready], atomicConditionTypes: ["Ready"] },
      ({ status }: Bench): void => void (status["conditions"] = []),
    ],
  ])("is written at once a few times, then later and later, and is told once: %s", async (_what, wanted, rival) => {
    const bench = new Bench();
    bench.wanted = wanted;
    const times = await bench.writtenAt(60 * minuteMs, rival);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(pauses.slice(0, 2)).toEqual([1_000, 1_000]);
    expect(pauses.slice(2, 7).every((pause, index) => pause >= 10_000 * 2 ** index)).toBe(true);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(6 * minuteMs + 1_000);
    expect(times.length).toBeLessThanOrEqual(20);
    expect(bench.told).toHaveLength(1);
  });

  test("is told in words that stay the same, whatever is lost later", async () => {
    const bench = new Bench();
    await bench.writtenAt(minuteMs, dropZones);
    const before = bench.told;
    expect(before).toEqual([expect.stringMatching(/^status of Thing one: another client .* \(zones\)/)]);
    await bench.writtenAt(10 * minuteMs, (one) => void (one.status = {}));
    expect(bench.told).toEqual(before);
  });

  test("is written within a minute when something is new in another part", async () => {
    const bench = new Bench();
    await bench.writtenAt(30 * minuteMs, dropZones);
    bench.wanted = { status: { zones: ["a"], ip: "2" } };
    expect((await bench.writtenAt(minuteMs + 1_000, dropZones)).length).toBe(1);
    expect(bench.status["ip"]).toBe("2");
  });

  test("is not written more often however often the part that is lost changes", async () => {
    const bench = new Bench();
    const times = await bench.writtenAt(60 * minuteMs, (one) => {
      dropZones(one);
      one.wanted = { status: { zones: [String(one.clock.monotonicMs())], ip: "1" } };
    });
    expect(times.length).toBeLessThanOrEqual(20);
  });

  test("is written once at once when a change begins to wait for it, and not again and again", async () => {
    const bench = new Bench();
    await bench.writtenAt(30 * minuteMs, dropZones);
    const waitOf = (part: string): Wait => ({
      reason: "ObjectNotFound",
      recheckAfterMs: 200,
      awaitsStatus: true,
      lane: { part },
    });
    bench.waits = [waitOf("a")];
    expect(await bench.writtenAt(minuteMs, dropZones)).toHaveLength(1);
    bench.waits = [waitOf("a"), waitOf("b")];
    expect(await bench.writtenAt(minuteMs, dropZones)).toHaveLength(1);
    const flapping = (one: Bench) => {
      dropZones(one);
      one.waits = one.waits.length === 0 ? [waitOf("a")] : [];
    };
    expect((await bench.writtenAt(60 * minuteMs, flapping)).length).toBeLessThanOrEqual(24);
  });

  test("makes whatever waits for it wait as long as it does itself, and nothing else", async () => {
    const bench = new Bench();
    await bench.writtenAt(30 * minuteMs, dropZones);
    expect(bench.round()).toBe(false);
    const [told] = bench.overwritten.waits("k");
    const wait = { reason: "ObjectNotFound", recheckAfterMs: 200 } as const;
    const [other, waiting] = bench.overwritten.lengthened("k", [wait, { ...wait, awaitsStatus: true }]);
    expect(other).toEqual(wait);
    expect(waiting?.recheckAfterMs).toBe(told?.recheckAfterMs);
    expect(bench.overwritten.lengthened("other", [{ ...wait, awaitsStatus: true }])).toMatchObject([wait]);
  });

  test("is at rest when nobody has to write it any more", async () => {
    const bench = new Bench();
    await bench.writtenAt(30 * minuteMs, dropZones);
    bench.wanted = { status: { ip: "1" } };
    await bench.writtenAt(25 * minuteMs, () => undefined);
    expect(bench.told).toEqual([]);
  });

  test("is forgotten once it lasts, and the next loss is repaired at once", async () => {
    const bench = new Bench();
    await bench.writtenAt(30 * minuteMs, dropZones);
    await bench.writtenAt(25 * minuteMs, () => undefined);
    expect(bench.told).toEqual([]);
    dropZones(bench);
    expect(bench.round()).toBe(true);
  });
});

describe("status that nobody overwrites", () => {
  test("is written as often as it changes", async () => {
    const bench = new Bench();
    const change = (one: Bench) => void (one.wanted = { status: { ip: String(one.clock.monotonicMs()) } });
    expect(await bench.writtenAt(minuteMs, change)).toHaveLength(60);
    expect(bench.told).toEqual([]);
  });

  test("is not remembered once nobody writes it, or its key is gone", () => {
    const bench = new Bench();
    bench.round();
    expect([...bench.overwritten.keys()]).toEqual(["k"]);
    bench.overwritten.retain("k", new Set());
    expect([...bench.overwritten.keys()]).toEqual([]);
    bench.round();
    bench.status = {};
    bench.round();
    bench.overwritten.forget("k");
    expect([...bench.overwritten.keys()]).toEqual([]);
  });
});
