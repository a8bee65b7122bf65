import { expect, test } from "vitest";
import { systemVeil } from "./system-veil.ts";

test("a mark is the same for the same text, another for another, and another under another veil", () => {
  const [veil, other] = [systemVeil(), systemVeil()];
  expect(veil.mark("a token")).toBe(veil.mark("a token"));
  expect(veil.mark("a token")).toMatch(/^[\w-]{22}$/);
  expect(new Set([veil.mark("a token"), veil.mark("a tokeN"), other.mark("a token")]).size).toBe(3);
});

test("a seal opens to its number, and no two seals of it look alike", () => {
  const veil = systemVeil();
  const seals = [veil.seal(17), veil.seal(17), veil.seal(18)];
  expect(seals.map((seal) => veil.open(seal))).toEqual([17, 17, 18]);
  expect(new Set(seals.map((seal) => seal.slice(0, 12))).size).toBe(3);
  expect(new Set(seals.map(({ length }) => length)).size).toBe(1);
});

test("what another veil sealed, or somebody changed, does not open", () => {
  const veil = systemVeil();
  const seal = veil.seal(17);
  const changed = `${seal.startsWith("A") ? "B" : "A"}${seal.slice(1)}`;
  for (const text of [systemVeil().seal(17), changed, seal.slice(1), "", "17", "not a seal"])
    expect([text, veil.open(text)]).toEqual([text, undefined]);
});
