import { describe, expect, test } from "vitest";
import { metricDefinitions } from "./metric-definitions.ts";
import { createMetrics, recordRequest } from "./metrics.ts";

describe("metrics", () => {
  test("are named mainstay_<noun>_<unit>, in small letters, with help and closed labels", () => {
    const open = new Set(["name_of_object", "namespace", "key", "uid"]);
    const definitions = Object.values(metricDefinitions);
    expect(definitions.length).toBeGreaterThan(10);
    for (const { name, help, labels, type } of definitions) {
      expect(name).toMatch(/^mainstay(_[a-z]+){2,}$/);
      expect(help).toMatch(/\.$/);
      expect(name.endsWith("_total")).toBe(type === "counter");
      expect(labels.filter((label) => open.has(label))).toEqual([]);
    }
    expect(new Set(definitions.map(({ name }) => name)).size).toBe(definitions.length);
  });

  test("of two managers in one process do not mix", async () => {
    const [one, other] = [createMetrics(), createMetrics()];
    one.leading.set(1);
    expect(await one.text()).toContain("mainstay_leader_state 1");
    expect(await other.text()).toContain("mainstay_leader_state 0");
  });

  test("count what the driver tells about requests", async () => {
    const metrics = createMetrics();
    recordRequest(metrics)({ verb: "patch", resource: "leases.coordination.k8s.io", code: "409", seconds: 0.02 });
    const text = await metrics.text();
    expect(text).toContain('mainstay_api_requests_total{verb="patch",kind="leases.coordination.k8s.io",code="409"} 1');
    expect(text).toContain(
      'mainstay_api_request_duration_seconds_count{verb="patch",kind="leases.coordination.k8s.io"} 1',
    );
  });
});
