import { expect, test } from "vitest";
import { NamedKeys, otherObjects } from "./named-keys.ts";

const labels = (names: NamedKeys, ...keys: readonly string[]) => keys.map((key) => names.labelOf(key));

test("everybody has a name while there is room", () => {
  const names = new NamedKeys(2);
  expect([names.set("a", "well"), names.set("b", "sick")]).toEqual([[], []]);
  expect(labels(names, "a", "b")).toEqual(["a", "b"]);
});

test("a sick key takes the name of a well one, and keeps it when it is well again", () => {
  const names = new NamedKeys(2);
  for (const key of ["a", "b", "c"]) names.set(key, "well");
  expect(labels(names, "a", "b", "c")).toEqual(["a", "b", otherObjects]);
  expect(names.set("c", "sick")).toEqual(["a"]);
  expect(labels(names, "a", "b", "c")).toEqual([otherObjects, "b", "c"]);
  expect(names.set("c", "well")).toEqual([]);
  expect(labels(names, "a", "b", "c")).toEqual([otherObjects, "b", "c"]);
});

test("a sick key without a name gets the next one that is free, before any well one", () => {
  const names = new NamedKeys(1);
  names.set("a", "sick");
  names.set("b", "well");
  names.set("c", "sick");
  expect(labels(names, "a", "b", "c")).toEqual(["a", otherObjects, otherObjects]);
  expect(names.set("a", "well")).toEqual(["c"]);
  expect(labels(names, "a", "c")).toEqual([otherObjects, "c"]);
  expect(names.delete("c")).toEqual(["b"]);
  expect([...names.keys()].toSorted()).toEqual(["a", "b"]);
});

test("three thousand keys that come, fall sick and go leave nothing, and cost little", () => {
  const names = new NamedKeys(500);
  const keys = Array.from({ length: 3_000 }, (_, n) => `clusters/c${n}`);
  const began = performance.now();
  for (const health of ["well", "sick", "well"] as const) for (const key of keys) names.set(key, health);
  expect(new Set(keys.map((key) => names.labelOf(key))).size).toBe(501);
  for (const key of keys) names.delete(key);
  expect([...names.keys()]).toEqual([]);
  expect(performance.now() - began).toBeLessThan(2_000);
});
