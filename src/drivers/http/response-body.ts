// The body of one response, which undici pushes and a reader pulls. A slow reader pauses the connection; a reader that stops early
// aborts it.

/** The part of undici's controller that a body needs. */
export interface FlowControl {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** Enough for several typical answers; beyond it the server waits for the reader. */
const highWaterBytes = 1 << 20;

export class ResponseBody implements AsyncIterable<Uint8Array> {
  readonly #flow: FlowControl;
  readonly #chunks: Uint8Array[] = [];
  #bufferedBytes = 0;
  #paused = false;
  #outcome: "open" | "ended" | Error = "open";
  #wake: (() => void) | undefined;

  constructor(flow: FlowControl) {
    this.#flow = flow;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#bufferedBytes += chunk.byteLength;
    if (this.#bufferedBytes > highWaterBytes && !this.#paused) {
      this.#paused = true;
      this.#flow.pause();
    }
    this.#wake?.();
  }

  end(): void {
    if (this.#outcome === "open") this.#outcome = "ended";
    this.#wake?.();
  }

  fail(error: Error): void {
    if (this.#outcome === "open") this.#outcome = error;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    try {
      while (true) {
        const chunk = this.#take();
        if (chunk !== undefined) yield chunk;
        else if (this.#outcome === "ended") return;
        else if (this.#outcome instanceof Error) throw this.#outcome;
        else await this.#nextChange();
      }
    } finally {
      if (this.#outcome === "open") this.#flow.abort(new Error("the reader stopped early"));
    }
  }

  #take(): Uint8Array | undefined {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) return undefined;
    this.#bufferedBytes -= chunk.byteLength;
    if (this.#paused && this.#bufferedBytes === 0) {
      this.#paused = false;
      this.#flow.resume();
    }
    return chunk;
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
