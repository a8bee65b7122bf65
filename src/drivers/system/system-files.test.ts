import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MainstayError } from "../../core/errors.ts";
import { systemFiles } from "./system-files.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mainstay-files-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("reads back what it wrote, and says whether a file is there", async () => {
  const path = join(folder, "note");
  expect(await systemFiles.exists(path)).toBe(false);
  await systemFiles.writeText(path, "höher\n");
  expect(await systemFiles.exists(path)).toBe(true);
  expect(await systemFiles.readText(path)).toBe("höher\n");
});

test("replacing a file keeps its permissions and leaves nothing beside it", async () => {
  const path = join(folder, "secret");
  writeFileSync(path, "old");
  chmodSync(path, 0o600);
  await systemFiles.writeText(path, "new");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.startsWith("secret"))).toEqual(["secret"]);
});

test("a link stays a link, and what it points to is replaced", async () => {
  const [path, link] = [join(folder, "target"), join(folder, "link")];
  writeFileSync(path, "old");
  symlinkSync(path, link);
  await systemFiles.writeText(link, "new");
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(path, "utf8")).toBe("new");
});

test("readers see the old text or the new one while many write", async () => {
  const path = join(folder, "busy");
  const texts = Array.from({ length: 20 }, (_, number) => `${number}`.repeat(50_000));
  await systemFiles.writeText(path, texts[0] ?? "");
  const writing = Promise.all(texts.map((text) => systemFiles.writeText(path, text)));
  const seen = await Promise.all(Array.from({ length: 50 }, () => systemFiles.readText(path)));
  await writing;
  expect(seen.filter((text) => !texts.includes(text))).toEqual([]);
});

test("a failure names the path, the code and what to do", async () => {
  const path = join(folder, "nowhere", "file");
  const read = await systemFiles.readText(path).catch((error: unknown) => error);
  const write = await systemFiles.writeText(path, "text").catch((error: unknown) => error);
  for (const error of [read, write]) {
    expect(error).toBeInstanceOf(MainstayError);
    expect(error).toMatchObject({ reason: "InputInvalid", hint: "Check the path: there is no such file or folder." });
    expect(String(error)).toContain(path);
  }
  await expect(systemFiles.readText(folder)).rejects.toMatchObject({ hint: "Name a file, not a folder." });
});
