// The one rule for a service outside that answers nobody: one asks for all, later and later, and everybody else is told at once what that
// one was told last. So however many objects need it, they neither wait for it nor fill it with questions. The first answer ends it, be it a
// refusal. A question that failed while others were answered says nothing of the service.

import type { MonotonicMs } from "../../core/clock-times.ts";

export interface ServiceQuestion {
  /** Which service. */
  readonly service: string;
  readonly monotonicMs: MonotonicMs;
  /** Of the caller: one that stopped asking has learnt nothing. */
  readonly signal?: AbortSignal | undefined;
}

/** With how many such failures in a row a service counts as silent. Undefined: this is an answer. */
export type FailuresUntilSilent = (error: unknown) => number | undefined;

interface Silence {
  readonly error: unknown;
  readonly waitMs: number;
  readonly askedMs: MonotonicMs;
}

interface Service {
  /** Questions that have not ended. */
  open: number;
  answers: number;
  /** In a row. */
  failures: number;
  silence: Silence | undefined;
  /** Somebody asks for all. */
  isAsked: boolean;
}

/** From when it was asked last: a question that waits for half a minute and fails may be followed by the next at once. */
const firstWaitMs = 15_000;
/** It may answer again at any time. */
const longestWaitMs = 60_000;
/** Nobody asks it any more. */
const forgetAfterMs = 3_600_000;

export class SilentServices {
  readonly #failuresUntilSilent: FailuresUntilSilent;
  readonly #services = new Map<string, Service>();

  constructor(failuresUntilSilent: FailuresUntilSilent) {
    this.#failuresUntilSilent = failuresUntilSilent;
  }

  /** Throws what `ask` throws, or what the last one to ask was told. */
  async ask<T>(question: ServiceQuestion, ask: () => Promise<T>): Promise<T> {
    const service = this.#service(question.service);
    const { silence } = service;
    if (silence !== undefined && (service.isAsked || isTooEarly(silence, question.monotonicMs))) throw silence.error;
    service.isAsked = silence !== undefined;
    service.open += 1;
    try {
      return await this.#asked(service, question, ask);
    } finally {
      service.open -= 1;
      if (silence !== undefined) service.isAsked = false;
      if (service.open === 0 && service.failures === 0) this.#services.delete(question.service);
    }
  }

  /** Services that anything is remembered of; none where all answer and nobody asks. */
  get size(): number {
    return this.#services.size;
  }

  async #asked<T>(service: Service, question: ServiceQuestion, ask: () => Promise<T>): Promise<T> {
    const { answers, silence } = service;
    try {
      const answer = await ask();
      answered(service);
      return answer;
    } catch (error) {
      if (question.signal?.aborted === true) throw error;
      const most = this.#failuresUntilSilent(error);
      if (most === undefined) answered(service);
      // Whoever asked before it was known to be silent learns nothing new.
      else if (service.answers === answers && service.silence === silence) this.#failed(service, error, most, question);
      throw error;
    }
  }

  #failed(service: Service, error: unknown, most: number, { monotonicMs }: ServiceQuestion): void {
    service.failures += 1;
    if (service.failures < most) return;
    const { silence } = service;
    const waitMs = silence === undefined ? firstWaitMs : Math.min(longestWaitMs, 2 * silence.waitMs);
    service.silence = { error, waitMs, askedMs: monotonicMs };
    for (const [name, { open, silence: other }] of this.#services)
      if (open === 0 && other !== undefined && monotonicMs - other.askedMs > forgetAfterMs) this.#services.delete(name);
  }

  #service(name: string): Service {
    const known = this.#services.get(name);
    if (known !== undefined) return known;
    const service: Service = { open: 0, answers: 0, failures: 0, silence: undefined, isAsked: false };
    this.#services.set(name, service);
    return service;
  }
}

function isTooEarly({ askedMs, waitMs }: Silence, monotonicMs: MonotonicMs): boolean {
  return monotonicMs < askedMs + waitMs;
}

function answered(service: Service): void {
  service.answers += 1;
  service.failures = 0;
  service.silence = undefined;
}
