// What happens between the parts: partitions, watches that lag, watches that are cut.

import { between, pick } from "../time/derive-seed.ts";
import type { Fault } from "./fault.ts";
import { withSome } from "./process-faults.ts";

export const networkFaults: readonly Fault[] = [
  {
    name: "partition",
    does: "a process and a system cannot reach each other; what was sent arrives afterwards",
    moment: {
      everyMs: [4_000, 20_000],
      strike: (hands) =>
        withSome(hands, (process) =>
          hands.cutOff(process, pick(hands.random, hands.ports()) ?? "kube", between(hands.random, 500, 25_000)),
        ),
    },
  },
  {
    name: "watch-delayed",
    does: "the watches of a process deliver nothing for a while",
    moment: {
      everyMs: [3_000, 12_000],
      strike: (hands) => withSome(hands, (process) => hands.holdWatches(process, between(hands.random, 500, 20_000))),
    },
  },
  {
    name: "watches-restarted",
    does: "the API server ends all watches",
    moment: { everyMs: [2_000, 10_000], strike: (hands) => hands.closeWatches() },
  },
];
