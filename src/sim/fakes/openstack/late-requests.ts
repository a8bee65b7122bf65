// Requests that a busy cloud has taken and carries out when nobody waits for them any more: at a time of its own, and as its own doing.
// What it refuses then, nobody gets to know.

import { isRecord } from "../../../apis/text/problem.ts";
import { isOpenStackError } from "../../../core/openstack/openstack-error.ts";
import type { Clock } from "../../../ports/clock.ts";

export class LateRequests {
  /** Ids of what came of such requests. */
  readonly made = new Set<string>();
  readonly #clock: Clock;
  readonly #takers = new Set<() => void>();
  #waiting = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many are still to be carried out. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The listener is called for every request as it is taken. Returns how to stop listening. */
  onTaken(listener: () => void): () => void {
    this.#takers.add(listener);
    return () => this.#takers.delete(listener);
  }

  take(afterMs: number, effect: () => unknown): void {
    this.#waiting += 1;
    this.#clock.after(afterMs, () => this.#carryOut(effect));
    for (const listener of this.#takers) listener();
  }

  #carryOut(effect: () => unknown): void {
    this.#waiting -= 1;
    try {
      const made = effect();
      if (isRecord(made) && typeof made["id"] === "string") this.made.add(made["id"]);
    } catch (error) {
      if (!isOpenStackError(error)) throw error;
    }
  }
}
