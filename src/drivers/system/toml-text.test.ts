import { expect, test } from "vitest";
import { parseToml } from "./toml-text.ts";

test("TOML becomes values, and a mistake is named by its place, not by what stands there", () => {
  expect(parseToml('a = 1\n[b.c]\nd = ["e"]\n', "f")).toMatchObject({
    ok: true,
    value: { a: 1, b: { c: { d: ["e"] } } },
  });
  const wrong = parseToml('shared-secret = "hush', "agent.toml");
  expect(wrong).toMatchObject({ ok: false, problems: [{ where: "agent.toml" }] });
  expect(JSON.stringify(wrong)).not.toContain("hush");
});
