// When a lane that failed may be tried again. Each lane of a key backs off alone. The reason's retry class decides: with growing
// back-off, after a set time, or when an object changes, and if none does, after a long time. A change may shorten the wait, but never
// the back-off.

import type { Explanation } from "../../core/explain.ts";
import { factsOf } from "../../core/reasons.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import { type BackoffRange, backoffMs } from "./backoff.ts";

/** How long a `wait` lasts that names no time of its own. */
export const defaultRecheckMs = 30_000;

export interface LaneBackoffsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly range?: BackoffRange;
}

interface FailedLane {
  readonly why: Explanation;
  readonly failures: number;
  /** Since when it has failed for this reason. */
  readonly sinceMs: number;
  /** Not tried before this, even when an object changes. */
  readonly notBeforeMs: number;
  /** Tried by itself then. */
  readonly retryAtMs: number;
  /** When a plan last had something to do in this lane. */
  plannedMs: number;
}

const defaultRange: BackoffRange = { baseMs: 250, maxMs: 300_000 };
/** What only a change can help is tried again all the same: what has to change may be nothing that is watched, such as a webhook. */
const hopelessRetryMs = 600_000;
/** A lane that no plan has named for so long is forgotten: its gateway or zone no longer exists. */
const forgetAfterMs = 2 * 3_600_000;
/** What fails for the same reason for so long does not go away by itself. */
const lastingAfterMs = 60_000;

export class LaneBackoffs {
  readonly #options: LaneBackoffsOptions;
  readonly #byKey = new Map<string, Map<string, FailedLane>>();

  constructor(options: LaneBackoffsOptions) {
    this.#options = options;
  }

  /** Why the lane is not tried now; undefined when it may be. */
  heldBy(key: string, lane: string): Explanation | undefined {
    const failed = this.#byKey.get(key)?.get(lane);
    if (failed !== undefined) failed.plannedMs = this.#nowMs();
    return failed !== undefined && this.#nowMs() < failed.retryAtMs ? failed.why : undefined;
  }

  /** Why the lane failed when it was last tried, whether or not it may be tried now. */
  lastFailure(key: string, lane: string): Explanation | undefined {
    return this.#byKey.get(key)?.get(lane)?.why;
  }

  /** True when it has failed for this reason for a while. */
  failed(key: string, lane: string, why: Explanation, retryAfterMs = 0): boolean {
    const { random, range = defaultRange } = this.#options;
    const lanes = this.#byKey.get(key) ?? new Map<string, FailedLane>();
    const before = lanes.get(lane);
    const failures = (before?.failures ?? 0) + 1;
    const notBeforeMs = this.#nowMs() + Math.max(retryAfterMs, backoffMs(range, failures, random));
    const { retry } = factsOf(why.reason);
    const retryAtMs =
      retry === "backoff"
        ? notBeforeMs
        : retry === "wait"
          ? Math.max(notBeforeMs, this.#nowMs() + defaultRecheckMs)
          : this.#nowMs() + hopelessRetryMs;
    const plannedMs = this.#nowMs();
    const sinceMs = before?.why.reason === why.reason ? before.sinceMs : plannedMs;
    for (const [name, other] of lanes) if (plannedMs - other.plannedMs > forgetAfterMs) lanes.delete(name);
    this.#byKey.set(key, lanes.set(lane, { why, failures, sinceMs, notBeforeMs, retryAtMs, plannedMs }));
    return plannedMs - sinceMs >= lastingAfterMs;
  }

  /** Those with lanes that have failed. */
  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  /** Lanes of a key that have failed and not succeeded since. */
  lanesOf(key: string): readonly string[] {
    return [...(this.#byKey.get(key)?.keys() ?? [])];
  }

  /** The same, each with the time until it may be tried again: zero when it may be now. */
  retryDelays(key: string): ReadonlyMap<string, number> {
    const lanes = [...(this.#byKey.get(key) ?? [])];
    return new Map(lanes.map(([lane, { retryAtMs }]) => [lane, Math.max(0, retryAtMs - this.#nowMs())]));
  }

  succeeded(key: string, lane: string): void {
    const lanes = this.#byKey.get(key);
    lanes?.delete(lane);
    if (lanes?.size === 0) this.#byKey.delete(key);
  }

  /** An object of the key changed: lanes that wait for a change may be tried as soon as their back-off has passed. */
  changed(key: string): void {
    const lanes = this.#byKey.get(key);
    for (const [lane, failed] of lanes ?? []) lanes?.set(lane, { ...failed, retryAtMs: failed.notBeforeMs });
  }

  /** How long until the first of the held lanes may be tried; undefined when none will be by itself. */
  nextMs(key: string): number | undefined {
    const nowMs = this.#nowMs();
    const times = [...(this.#byKey.get(key)?.values() ?? [])]
      .map(({ retryAtMs }) => retryAtMs)
      .filter((at) => at > nowMs);
    const earliest = Math.min(...times);
    return Number.isFinite(earliest) ? earliest - nowMs : undefined;
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }
}
