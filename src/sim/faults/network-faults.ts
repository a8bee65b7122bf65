// What happens between the parts: partitions, watches that lag, watches that are cut.

import { between, pick } from "../time/derive-seed.ts";
import type { Fault } from "./fault.ts";
import { withOneProcess } from "./process-faults.ts";

export const networkFaults: readonly Fault[] = [
  {
    name: "partition",
    does: "a process and a system cannot reach each other; what was sent arrives afterwards",
    timed: {
      everyMs: [4_000, 20_000],
      apply: (controls) =>
        withOneProcess(controls, (process) =>
          controls.cutOff(
            process,
            pick(controls.random, controls.ports()) ?? "kube",
            between(controls.random, 500, 25_000),
          ),
        ),
    },
  },
  {
    name: "watch-delayed",
    does: "the watches of a process deliver nothing for a while",
    timed: {
      everyMs: [3_000, 12_000],
      apply: (controls) =>
        withOneProcess(controls, (process) => controls.holdWatches(process, between(controls.random, 500, 20_000))),
    },
  },
  {
    name: "watches-restarted",
    does: "the API server ends all watches",
    timed: { everyMs: [2_000, 10_000], apply: (controls) => controls.closeWatches() },
  },
];
