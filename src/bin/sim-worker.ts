// One worker of a large simulation: takes seeds, answers with results. The main thread hands out the next one.

import { parentPort } from "node:worker_threads";
import { simulate } from "./sim-runtime.ts";

parentPort?.on("message", (seed: number) => {
  void simulate(seed).then((result) => {
    // Lines are many and only of interest when something broke.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(result.violation === undefined ? { ...result, lines: [] } : result);
  });
});
