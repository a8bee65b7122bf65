import { expect, test } from "vitest";
import type { Health, ObjectSummary, PartsCount } from "../../core/views/object-view.ts";
import { membersInWords, partsInWords } from "./parts.ts";

const healths = (healthy: number, total: number): readonly Health[] =>
  Array.from({ length: total }, (_, index) => (index < healthy ? "healthy" : "unhealthy"));
const zones = (healthy: number, total: number): PartsCount => ({
  noun: ["zone", "zones"],
  names: [],
  healths: healths(healthy, total),
});
const object = (parts?: PartsCount) => (parts === undefined ? {} : { parts }) as ObjectSummary;

test("says how many parts are well", () => {
  expect(partsInWords(zones(2, 3))).toBe("2 of 3 zones healthy, 1 unhealthy");
  expect(partsInWords(zones(0, 1))).toBe("0 of 1 zone healthy, 1 unhealthy");
});

test("parts that nobody could see are not called unhealthy", () => {
  const count = (...healths: PartsCount["healths"]) => partsInWords({ noun: ["zone", "zones"], names: [], healths });
  expect(count("unknown", "unknown", "unknown", "unknown")).toBe("4 zones, health not known");
  expect(count("unknown")).toBe("1 zone, health not known");
  expect(count("healthy", "unknown", "unhealthy")).toBe("1 of 3 zones healthy, 1 unhealthy, 1 not known");
});

test("parts that serve although they are degraded are not called lost", () => {
  const noun = ["zone", "zones"] as const;
  const healths = ["degraded", "degraded", "healthy", "unknown"] as const;
  expect(partsInWords({ noun, names: [], healths: healths.slice(0, 2), serving: 2 })).toBe(
    "2 of 2 zones serve (2 of them degraded)",
  );
  expect(partsInWords({ noun, names: [], healths, serving: 3 })).toBe(
    "3 of 4 zones serve (2 of them degraded), 1 not known",
  );
});

test("every part is in one of the counts, so that they add up", () => {
  const healths = ["degraded", "unhealthy", "degraded"] as const;
  expect(partsInWords({ noun: ["zone", "zones"], names: [], healths, serving: 2 })).toBe(
    "2 of 3 zones serve (2 of them degraded), 1 unhealthy",
  );
  expect(partsInWords({ noun: ["zone", "zones"], names: [], healths: ["healthy", "refused", "progressing"] })).toBe(
    "1 of 3 zones healthy, 1 refused, 1 in progress",
  );
});

test("counts objects, and the parts of those that have some", () => {
  expect(membersInWords([object()])).toBe("1 object");
  expect(membersInWords([object(zones(3, 3)), object(zones(1, 2)), object()])).toBe("3 objects, 5 zones");
  const balancer: PartsCount = { noun: ["balancer", "balancers"], names: [], healths: healths(1, 1) };
  expect(membersInWords([object(zones(3, 3)), object(balancer)])).toBe("2 objects, 3 zones, 1 balancer");
});
