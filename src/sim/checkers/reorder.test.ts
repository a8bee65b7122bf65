import { expect, test } from "vitest";
import { seededRandom } from "../time/seeded-random.ts";
import { reorder } from "./reorder.ts";

const letters = ["a", "b", "c", "d", "e", "f"];
const facts = {
  names: [...letters],
  deep: { locations: letters.map((location) => ({ location, things: letters.map((id) => ({ id })) })) },
  map: new Map(letters.map((letter) => [letter, letter])),
  set: new Set(letters),
  record: Object.fromEntries(letters.map((letter) => [letter, 1])),
  status: { history: [...letters] },
};
const { facts: other, restore } = reorder(facts, seededRandom(1));
const orders = ({ names, deep, map, set, record }: typeof facts): readonly string[] => [
  names.join(""),
  ...deep.locations.map(({ things }) => things.map(({ id }) => id).join("")),
  [...map.keys()].join(""),
  [...set].join(""),
  Object.keys(record).join(""),
];

test("lists, maps, sets and records change their order at any depth, and nothing else", () => {
  const sorted = letters.join("");
  expect(orders(facts).every((order) => order === sorted)).toBe(true);
  expect(orders(other).filter((order) => order === sorted)).toEqual([]);
  for (const order of orders(other)) expect(order.split("").toSorted().join("")).toBe(sorted);
  expect([other.record, other.map, other.set]).toEqual([facts.record, facts.map, facts.set]);
});

test("a list that is in order for a reason stays in it", () => {
  expect(other.status.history).toEqual(letters);
});

test("what a result took from the facts comes back as it was; what it made of their order is not", () => {
  const [first] = other.deep.locations;
  expect(restore({ took: first?.things, made: other.names.map((name) => name) })).toEqual({
    took: letters.map((id) => ({ id })),
    made: other.names,
  });
});
