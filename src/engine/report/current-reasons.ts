// How many keys of a controller have each reason right now, as a gauge: an alert needs the current number, and a counter only grows.

import type { Word } from "../../core/reasons.ts";
import type { Metrics } from "./metrics.ts";

export class CurrentReasons {
  readonly #controller: string;
  readonly #metrics: Pick<Metrics, "heldUpKeys">;
  readonly #byKey = new Map<string, ReadonlySet<Word>>();

  constructor(controller: string, metrics: Pick<Metrics, "heldUpKeys">) {
    this.#controller = controller;
    this.#metrics = metrics;
  }

  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  /** The reasons of the key's last round; none of them: the key is well. */
  set(key: string, reasons: Iterable<Word>): void {
    const now = new Set(reasons);
    const before = this.#byKey.get(key) ?? new Set<Word>();
    if (now.size === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, now);
    for (const reason of now) if (!before.has(reason)) this.#gauge(reason, 1);
    for (const reason of before) if (!now.has(reason)) this.#gauge(reason, -1);
  }

  /** This manager no longer reconciles these keys. */
  clear(): void {
    for (const key of this.#byKey.keys()) this.set(key, []);
  }

  #gauge(reason: Word, step: number): void {
    this.#metrics.heldUpKeys.inc({ controller: this.#controller, reason }, step);
  }
}
