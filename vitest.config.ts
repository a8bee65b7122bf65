import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // 1,200 tests in 120 files: 1.1 s without isolation, 15.6 s with. Tests keep no module state.
    isolate: false,
    pool: "threads",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
