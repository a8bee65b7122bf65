import { expect, test } from "vitest";
import type { LoadBalancerHealth } from "../../apis/load-balancer/api-server-load-balancer.ts";
import { zonesServed } from "./zones-served.ts";

const zones = ["az1", "az2", "az3"];
const served = (...healths: readonly LoadBalancerHealth[]) =>
  zonesServed(
    healths.map((health, index) => ({ availabilityZone: `az${index + 1}`, health })),
    zones,
  );

test("counts the zones in which the API answers, also where not every member does", () => {
  expect(served("Healthy", "Healthy", "Healthy")).toBe("3/3");
  expect(served("Healthy", "Unhealthy", "Healthy")).toBe("2/3");
  expect(served("Degraded", "Degraded", "Degraded")).toBe("3/3");
  expect(served("Empty", "Empty", "Empty")).toBe("0/3");
});

test("never says that no zone answers while nobody can tell", () => {
  expect(served("Unknown", "Unknown", "Unknown")).toBe("?/3");
  expect(served("Unhealthy", "Unknown", "Unhealthy")).toBe("?/3");
  expect(served("Healthy", "Unknown", "Unknown")).toBe("1/3");
});

test("a zone that is refused, and has no entry, is wanted all the same; one that leaves is not", () => {
  expect(zonesServed([{ availabilityZone: "az1", health: "Healthy" }], ["az1", "az9"])).toBe("1/2");
  expect(zonesServed([{ availabilityZone: "az4", health: "Healthy" }], ["az1"])).toBe("0/1");
  expect(zonesServed([], [])).toBeUndefined();
});
