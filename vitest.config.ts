// How the tests run. The last reporter has the last words: the skipped suites and the line of totals.

import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LastWords } from "./test/reporter.ts";
import { SlowestFirst } from "./test/slowest-first.ts";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/new-job/beacon/**"],
    setupFiles: ["./test/setup.ts"],
    // 1,200 tests in 120 files: 1.1 s without isolation, 15.6 s with. Tests keep no module state.
    isolate: false,
    pool: "threads",
    // Suites on the lab mostly wait for it, so a second worker pays off even on a small machine.
    maxWorkers: Math.max(2, availableParallelism()),
    // Tests start our programs again and again: 1.1 s of CPU each, 0.5 s where what was compiled is kept.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules", ".cache", "node") },
    // Machines are shared: a limit is there to end what hangs, and says nothing of how long a test may take.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    sequence: { sequencer: SlowestFirst },
    reporters: [["default", { summary: false }], new LastWords()],
  },
});
