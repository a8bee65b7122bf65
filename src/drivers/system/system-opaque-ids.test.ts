import { expect, test } from "vitest";
import { systemOpaqueIds } from "./system-opaque-ids.ts";

test("a hash is the same for the same text, another for another, and another under another key", () => {
  const [opaqueIds, other] = [systemOpaqueIds(), systemOpaqueIds()];
  expect(opaqueIds.hash("a token")).toBe(opaqueIds.hash("a token"));
  expect(opaqueIds.hash("a token")).toMatch(/^[\w-]{22}$/);
  expect(new Set([opaqueIds.hash("a token"), opaqueIds.hash("a tokeN"), other.hash("a token")]).size).toBe(3);
});

test("an id is decrypted to its number, and no two ids of it look alike", () => {
  const opaqueIds = systemOpaqueIds();
  const ids = [opaqueIds.encrypt(17), opaqueIds.encrypt(17), opaqueIds.encrypt(18)];
  expect(ids.map((id) => opaqueIds.decrypt(id))).toEqual([17, 17, 18]);
  expect(new Set(ids.map((id) => id.slice(0, 12))).size).toBe(3);
  expect(new Set(ids.map(({ length }) => length)).size).toBe(1);
});

test("what another key encrypted, or somebody changed, is not decrypted", () => {
  const opaqueIds = systemOpaqueIds();
  const id = opaqueIds.encrypt(17);
  const changed = `${id.startsWith("A") ? "B" : "A"}${id.slice(1)}`;
  for (const text of [systemOpaqueIds().encrypt(17), changed, id.slice(1), "", "17", "not a id"])
    expect([text, opaqueIds.decrypt(text)]).toEqual([text, undefined]);
});
