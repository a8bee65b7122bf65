// requirements.md says by which test each requirement is proven. Here its tables are read: every named test exists, no requirement is
// left without an answer, and every decision has its line.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const tables = readFileSync(join(import.meta.dirname, "requirements.md"), "utf8");

interface Row {
  readonly what: string;
  readonly answers: readonly string[];
}

const rows: readonly Row[] = [...tables.matchAll(/^\| (.+?) \| (.+) \|$/gm)]
  .map(([, what = "", answers = ""]) => ({ what, answers: answers.split("<br>") }))
  .filter(({ answers }) => answers[0] !== "proven by");

const proofs = rows.flatMap(({ answers }) =>
  answers.flatMap((answer) => {
    const [, file, name] = /^`([^`]+)` › (.+)$/.exec(answer) ?? [];
    return file === undefined || name === undefined ? [] : [{ file, name }];
  }),
);

/** As the title of a test or of a group, or as the name of a case in its table. */
function isNamedIn(file: string, name: string): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const quoted = name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('"', String.raw`\\?"`);
  return new RegExp(`[(,[{\\s](["'\`])${quoted}\\1\\s*[,:)]`).test(readFileSync(path, "utf8"));
}

describe("the tables of requirements", () => {
  test("are seen", () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(proofs.length).toBeGreaterThan(rows.length);
  });

  test("name tests that exist", () => {
    const missing = proofs.filter(({ file, name }) => !isNamedIn(file, name));
    expect(missing.map(({ file, name }) => `${file} › ${name}`)).toEqual([]);
  });

  test("notice a test that does not exist", () => {
    const here = "test/api-endpoint/requirements.test.ts";
    expect(isNamedIn(here, "notice a test that does not exist")).toBe(true);
    expect(isNamedIn(here, ["notice a test", "that never was"].join(" "))).toBe(false);
    expect(isNamedIn("test/api-endpoint/nowhere.test.ts", "are seen")).toBe(false);
  });

  test("answer every requirement: by a test, by a page, or by saying that it is open", () => {
    const isAnswer = (answer: string) => /^(`[^`]+` › .+|doc: .+|open: .+)$/.test(answer);
    expect(rows.filter(({ answers }) => !answers.every(isAnswer)).map(({ what }) => what)).toEqual([]);
  });

  test("have a line for each of the fifty-three decisions", () => {
    const [, section = ""] = tables.split(/^## Decisions$/m);
    const [lines = ""] = section.split(/^## /m);
    const decisions = rows.filter(({ what }) => lines.includes(`\n| ${what} | `)).map(({ what }) => what);
    expect(new Set(decisions).size).toBe(decisions.length);
    expect(decisions.length).toBe(53);
  });
});
