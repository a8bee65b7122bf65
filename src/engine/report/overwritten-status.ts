// The rule for "we did this, and it did not help" (round/repeated-steps.ts), for status: somebody overwrites what was written. The first few
// times it is written again at once, because worlds race; then later and later up to minutes, and people are told once. What is new in
// parts that were left alone is not kept back for longer than a minute. What a change waits for is written once at once, and its wait is no
// shorter than that of the status.
//
//   what was written …                                    then
//   is there                                              whatever is new is written at once
//   is there for longer than it waited                    it helped: forgotten
//   is not there                                          it is written at once, or waits and is told
//   is not there, and a change has begun to wait for it   it is written at once

import { formatRef, type KubeObject, refOf } from "../../apis/kube/kube-object.ts";
import { laneKey, type Wait } from "../../core/plan.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import { eagerTimes, helpedAfterMs, longestWaitMs, repeatWaitMs } from "../round/repeat-wait.ts";
import { hasNews, lostParts, type StatusParts, type StatusToWrite, statusParts } from "./lost-status.ts";

interface Written {
  parts: StatusParts;
  /** How often it was written, each time but the first because it was lost. */
  times: number;
  writtenMs: number;
  /** When it may be written again although nothing is new. */
  notBeforeMs: number;
  isLost: boolean;
  /** When it was last written although it had to wait, by what waited for it. */
  awaited: ReadonlyMap<string, number>;
  /** What people are told, from when it was lost more often than may happen by chance; it stays the same. */
  told: string | undefined;
}

/** Between two writes while a part of status is lost each time. */
const newsEveryMs = 60_000;

export class OverwrittenStatus {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #random: Random;
  /** By key, then by what is written. */
  readonly #byKey = new Map<string, Map<string, Written>>();

  constructor({ clock, random }: { readonly clock: Pick<Clock, "monotonicMs">; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Compares what was written last with what is there: false while it has to wait. To be asked in each round, with the plan's waits. */
  mayWrite(key: string, id: string, report: StatusToWrite, waits: readonly Wait[] = []): boolean {
    const written = this.#byKey.get(key)?.get(id);
    if (written === undefined) return true;
    this.#forgetIfItHelped(written);
    const wanted = statusParts(report);
    // Whoever made it so.
    if (lostParts(wanted, report.observed).length === 0) written.parts = wanted;
    const lost = lostParts(written.parts, report.observed);
    written.isLost = lost.length > 0;
    if (!written.isLost) return true;
    if (written.times >= eagerTimes) written.told ??= overwrittenMessage(report.observed, lost);
    if (this.#isNewlyAwaited(written, waits)) return true;
    const isNews = hasNews(written.parts, wanted, lost);
    return this.#nowMs() >= (isNews ? this.#newsFromMs(written) : written.notBeforeMs);
  }

  written(key: string, id: string, report: StatusToWrite, waits: readonly Wait[] = []): void {
    const before = this.#byKey.get(key)?.get(id);
    const nowMs = this.#nowMs();
    const times = (before?.times ?? 0) + (before === undefined || before.isLost ? 1 : 0);
    const notBeforeMs = nowMs + repeatWaitMs(times, this.#random);
    const parts = statusParts(report);
    const awaited = new Map([...(before?.awaited ?? []), ...awaitedBy(waits).map((what) => [what, nowMs] as const)]);
    const now = { parts, times, writtenMs: nowMs, notBeforeMs, isLost: false, awaited, told: before?.told };
    const ofKey = this.#byKey.get(key) ?? new Map<string, Written>();
    this.#byKey.set(key, ofKey.set(id, now));
  }

  /** What people are told, also while everything is there for a moment. */
  waits(key: string): readonly Wait[] {
    return [...(this.#byKey.get(key)?.values() ?? [])].flatMap(({ told: message, isLost, notBeforeMs }) => {
      const leftMs = isLost ? notBeforeMs - this.#nowMs() : 0;
      const recheckAfterMs = leftMs > 0 ? Math.min(leftMs, longestWaitMs) : longestWaitMs;
      return message === undefined ? [] : [{ reason: "StatusOverwritten", message, recheckAfterMs } as const];
    });
  }

  /** The waits of a plan: none is over before the status that it waits for may be written. */
  lengthened(key: string, waits: readonly Wait[]): readonly Wait[] {
    const held = [...(this.#byKey.get(key)?.values() ?? [])].filter(({ isLost }) => isLost);
    const leftMs = Math.max(0, ...held.map(({ notBeforeMs }) => notBeforeMs - this.#nowMs()));
    return waits.map((wait) =>
      wait.awaitsStatus === true ? { ...wait, recheckAfterMs: Math.max(wait.recheckAfterMs, leftMs) } : wait,
    );
  }

  /** Nothing else is written for this key any more. */
  retain(key: string, ids: ReadonlySet<string>): void {
    const ofKey = this.#byKey.get(key);
    for (const id of ofKey?.keys() ?? []) if (!ids.has(id)) ofKey?.delete(id);
    if (ofKey?.size === 0) this.forget(key);
  }

  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }

  /** A loss that has been seen is not what helped, however long it waits. */
  #forgetIfItHelped(written: Written): void {
    const { isLost, writtenMs, notBeforeMs } = written;
    if (isLost || this.#nowMs() - writtenMs <= Math.max(helpedAfterMs, 3 * (notBeforeMs - writtenMs))) return;
    written.times = 1;
    written.notBeforeMs = writtenMs;
    written.awaited = new Map();
    written.told = undefined;
  }

  /** What begins to wait, stops and begins again gets no more writes than what only waits. */
  #isNewlyAwaited({ awaited }: Written, waits: readonly Wait[]): boolean {
    const beforeMs = this.#nowMs() - longestWaitMs;
    return awaitedBy(waits).some((what) => (awaited.get(what) ?? Number.NEGATIVE_INFINITY) <= beforeMs);
  }

  #newsFromMs({ times, writtenMs, notBeforeMs }: Written): number {
    return times < eagerTimes ? writtenMs : Math.min(notBeforeMs, writtenMs + newsEveryMs);
  }

  #nowMs(): number {
    return this.#clock.monotonicMs();
  }
}

function awaitedBy(waits: readonly Wait[]): readonly string[] {
  return waits.filter(({ awaitsStatus }) => awaitsStatus).map(({ reason, lane }) => `${reason} ${laneKey(lane)}`);
}

function overwrittenMessage(object: KubeObject, lost: readonly string[]): string {
  return `status of ${object.kind} ${formatRef(refOf(object))}: another client keeps overwriting what Mainstay writes (${lost.join(", ")}), so it is written again at most every five minutes; find that client with --show-managed-fields and stop it`;
}
