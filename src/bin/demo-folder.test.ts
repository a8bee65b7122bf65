import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeDemoFolder } from "./demo-folder.ts";

const before = process.env["TMPDIR"];
let temporary = "";
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), "mainstay-demo-folder-"));
  process.env["TMPDIR"] = temporary;
});
afterEach(() => {
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
  rmSync(temporary, { recursive: true, force: true });
});

test("has the same place for the same port, for this user alone", async () => {
  const folder = await makeDemoFolder("16080");
  expect(folder).toBe(join(temporary, "mainstay-demo-16080"));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(await makeDemoFolder("16081")).not.toBe(folder);
});

test("what a demonstration that was killed left there is gone", async () => {
  const stale = join(temporary, "mainstay-demo-16080");
  mkdirSync(stale);
  writeFileSync(join(stale, "kubeconfig"), "of yesterday");
  expect(await makeDemoFolder("16080")).toBe(stale);
  expect(existsSync(join(stale, "kubeconfig"))).toBe(false);
});

test("a link that somebody put there is not followed: another place is taken", async () => {
  const elsewhere = mkdtempSync(join(temporary, "elsewhere-"));
  writeFileSync(join(elsewhere, "precious"), "");
  symlinkSync(elsewhere, join(temporary, "mainstay-demo-16080"));
  const folder = await makeDemoFolder("16080");
  expect([dirname(folder), basename(folder).startsWith("mainstay-demo-")]).toEqual([temporary, true]);
  expect(basename(folder)).not.toBe("mainstay-demo-16080");
  expect(existsSync(join(elsewhere, "precious"))).toBe(true);
});
