import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type GaugeCount, objectGauge } from "../../core/job/metric.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { ObjectGauges } from "./object-gauges.ts";

const things = { parts: objectGauge("mainstay_sample_parts", "Parts by zone and health.", ["zone", "health"]) };

const parts = (health: string, count: number): GaugeCount => ({
  metric: things.parts.name,
  labels: { zone: "az1", health },
  count,
});

async function linesOf(metrics: Metrics): Promise<readonly string[]> {
  const lines = (await metrics.text()).split("\n");
  return lines.filter((line) => line.startsWith("mainstay_sample_parts{"));
}

describe("a gauge of a job", () => {
  test("has the object as a label, and a round's count replaces the one before", async () => {
    const metrics = createMetrics([things]);
    const gauges = new ObjectGauges(metrics);
    gauges.set("a", [parts("healthy", 3)]);
    gauges.set("b", [parts("healthy", 2), parts("unhealthy", 1)]);
    gauges.set("a", [parts("healthy", 1)]);
    expect(await linesOf(metrics)).toEqual([
      'mainstay_sample_parts{object="a",zone="az1",health="healthy"} 1',
      'mainstay_sample_parts{object="b",zone="az1",health="healthy"} 2',
      'mainstay_sample_parts{object="b",zone="az1",health="unhealthy"} 1',
    ]);
  });

  test("forgets what is gone", async () => {
    const metrics = createMetrics([things]);
    const gauges = new ObjectGauges(metrics);
    gauges.set("a", [parts("healthy", 3)]);
    gauges.set("b", [parts("healthy", 2)]);
    gauges.set("a", []);
    expect(await linesOf(metrics)).toEqual(['mainstay_sample_parts{object="b",zone="az1",health="healthy"} 2']);
    gauges.clear();
    expect([...gauges.keys()]).toEqual([]);
    expect(await linesOf(metrics)).toEqual([]);
  });

  test("has a sample of zero only where somebody counts none", async () => {
    const metrics = createMetrics([things]);
    const gauges = new ObjectGauges(metrics);
    gauges.set("a", [parts("healthy", 0)]);
    expect(await linesOf(metrics)).toEqual(['mainstay_sample_parts{object="a",zone="az1",health="healthy"} 0']);
    gauges.set("a", [parts("unknown", 1)]);
    expect(await linesOf(metrics)).toEqual(['mainstay_sample_parts{object="a",zone="az1",health="unknown"} 1']);
  });

  test("is shared by controllers: what one of them forgets is not lost to the other", async () => {
    const metrics = createMetrics([things]);
    const [one, other] = [new ObjectGauges(metrics), new ObjectGauges(metrics)];
    one.set("a", [parts("healthy", 3)]);
    other.set("a", [parts("healthy", 2)]);
    one.set("a", []);
    expect(await linesOf(metrics)).toEqual(['mainstay_sample_parts{object="a",zone="az1",health="healthy"} 2']);
    other.set("a", []);
    expect(await linesOf(metrics)).toEqual([]);
  });

  test("must be declared: a count that nobody would see is a fault of ours", () => {
    expect(() => new ObjectGauges(createMetrics()).set("a", [parts("healthy", 1)])).toThrow("mainstay_sample_parts");
  });
});

describe("more objects than there are names", () => {
  const sick = (count: number): GaugeCount => ({ ...parts("unhealthy", count), sick: true });

  test("are summed, except the sick ones", async () => {
    const metrics = createMetrics([things], 1);
    const gauges = new ObjectGauges(metrics);
    for (const key of ["a", "b", "c"]) gauges.set(key, [parts("healthy", 2), sick(0)]);
    gauges.set("b", [parts("healthy", 0), sick(2)]);
    expect((await linesOf(metrics)).toSorted()).toEqual([
      'mainstay_sample_parts{object="(other)",zone="az1",health="healthy"} 4',
      'mainstay_sample_parts{object="(other)",zone="az1",health="unhealthy"} 0',
      'mainstay_sample_parts{object="b",zone="az1",health="healthy"} 0',
      'mainstay_sample_parts{object="b",zone="az1",health="unhealthy"} 2',
    ]);
    gauges.set("b", []);
    gauges.set("a", []);
    expect((await linesOf(metrics)).toSorted()).toEqual([
      'mainstay_sample_parts{object="c",zone="az1",health="healthy"} 2',
      'mainstay_sample_parts{object="c",zone="az1",health="unhealthy"} 0',
    ]);
  });

  test("whatever comes, the samples add up, and there are no more than the names allow", async () => {
    const limit = 7;
    const history = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 3 }), fc.boolean()));
    await fc.assert(
      fc.asyncProperty(history, async (rounds) => {
        const metrics = createMetrics([things], limit);
        const gauges = new ObjectGauges(metrics);
        const counts = new Map<string, number>();
        for (const [key, count, isGone] of rounds) {
          if (isGone) counts.delete(`k${key}`);
          else counts.set(`k${key}`, count);
          gauges.set(`k${key}`, isGone ? [] : [sick(count)]);
        }
        const samples = (await linesOf(metrics)).map((line) => line.split("} "));
        const total = samples.reduce((sum, [, value]) => sum + Number(value), 0);
        expect(total).toBe([...counts.values()].reduce((sum, count) => sum + count, 0));
        expect(samples).toHaveLength(Math.min(counts.size, limit + 1));
        const named = samples.filter(([labels = ""]) => !labels.includes("(other)"));
        const sickOnes = [...counts.values()].filter((count) => count > 0).length;
        expect(named.filter(([, value]) => value !== "0")).toHaveLength(Math.min(sickOnes, limit));
      }),
    );
  });

  test("three thousand clusters cost as many samples as five hundred, and little time", async () => {
    const metrics = createMetrics([things]);
    const gauges = new ObjectGauges(metrics);
    const began = performance.now();
    for (let round = 0; round < 3; round += 1)
      for (let n = 0; n < 3_000; n += 1) gauges.set(`clusters/c${n}`, [parts("healthy", 3), sick((n + round) % 10)]);
    const text = await linesOf(metrics);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(text).toHaveLength(2 * (500 + 1));
  });
});
