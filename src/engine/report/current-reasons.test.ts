import { describe, expect, it } from "vitest";
import { CurrentReasons } from "./current-reasons.ts";
import { createMetrics } from "./metrics.ts";

async function world() {
  const metrics = createMetrics();
  const current = new CurrentReasons("specimen", metrics);
  const held = async (reason: string) => {
    const { values } = await metrics.heldUpKeys.get();
    return values.filter(({ labels }) => labels.reason === reason).reduce((sum, { value }) => sum + value, 0);
  };
  return { current, held };
}

describe("keys held up by a reason", () => {
  it("are counted as long as their last round says so, and no longer", async () => {
    const { current, held } = await world();
    current.set("a", ["TopologyDrift"]);
    current.set("b", ["TopologyDrift", "ApiTimeout"]);
    current.set("b", ["TopologyDrift", "ApiTimeout"]);
    expect([await held("TopologyDrift"), await held("ApiTimeout")]).toEqual([2, 1]);
    current.set("b", ["TopologyDrift"]);
    current.set("a", []);
    expect([await held("TopologyDrift"), await held("ApiTimeout")]).toEqual([1, 0]);
    expect([...current.keys()]).toEqual(["b"]);
  });

  it("are none once this manager leads no more", async () => {
    const { current, held } = await world();
    current.set("a", ["TopologyDrift"]);
    current.clear();
    expect(await held("TopologyDrift")).toBe(0);
  });
});
