// Lanes that a round has left because they are slow, and lanes whose executors ignore their signal. The key runs on without them: what may
// begin beside them is decided in may-begin.ts, and what came of them is told to a later round. It outlives a leader's term, as they may.

import type { InvariantViolation } from "../../core/errors.ts";
import type { Action } from "../../core/plan.ts";
import type { ActionOutcome } from "../feature.ts";

/** What came of the actions of one lane. */
export interface LaneResult {
  readonly outcomes: readonly ActionOutcome[];
  readonly violation?: InvariantViolation | undefined;
}

/** The actions of one lane, one after the other. */
export interface LaneRun {
  /** Grows until the lane has a result, or is left. */
  readonly begun: readonly Action[];
  /** No other action of it begins: what comes next is planned anew. */
  readonly leave: () => void;
  /** Never rejects. */
  readonly result: Promise<LaneResult>;
  /** Executors that went on although their signal aborted; complete when the result is there. */
  readonly stragglers: readonly Promise<unknown>[];
}

interface KeyUnderWay {
  readonly lanes: Set<LaneRun>;
  /** Lanes with a result, and with an executor that ignores its signal. */
  readonly overdue: Set<LaneRun>;
  /** Not told yet. */
  readonly results: LaneResult[];
}

export class LanesUnderWay {
  readonly #byKey = new Map<string, KeyUnderWay>();
  readonly #listeners = new Set<(key: string) => void>();

  /** The listener is told when a lane of a key has a result, becomes overdue, or has ended. Answers with how to stop listening. */
  onChange(listener: (key: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Those with a lane under way, or with a result that was not told yet. */
  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  /** How many keys have a lane whose executor ignores its signal. */
  get overdueKeys(): number {
    return [...this.#byKey.values()].filter(({ overdue }) => overdue.size > 0).length;
  }

  /** Actions that have been begun: each may take effect at any time, or has done so already. */
  of(key: string): readonly Action[] {
    return [...(this.#byKey.get(key)?.lanes ?? [])].flatMap(({ begun }) => begun);
  }

  /** What came of lanes since this was asked last. */
  takeResults(key: string): readonly LaneResult[] {
    const results = this.#byKey.get(key)?.results.splice(0) ?? [];
    this.#dropIfEmpty(key);
    return results;
  }

  /** It is slow: its result is for a later round. */
  leave(key: string, run: LaneRun): void {
    run.leave();
    void this.#follow(key, run, (result, results) => results.push(result));
  }

  /** Its result is known, and executors of it may go on. */
  ended(key: string, run: LaneRun): void {
    if (run.stragglers.length > 0) void this.#follow(key, run, () => {});
  }

  /** Settles when every lane that is under way has a result. */
  async settled(): Promise<void> {
    const all = [...this.#byKey.values()].flatMap(({ lanes }) => [...lanes]);
    await Promise.all(all.map(({ result }) => result));
  }

  async #follow(
    key: string,
    run: LaneRun,
    onResult: (result: LaneResult, results: LaneResult[]) => void,
  ): Promise<void> {
    const { lanes, overdue, results } = this.#byKey.get(key) ?? { lanes: new Set(), overdue: new Set(), results: [] };
    this.#byKey.set(key, { lanes: lanes.add(run), overdue, results });
    onResult(await run.result, results);
    if (run.stragglers.length > 0) {
      overdue.add(run);
      this.#changed(key);
      await Promise.allSettled(run.stragglers);
    }
    lanes.delete(run);
    overdue.delete(run);
    this.#dropIfEmpty(key);
    this.#changed(key);
  }

  #dropIfEmpty(key: string): void {
    const known = this.#byKey.get(key);
    if (known?.lanes.size === 0 && known.results.length === 0) this.#byKey.delete(key);
  }

  #changed(key: string): void {
    for (const listener of this.#listeners) listener(key);
  }
}
