import { describe, expect, test } from "vitest";
import type { CensusCount } from "../../core/gauge-count.ts";
import { Census } from "./gauges.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

const members = (health: string, count: number): CensusCount => ({
  metric: "loadBalancerMembers",
  labels: { zone: "az1", health },
  count,
});

async function linesOf(metrics: Metrics): Promise<readonly string[]> {
  const lines = (await metrics.text()).split("\n");
  return lines.filter((line) => line.startsWith("mainstay_load_balancer_members{"));
}

describe("a census", () => {
  test("sums over keys, and a key's new count replaces its old one", async () => {
    const metrics = createMetrics();
    const census = new Census(metrics);
    census.set("a", [members("healthy", 3)]);
    census.set("b", [members("healthy", 2), members("unhealthy", 1)]);
    census.set("a", [members("healthy", 1)]);
    expect(await linesOf(metrics)).toEqual([
      'mainstay_load_balancer_members{zone="az1",health="healthy"} 3',
      'mainstay_load_balancer_members{zone="az1",health="unhealthy"} 1',
    ]);
  });

  test("forgets what is gone", async () => {
    const metrics = createMetrics();
    const census = new Census(metrics);
    census.set("a", [members("healthy", 3)]);
    census.set("b", [members("healthy", 2)]);
    census.set("a", []);
    expect(await linesOf(metrics)).toEqual(['mainstay_load_balancer_members{zone="az1",health="healthy"} 2']);
    census.clear();
    expect([...census.keys()]).toEqual([]);
    expect(await linesOf(metrics)).toEqual(['mainstay_load_balancer_members{zone="az1",health="healthy"} 0']);
  });
});
