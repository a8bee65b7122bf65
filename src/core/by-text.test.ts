import { expect, test } from "vitest";
import { byText } from "./by-text.ts";

test("orders by code units, and leaves what is equal in its order", () => {
  const values = ["b", "a", "Z", "ä"].map((name, index) => ({ name, index }));
  const sorted = [...values, { name: "a", index: 4 }].toSorted(byText(({ name }) => name));
  expect(sorted.map(({ name, index }) => `${name}${index}`)).toEqual(["Z2", "a1", "a4", "b0", "ä3"]);
});
