import { expect, test } from "vitest";
import type { Health, ObjectSummary, PartsCount } from "../../core/views/object-view.ts";
import { membersInWords, partsInWords } from "./parts.ts";

const healths = (healthy: number, total: number): readonly Health[] =>
  Array.from({ length: total }, (_, index) => (index < healthy ? "healthy" : "degraded"));
const zones = (healthy: number, total: number): PartsCount => ({
  noun: ["zone", "zones"],
  healths: healths(healthy, total),
});
const object = (parts?: PartsCount) => (parts === undefined ? {} : { parts }) as ObjectSummary;

test("says how many parts are well", () => {
  expect(partsInWords(zones(2, 3))).toBe("2 of 3 zones healthy");
  expect(partsInWords(zones(0, 1))).toBe("0 of 1 zone healthy");
});

test("parts that nobody could see are not called unhealthy", () => {
  const count = (...healths: PartsCount["healths"]) => partsInWords({ noun: ["zone", "zones"], healths });
  expect(count("unknown", "unknown", "unknown", "unknown")).toBe("4 zones, health not known");
  expect(count("unknown")).toBe("1 zone, health not known");
  expect(count("healthy", "unknown", "degraded")).toBe("1 of 3 zones healthy, 1 not known");
});

test("counts objects, and the parts of those that have some", () => {
  expect(membersInWords([object()])).toBe("1 object");
  expect(membersInWords([object(zones(3, 3)), object(zones(1, 2)), object()])).toBe("3 objects, 5 zones");
  const balancer: PartsCount = { noun: ["balancer", "balancers"], healths: healths(1, 1) };
  expect(membersInWords([object(zones(3, 3)), object(balancer)])).toBe("2 objects, 3 zones, 1 balancer");
});
