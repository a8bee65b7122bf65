// The latest changes in order, up to a limit. Open streams only hold a position in it, so that a slow one costs no memory of its own.

import type { Kind, ObjectRef } from "../../apis/kube/kube-object.ts";
import type { LogRecord } from "../../core/plan-record.ts";

export type WorldChange =
  | { readonly type: "object"; readonly kind: Kind; readonly ref: ObjectRef }
  | { readonly type: "log"; readonly record: LogRecord }
  | { readonly type: "manager" }
  | { readonly type: "faults" };

export interface NumberedChange {
  readonly number: number;
  readonly change: WorldChange;
}

export class ChangeRing {
  readonly #limit: number;
  readonly #changes: NumberedChange[] = [];
  readonly #listeners = new Set<() => void>();
  #last = 0;

  constructor(limit = 4_000) {
    this.#limit = limit;
  }

  get last(): number {
    return this.#last;
  }

  push(change: WorldChange): void {
    this.#last += 1;
    this.#changes.push({ number: this.#last, change });
    if (this.#changes.length > this.#limit * 2) this.#changes.splice(0, this.#changes.length - this.#limit);
    for (const listener of this.#listeners) listener();
  }

  /** All changes after this number; undefined when some of them were dropped, or when no change has this number yet. */
  since(number: number): readonly NumberedChange[] | undefined {
    if (!Number.isSafeInteger(number) || number > this.#last) return undefined;
    const missed = this.#last - number;
    return missed > this.#changes.length ? undefined : missed === 0 ? [] : this.#changes.slice(-missed);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
