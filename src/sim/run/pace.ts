// How often what keeps a world going happens: the Lease is renewed, a watch begins anew, bookmarks come. Everything is shorter than in a real
// cluster, in the same proportions, since worlds live for minutes; but no shorter than needed, since most of what happens in a world at rest
// is this.

import { defaultInformerTimings, type InformerTimings } from "../../engine/informer/informer-timings.ts";
import { defaultLeaseTimings, type LeaseTimings } from "../../engine/lease/lease-timings.ts";
import type { DrawnFault } from "../faults/fault.ts";
import { overtakenRelistMs } from "../faults/storage.ts";
import { chance, streamOf } from "../time/derive-seed.ts";
import { hasLastingHour } from "./lasting-hour.ts";

export interface Pace {
  readonly lease: LeaseTimings;
  readonly informers: InformerTimings;
  readonly bookmarkIntervalMs: number;
  /** Clouds are observed again at the slowest rate that a job has. */
  readonly isSlow: boolean;
}

const shortLease: LeaseTimings = { durationMs: 6_000, renewDeadlineMs: 4_000, retryMs: 1_000 };
/** In an hour, short leases alone would be 10,000 calls. */
const longLease: LeaseTimings = { durationMs: 60_000, renewDeadlineMs: 40_000, retryMs: 15_000 };

const shortInformers: InformerTimings = {
  ...defaultInformerTimings,
  watchSilenceMs: 15_000,
  listSilenceMs: 8_000,
  listDeadlineMs: 40_000,
  callDeadlineMs: 8_000,
  backoff: { baseMs: 100, maxMs: 8_000 },
  watchLifetimeMs: 60_000,
};
const longInformers: InformerTimings = { ...shortInformers, watchSilenceMs: 75_000, watchLifetimeMs: 300_000 };
/** Something has to heal that no resource version shows: a full list does it, with the end of a watch. */
const relistingInformers: InformerTimings = { ...shortInformers, relistAfterMs: overtakenRelistMs };

export function paceOf(seed: number, faults: readonly DrawnFault[], isHealed: () => boolean): Pace {
  const isSlow = hasLastingHour(seed);
  const drawnLease = chance(streamOf(seed, "world"), 0.75) ? shortLease : defaultLeaseTimings;
  const isOvertaken = faults.some(({ name }) => name === "storage-overtaken");
  return {
    lease: isSlow ? longLease : untroubled(drawnLease, isHealed),
    informers: isOvertaken ? relistingInformers : isSlow ? longInformers : shortInformers,
    bookmarkIntervalMs: isSlow && !isOvertaken ? 60_000 : 10_000,
    isSlow,
  };
}

/** When faults have ended the Lease changes hands no more: it is renewed as seldom as its other times allow, which saves two calls of three. */
function untroubled({ durationMs, renewDeadlineMs, retryMs }: LeaseTimings, isHealed: () => boolean): LeaseTimings {
  return {
    durationMs,
    renewDeadlineMs,
    get retryMs() {
      return isHealed() ? renewDeadlineMs * 0.75 : retryMs;
    },
  };
}
