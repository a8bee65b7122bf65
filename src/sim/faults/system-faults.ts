// What happens to the systems outside: away, history gone, storage restored, one part down for long.

import { between } from "../time/derive-seed.ts";
import type { Fault } from "./fault.ts";
import type { RevisionsAfter } from "./storage.ts";

export const systemFaults: readonly Fault[] = [
  {
    name: "api-server-away",
    does: "the API server is away: watches end, calls are refused",
    timed: {
      everyMs: [6_000, 25_000],
      apply: (controls) => {
        controls.away("kube", between(controls.random, 500, 15_000));
        controls.closeWatches();
      },
    },
  },
  {
    name: "history-compacted",
    does: "the API server forgets its history and ends all watches (410)",
    timed: {
      everyMs: [4_000, 15_000],
      apply: (controls) => {
        controls.closeWatches();
        controls.compactHistory();
      },
    },
  },
  {
    name: "cloud-away",
    does: "the cloud's API is away",
    timed: {
      everyMs: [6_000, 25_000],
      apply: (controls) => controls.away("cloud", between(controls.random, 500, 15_000)),
    },
  },
  restoring("storage-restored", "the API server's storage is restored from a backup", "behind"),
  {
    name: "part-down",
    does: "one location of the cloud is down for long: its neighbours must not notice",
    likely: 2,
    timed: { everyMs: [2_000, 8_000], apply: (controls) => controls.partDown() },
  },
  restoring(
    "storage-overtaken",
    "storage is restored, and others write until its revision is past all that caches have seen",
    "overtaken",
  ),
];

function restoring(name: string, does: string, revisions: RevisionsAfter): Fault {
  return {
    name,
    does,
    timed: {
      everyMs: [15_000, 40_000],
      apply: (controls) => {
        controls.away("kube", between(controls.random, 2_000, 6_000));
        controls.restore(between(controls.random, 2_000, 20_000), revisions);
      },
    },
  };
}

/** Those that need backups. */
export const restoringFaults: readonly string[] = ["storage-restored", "storage-overtaken"];
