import { describe, expect, test } from "vitest";
import { type GaugeCount, gauge } from "../../core/job/metric.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { SummedGauges } from "./summed-gauges.ts";

const things = { parts: gauge("mainstay_sample_parts", "Parts by zone and health.", ["zone", "health"]) };

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
  test("sums over keys, and a key's new count replaces its old one", async () => {
    const metrics = createMetrics([things]);
    const gauges = new SummedGauges(metrics);
    gauges.set("a", [parts("healthy", 3)]);
    gauges.set("b", [parts("healthy", 2), parts("unhealthy", 1)]);
    gauges.set("a", [parts("healthy", 1)]);
    expect(await linesOf(metrics)).toEqual([
      'mainstay_sample_parts{zone="az1",health="healthy"} 3',
      'mainstay_sample_parts{zone="az1",health="unhealthy"} 1',
    ]);
  });

  test("forgets what is gone", async () => {
    const metrics = createMetrics([things]);
    const gauges = new SummedGauges(metrics);
    gauges.set("a", [parts("healthy", 3)]);
    gauges.set("b", [parts("healthy", 2)]);
    gauges.set("a", []);
    expect(await linesOf(metrics)).toEqual(['mainstay_sample_parts{zone="az1",health="healthy"} 2']);
    gauges.clear();
    expect([...gauges.keys()]).toEqual([]);
    expect(await linesOf(metrics)).toEqual(['mainstay_sample_parts{zone="az1",health="healthy"} 0']);
  });

  test("must be declared: a count that nobody would see is a fault of ours", () => {
    expect(() => new SummedGauges(createMetrics()).set("a", [parts("healthy", 1)])).toThrow("mainstay_sample_parts");
  });
});
