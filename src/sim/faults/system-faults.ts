// What happens to the systems outside: away, history gone, storage restored, one part down for long.

import { between } from "../time/derive-seed.ts";
import type { Fault } from "./fault.ts";

export const systemFaults: readonly Fault[] = [
  {
    name: "api-server-away",
    does: "the API server is away: watches end, calls are refused",
    moment: {
      everyMs: [6_000, 25_000],
      strike: (hands) => {
        hands.away("kube", between(hands.random, 500, 15_000));
        hands.closeWatches();
      },
    },
  },
  {
    name: "history-compacted",
    does: "the API server forgets its history and ends all watches (410)",
    moment: {
      everyMs: [4_000, 15_000],
      strike: (hands) => {
        hands.closeWatches();
        hands.compactHistory();
      },
    },
  },
  {
    name: "cloud-away",
    does: "the cloud's API is away",
    moment: { everyMs: [6_000, 25_000], strike: (hands) => hands.away("cloud", between(hands.random, 500, 15_000)) },
  },
  {
    name: "storage-restored",
    does: "the API server's storage is restored from a backup",
    moment: {
      everyMs: [15_000, 40_000],
      strike: (hands) => {
        hands.away("kube", between(hands.random, 2_000, 6_000));
        hands.restore(between(hands.random, 2_000, 20_000), "behind");
      },
    },
  },
  {
    name: "part-down",
    does: "one site of the cloud is down for long: its neighbours must not notice",
    likely: 2,
    moment: { everyMs: [2_000, 8_000], strike: (hands) => hands.partDown() },
  },
  {
    name: "storage-overtaken",
    does: "storage is restored, and others write until its revision is past all that caches have seen",
    moment: {
      everyMs: [15_000, 40_000],
      strike: (hands) => {
        hands.away("kube", between(hands.random, 2_000, 6_000));
        hands.restore(between(hands.random, 2_000, 20_000), "overtaken");
      },
    },
  },
];

/** Those that need backups. */
export const restoringFaults: readonly string[] = ["storage-restored", "storage-overtaken"];
