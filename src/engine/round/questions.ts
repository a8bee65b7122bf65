// Questions that only a part of an object needs. The round that asks waits a moment for the answer (Reader.inTime); later rounds do not
// wait at all, and take the answer when it has come. Never more than one question about the same thing is under way. What a question
// failed with is said again until one is answered, so that nothing comes and goes in a status while a service is silent.
// An answer that came late stands while the next one is under way: otherwise two slow parts, answered in turns, would never be known in
// the same round, and what needs both would wait for ever.

import type { MonotonicMs } from "../../core/clock-times.ts";
import type { Reader } from "../feature.ts";

export interface Asking {
  readonly monotonicMs: MonotonicMs;
  /** Absent: the answer is waited for to the end. */
  readonly inTime?: Reader["inTime"] | undefined;
}

export interface Question<T> {
  /** The state that the answer is true of: it is not taken in any other. */
  readonly about: string;
  readonly ask: () => Promise<T>;
}

export interface Answered<T> {
  readonly value: T;
  /** It is no older than this; before all times, when what was asked about has changed since. */
  readonly askedMs: MonotonicMs;
}

type Answer<T> = { readonly value: T } | { readonly error: unknown };

interface Standing<T> {
  readonly about: string;
  readonly value: T;
  readonly askedMs: MonotonicMs;
  readonly untilMs: MonotonicMs;
}

interface Open<T> {
  /** Undefined: outdated. */
  about: string | undefined;
  readonly askedMs: MonotonicMs;
  answer: Answer<T> | undefined;
}

/** In times that it took itself, from when it was asked for: the next answer comes within two of them where nothing got slower. */
const answerStands = 3;

export class Questions<T> {
  readonly #open = new Map<string, Open<T>>();
  readonly #failures = new Map<string, { readonly error: unknown }>();
  readonly #standing = new Map<string, Standing<T>>();

  /** `awaited`: there is no answer yet. Throws what the question failed with. */
  async ask(id: string, question: Question<T>, asking: Asking): Promise<Answered<T> | "awaited"> {
    const open = this.#open.get(id);
    if (open === undefined) return await this.#begin(id, question, asking);
    if (open.answer === undefined) return this.#awaited(id, question, asking);
    this.#open.delete(id);
    const { about, answer, askedMs } = open;
    if (about !== question.about) return await this.#begin(id, question, asking);
    const untilMs = askedMs + answerStands * (asking.monotonicMs - askedMs);
    if ("value" in answer) this.#standing.set(id, { about, value: answer.value, askedMs, untilMs });
    return this.#taken(id, answer, askedMs);
  }

  /** There are answers that nobody has taken. */
  get hasAnswers(): boolean {
    return [...this.#open.values()].some(({ answer }) => answer !== undefined);
  }

  /** It is being asked, or failed when it was asked last: until there is an answer nothing else stands for one. */
  isUnanswered(id: string): boolean {
    return this.#open.has(id) || this.#failures.has(id);
  }

  /** What was asked about is not as it was: an answer to what was asked before is not taken. Without an id, of everything. */
  outdate(id?: string): void {
    for (const one of id === undefined ? [...this.#open.keys(), ...this.#standing.keys()] : [id]) {
      const open = this.#open.get(one);
      if (open !== undefined) open.about = undefined;
      this.#standing.delete(one);
    }
  }

  /** Nobody will ask about it again. */
  forget(id: string): void {
    for (const known of [this.#open, this.#failures, this.#standing]) known.delete(id);
  }

  /** Nobody will ask about anything else again. */
  retain(ids: ReadonlySet<string>): void {
    for (const known of [this.#open, this.#failures, this.#standing])
      for (const id of known.keys()) if (!ids.has(id)) this.forget(id);
  }

  async #begin(id: string, question: Question<T>, asking: Asking): Promise<Answered<T> | "awaited"> {
    const { monotonicMs, inTime } = asking;
    const open: Open<T> = { about: question.about, askedMs: monotonicMs, answer: undefined };
    this.#open.set(id, open);
    const settled = settledOf(question.ask()).then((answer) => (open.answer = answer));
    const found = inTime === undefined ? { value: await settled } : await inTime(settled);
    if (found === undefined) return this.#awaited(id, question, asking);
    this.#open.delete(id);
    this.#standing.delete(id);
    return this.#taken(id, found.value, open.about === undefined ? Number.NEGATIVE_INFINITY : monotonicMs);
  }

  #taken(id: string, answer: Answer<T>, askedMs: MonotonicMs): Answered<T> {
    if ("value" in answer) {
      this.#failures.delete(id);
      return { value: answer.value, askedMs };
    }
    this.#failures.set(id, answer);
    this.#standing.delete(id);
    throw answer.error;
  }

  #awaited(id: string, { about }: Question<T>, { monotonicMs }: Asking): Answered<T> | "awaited" {
    const failure = this.#failures.get(id);
    if (failure !== undefined) throw failure.error;
    const standing = this.#standing.get(id);
    return standing?.about === about && monotonicMs <= standing.untilMs ? standing : "awaited";
  }
}

async function settledOf<T>(work: Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await work };
  } catch (error) {
    return { error };
  }
}
