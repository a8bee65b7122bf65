// The body of one watch on its way to a process: chunks arrive in order, each when the seed says so, and not at all while the process is
// stopped or cut off. One that waits for others may be replaced by the one that follows.

import type { SimProcess } from "../processes/sim-process.ts";
import { foldEvents } from "./watch-event.ts";

export interface StreamBodyOptions {
  readonly process: SimProcess;
  readonly nowMs: () => number;
  readonly latencyMs: () => number;
  readonly onAbandoned: () => void;
  /** This one did not come: the next took its place. */
  readonly onFolded?: (chunk: Uint8Array) => void;
}

type Piece = Uint8Array | "end" | Error;

interface Travelling {
  piece: Piece;
  /** Undefined: it does not wait. */
  foldMs: number | undefined;
  folds: boolean;
}

export class StreamBody implements AsyncIterable<Uint8Array> {
  readonly #options: StreamBodyOptions;
  readonly #onTheWay: Travelling[] = [];
  readonly #delivered: Piece[] = [];
  #travelling = false;
  #wake: (() => void) | undefined;

  constructor(options: StreamBodyOptions) {
    this.#options = options;
  }

  push(piece: Piece, foldMs?: number): void {
    this.#onTheWay.push({ piece, foldMs, folds: foldMs !== undefined });
    if (!this.#travelling) this.#travel(this.#options.latencyMs());
  }

  #travel(delayMs: number): void {
    this.#travelling = true;
    this.#options.process.after(delayMs, () => this.#arrive());
  }

  #arrive(): void {
    const { process, nowMs, latencyMs } = this.#options;
    const heldMs = Math.max(process.watchesHeldUntilMs, process.cutOffUntilMs.get("kube") ?? 0) - nowMs();
    if (heldMs > 0) return this.#travel(heldMs + 1);
    const foldMs = this.#onTheWay[0]?.foldMs;
    if (this.#onTheWay[0] !== undefined && foldMs !== undefined) {
      this.#onTheWay[0].foldMs = undefined;
      return this.#travel(foldMs);
    }
    this.#travelling = false;
    this.#fold();
    const first = this.#onTheWay.shift();
    if (first !== undefined) this.#delivered.push(first.piece);
    if (this.#onTheWay.length > 0) this.#travel(latencyMs());
    this.#wake?.();
  }

  /** As many as follow each other and are about one object. */
  #fold(): void {
    while (this.#onTheWay[0]?.folds === true) {
      const [first, second] = this.#onTheWay;
      if (!(first?.piece instanceof Uint8Array && second?.piece instanceof Uint8Array)) return;
      const one = foldEvents(first.piece, second.piece);
      if (one === undefined) return;
      this.#onTheWay.shift();
      second.piece = one;
      second.folds = true;
      this.#options.onFolded?.(first.piece);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    try {
      for (;;) {
        const piece = this.#delivered.shift();
        if (piece === "end") return;
        if (piece instanceof Error) throw piece;
        if (piece !== undefined) yield piece;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
    } finally {
      this.#options.onAbandoned();
    }
  }
}
