import { expect, test } from "vitest";
import { systemRandom } from "./system-random.ts";

test("numbers are in [0, 1) and differ", () => {
  const numbers = Array.from({ length: 1000 }, () => systemRandom.next());
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  expect(new Set(numbers).size).toBeGreaterThan(900);
});

test("uuids have the form of version 4 and differ", () => {
  const [first, second] = [systemRandom.uuid(), systemRandom.uuid()];
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(first).not.toBe(second);
});
