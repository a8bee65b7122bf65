// The body of one watch on its way to a process: chunks arrive in order, each when the seed says so, and not at all while the process is
// stopped or cut off.

import type { SimProcess } from "./sim-process.ts";

export interface StreamBodyOptions {
  readonly process: SimProcess;
  readonly nowMs: () => number;
  readonly latencyMs: () => number;
  readonly onAbandoned: () => void;
}

type Piece = Uint8Array | "end" | Error;

export class StreamBody implements AsyncIterable<Uint8Array> {
  readonly #options: StreamBodyOptions;
  readonly #onTheWay: Piece[] = [];
  readonly #delivered: Piece[] = [];
  #travelling = false;
  #wake: (() => void) | undefined;

  constructor(options: StreamBodyOptions) {
    this.#options = options;
  }

  push(piece: Piece): void {
    this.#onTheWay.push(piece);
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
    this.#travelling = false;
    const piece = this.#onTheWay.shift();
    if (piece !== undefined) this.#delivered.push(piece);
    if (this.#onTheWay.length > 0) this.#travel(latencyMs());
    this.#wake?.();
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
