// The last words of a test run: which suites were skipped, why and what brings them, which files took longest, which tests failed, then one line
// that a person or a script can read. Whoever sees only the end of a long log still learns what failed. A run in which no test ran is a failure. It knows nothing about the suites themselves.

import type { Reporter, TestCase, TestModule, TestRunEndReason, TestSuite } from "vitest/node";

const longestReason = 300;
/** How long a test may run before it is named once a minute. */
const lastingMs = 60_000;
/** Files worth a line: who wants a faster run begins with them. */
const slowFiles = { most: 15, fromMs: 20_000 };

export interface Tally {
  readonly passed: number;
  readonly failed: readonly Failure[];
  readonly skipped: readonly SkippedSuite[];
  /** The longest first. */
  readonly slow: readonly SlowFile[];
}

export interface SkippedSuite {
  readonly suite: string;
  readonly tests: number;
  readonly why: string;
}

export interface SlowFile {
  readonly file: string;
  readonly seconds: number;
}

export interface Failure {
  readonly where: string;
  readonly why: string;
}

export class LastWords implements Reporter {
  readonly #running = new Map<string, { readonly what: string; readonly sinceMs: number }>();
  #stillRunning: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.#stillRunning = setInterval(() => this.#tellRunning("still running", lastingMs), lastingMs);
    // Whoever ends a run that hangs wants to know in what it hung.
    for (const signal of ["SIGTERM", "SIGHUP"] as const) process.once(signal, () => this.#tellEnd(signal));
  }

  onTestModuleStart(module: TestModule): void {
    this.#begin(module.id, module.relativeModuleId);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module.id);
  }

  onTestCaseReady(test: TestCase): void {
    this.#begin(test.module.id, `${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[], reason: TestRunEndReason): void {
    clearInterval(this.#stillRunning);
    const tally = count(modules, unhandled);
    process.stdout.write(`${lastWords(tally).join("\n")}\n`);
    const ran = tally.passed + tally.failed.length > 0;
    if (tally.failed.length > 0 || !ran || reason === "interrupted") process.exitCode = process.exitCode || 1;
  }

  /** A file runs one test at a time, so the last one that began is the one that runs. */
  #begin(file: string, what: string): void {
    this.#running.set(file, { what, sinceMs: performance.now() });
  }

  #tellEnd(signal: NodeJS.Signals): void {
    this.#tellRunning("ended in", 0);
    process.kill(process.pid, signal);
  }

  #tellRunning(words: string, forMs: number): void {
    const nowMs = performance.now();
    for (const { what, sinceMs } of this.#running.values()) {
      const seconds = Math.round((nowMs - sinceMs) / 1000);
      if (nowMs - sinceMs >= forMs) process.stdout.write(`… ${words}, since ${seconds} s: ${what}\n`);
    }
  }
}

export function lastWords({ passed, failed, skipped, slow }: Tally): readonly string[] {
  const lines: string[] = [];
  if (skipped.length > 0) lines.push("Skipped:");
  for (const { suite, tests, why } of skipped) lines.push(`  ${suite} (${tests}): ${why}`);
  if (slow.length > 0) lines.push("Longest:");
  for (const { file, seconds } of slow) lines.push(`  ${String(seconds).padStart(4)} s  ${file}`);
  if (failed.length > 0) lines.push("Failed:");
  for (const { where, why } of failed) lines.push(`  ${where}: ${why}`);
  if (passed + failed.length === 0) lines.push("No test ran: that is a failure.");
  const total = skipped.reduce((sum, { tests }) => sum + tests, 0);
  return [...lines, "", `${passed} passed, ${failed.length} failed, ${total} skipped`];
}

/** A file or suite whose set-up failed, and an error outside every test, count as failures of their own. */
function count(modules: readonly TestModule[], unhandled: readonly unknown[]): Tally {
  let passed = 0;
  const failed = unhandled.map((error) => ({ where: "outside every test", why: inOneLine(error) }));
  const skipped = new Map<string, SkippedSuite>();
  for (const module of modules) {
    const fail = (name: string, errors: readonly unknown[]) => {
      const where = name === "" ? module.relativeModuleId : `${module.relativeModuleId} > ${name}`;
      for (const error of errors) failed.push({ where, why: inOneLine(error) });
    };
    fail("", module.errors());
    for (const suite of module.children.allSuites()) fail(suite.fullName, suite.errors());
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === "passed") passed += 1;
      else if (result.state === "failed") fail(test.fullName, result.errors.slice(0, 1));
      else remember(skipped, suiteOf(test), whySkipped(test));
    }
  }
  return { passed, failed, skipped: [...skipped.values()], slow: slowest(modules) };
}

function slowest(modules: readonly TestModule[]): readonly SlowFile[] {
  return modules
    .map((module) => ({ file: module.relativeModuleId, ms: module.diagnostic().duration }))
    .filter(({ ms }) => ms >= slowFiles.fromMs)
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, slowFiles.most)
    .map(({ file, ms }) => ({ file, seconds: Math.round(ms / 1000) }));
}

/** The message alone and not all of it: the whole error stands further up in the log. */
function inOneLine(error: unknown): string {
  const message = String((error as Partial<Error> | undefined)?.message ?? error);
  const line = message.replaceAll(/\s+/g, " ").trim();
  return line.length > longestReason ? `${line.slice(0, longestReason)}…` : line;
}

function remember(skipped: Map<string, SkippedSuite>, suite: string, why: string): void {
  const key = `${suite}\n${why}`;
  skipped.set(key, { suite, why, tests: (skipped.get(key)?.tests ?? 0) + 1 });
}

function suiteOf(test: TestCase): string {
  return test.parent.type === "suite"
    ? `${test.module.relativeModuleId} > ${test.parent.fullName}`
    : test.module.relativeModuleId;
}

function whySkipped(test: TestCase): string {
  const result = test.result();
  if (result.state === "pending") return "the run ended before its turn";
  if (result.state === "skipped" && result.note !== undefined) return result.note;
  if (setUpFailed(test.parent)) return "its set-up failed";
  return "left out by the filter of this run, or marked `skip` or `todo` in the source";
}

function setUpFailed(parent: TestSuite | TestModule): boolean {
  if (parent.errors().length > 0) return true;
  return parent.type === "suite" && setUpFailed(parent.parent);
}
