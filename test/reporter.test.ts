// The last words of a run, from real runs of vitest on small files of all sorts.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { lastWords } from "./reporter.ts";

const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");

/** Runs one file of tests; `test`, `describe` and the like are globals in it. */
function runOf(code: string): { readonly last: string; readonly output: string; readonly status: number | null } {
  const folder = folderWith(code);
  const { stdout, stderr, status } = spawnSync(process.execPath, [vitest, "run", "--root", folder], {
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  return { last: stdout.trimEnd().split("\n").at(-1) ?? "", output: stdout + stderr, status };
}

function folderWith(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), "mainstay-reporter-"));
  const reporter = JSON.stringify(join(import.meta.dirname, "reporter.ts"));
  writeFileSync(
    join(folder, "vitest.config.mjs"),
    `import { LastWords } from ${reporter}; export default { test: { globals: true, pool: "threads", reporters: [new LastWords()] } };`,
  );
  writeFileSync(join(folder, "a.test.mjs"), code);
  return folder;
}

test("counts what passed, failed and was skipped, says why, and fails the run", () => {
  const { last, output, status } = runOf(`
    test("good", () => {});
    test("bad", () => { throw new Error("no"); });
    describe("far away", () => {
      test("one", (context) => context.skip("no network; to get it: make network"));
      test("two", (context) => context.skip("no network; to get it: make network"));
    });`);
  expect(last).toBe("1 passed, 1 failed, 2 skipped");
  expect(output).toContain("Failed:\n  a.test.mjs > bad: no\n");
  expect(output).toContain("a.test.mjs > far away (2): no network; to get it: make network");
  expect(status).toBe(1);
});

test("a run in which all is well ends with zero", () => {
  expect(runOf(`test("good", () => {});`)).toMatchObject({ last: "1 passed, 0 failed, 0 skipped", status: 0 });
});

test("a run in which no test ran fails", () => {
  const { last, output, status } = runOf(`test("absent", (context) => context.skip("not today"));`);
  expect(last).toBe("0 passed, 0 failed, 1 skipped");
  expect(output).toContain("No test ran");
  expect(status).toBe(1);
});

test("an error outside every test is a failure", () => {
  const { last, output, status } = runOf(`
    test("good", () => new Promise((resolve) => setTimeout(resolve, 50)));
    setTimeout(() => { throw new Error("late"); }, 1);`);
  expect(last).toBe("1 passed, 1 failed, 0 skipped");
  expect(output).toContain("  outside every test: late\n");
  expect(status).toBe(1);
});

test("a set-up that fails is one failure, and its tests are skipped for that reason", () => {
  const { last, output, status } = runOf(`
    describe("suite", () => {
      beforeAll(() => { throw new Error("no"); });
      test("one", () => {});
      test("two", () => {});
    });`);
  expect(last).toBe("0 passed, 1 failed, 2 skipped");
  expect(output).toContain("  a.test.mjs > suite: no\n");
  expect(output).toContain("a.test.mjs > suite (2): its set-up failed");
  expect(status).toBe(1);
});

test("a file that does not load is a failure", () => {
  expect(runOf(`throw new Error("no");`)).toMatchObject({ last: "0 passed, 1 failed, 0 skipped", status: 1 });
});

test("the line of totals stands alone and last", () => {
  const skipped = [{ suite: "a", tests: 2, why: "no lab; to get it: make lab" }];
  const slow = [{ file: "b.test.ts", seconds: 90 }];
  expect(lastWords({ passed: 3, failed: [], skipped, slow })).toEqual([
    "Skipped:",
    "  a (2): no lab; to get it: make lab",
    "Longest:",
    "    90 s  b.test.ts",
    "",
    "3 passed, 0 failed, 2 skipped",
  ]);
});

test("a run that is ended from outside says in what it was", async () => {
  const folder = folderWith(
    `test("hangs", () => { process.stdout.write("begun"); return new Promise(() => {}); }, 600_000);`,
  );
  const run = spawn(process.execPath, [vitest, "run", "--root", folder], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(run, "exit");
  let output = "";
  run.stdout.on("data", (chunk: Buffer) => {
    output += String(chunk);
    if (output.includes("begun")) run.kill("SIGTERM");
  });
  await ended;
  rmSync(folder, { recursive: true });
  expect(output).toMatch(/… ended in, since \d+ s: a\.test\.mjs/);
});
