// Answers of Neutron about what one object's selectors mean, each kept by itself: a look that fails, or does not find one of them, asks again for that one
// and for nothing else. What was answered well stands for its ordinary time (pace.ts). What is missing is looked for again soon, later and
// later while it lasts, and at once when the object or its credentials change. What Neutron refuses is paused by refused-reads.ts.

import type { MonotonicMs } from "../../../../core/clock-times.ts";
import { longestWhileMissingMs } from "./pace.ts";

export interface Look {
  /** Of what Neutron is asked with: the object and its credentials. */
  readonly version: string;
  readonly monotonicMs: MonotonicMs;
  /** How old an answer may be. */
  readonly standsMs: number;
}

/** An answer that is not `well` may be another one soon: somebody may be creating what is missing. */
export type AskPlace = <T>(name: string, ask: () => Promise<T>, isWell?: (answer: T) => boolean) => Promise<T>;

export interface Looking {
  readonly ask: AskPlace;
  /** When the oldest answer that it was given was asked for. */
  readonly oldestMs: () => MonotonicMs;
}

interface Kept {
  readonly answer: unknown;
  readonly askedMs: MonotonicMs;
  /** Undefined: it was answered well. */
  readonly missing: { readonly version: string; readonly pauseMs: number } | undefined;
}

/** The first pause is over by the next look. */
const firstPauseMs = 15_000;

export class PlaceAnswers {
  readonly #kept = new Map<string, Kept>();
  #isNews = false;

  look(look: Look): Looking {
    for (const [name, { askedMs }] of this.#kept)
      if (look.monotonicMs - askedMs > 2 * Math.max(look.standsMs, longestWhileMissingMs)) this.#kept.delete(name);
    let oldestMs = look.monotonicMs;
    const ask: AskPlace = async <T>(name: string, question: () => Promise<T>, isWell = (_: T) => true) => {
      const known = this.#kept.get(name);
      if (known !== undefined && stands(known, look)) {
        oldestMs = Math.min(oldestMs, known.askedMs);
        // Kept under this name, it is an answer to this question.
        return known.answer as T;
      }
      const answer = await question();
      this.#keep(name, answer, isWell(answer), look);
      return answer;
    };
    return { ask, oldestMs: () => oldestMs };
  }

  /** Something that was missing has been found since the last call: what was made with it is in no answer from before. */
  takeNews(): boolean {
    const isNews = this.#isNews;
    this.#isNews = false;
    if (isNews) this.#kept.clear();
    return isNews;
  }

  #keep(name: string, answer: unknown, isWell: boolean, { version, monotonicMs }: Look): void {
    const before = this.#kept.get(name)?.missing;
    if (isWell && before !== undefined) this.#isNews = true;
    const pauseMs = before?.version === version ? Math.min(longestWhileMissingMs, 2 * before.pauseMs) : firstPauseMs;
    this.#kept.set(name, { answer, askedMs: monotonicMs, missing: isWell ? undefined : { version, pauseMs } });
  }
}

function stands({ askedMs, missing }: Kept, { version, monotonicMs, standsMs }: Look): boolean {
  if (missing !== undefined && missing.version !== version) return false;
  return monotonicMs - askedMs < (missing?.pauseMs ?? standsMs);
}
