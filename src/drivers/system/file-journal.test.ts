import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fileJournal } from "./file-journal.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mainstay-journal-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe("a journal in a file", () => {
  test("has no lines before the first, and every line of another process after that", async () => {
    const path = join(folder, "journal");
    expect(await fileJournal(path).read()).toEqual([]);
    const journal = fileJournal(path);
    await journal.append("één");
    await journal.append("two");
    expect(await fileJournal(path).read()).toEqual(["één", "two"]);
    await journal.replace(["three"]);
    await journal.append("four");
    expect(await fileJournal(path).read()).toEqual(["three", "four"]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["journal"]);
  });

  test("forgets a line that a crash cut short, and goes on behind the last whole one", async () => {
    const path = join(folder, "journal");
    await fileJournal(path).append("whole");
    await appendFile(path, "a very long line that was never fini");
    const journal = fileJournal(path);
    expect(await journal.read()).toEqual(["whole"]);
    await journal.append("next");
    expect(await readFile(path, "utf8")).toBe("whole\nnext\n");
  });

  test("a file of which not even the first line is whole is empty", async () => {
    const path = join(folder, "journal");
    await writeFile(path, "half");
    await fileJournal(path).append("first");
    expect(await readFile(path, "utf8")).toBe("first\n");
  });

  test("makes its folder when all is replaced, and rejects where it cannot write", async () => {
    const journal = fileJournal(join(folder, "deep", "er", "journal"));
    await expect(journal.append("x")).rejects.toThrow("ENOENT");
    await journal.replace([]);
    await journal.append("x");
    expect(await journal.read()).toEqual(["x"]);
    await expect(fileJournal(folder).read()).rejects.toThrow("EISDIR");
  });
});
