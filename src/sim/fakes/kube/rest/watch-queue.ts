// Between a server that never waits and a client that may be slow: a bounded queue. A client that falls too far behind is cut off.

export class WatchQueue<T> implements AsyncIterable<T> {
  readonly #limit: number;
  readonly #items: T[];
  #wake: (() => void) | undefined;
  #ended = false;

  /** What a stream begins with does not count: a large collection is nothing a client could have kept up with. */
  constructor(limit: number, first: readonly T[] = []) {
    this.#limit = limit + first.length;
    this.#items = [...first];
  }

  push(item: T): void {
    if (this.#ended) return;
    this.#items.push(item);
    if (this.#items.length > this.#limit) this.end();
    this.#wake?.();
  }

  /** What is queued is still delivered. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      // Taken as a batch: shifting a long array one by one is slow.
      const batch = this.#items.splice(0);
      for (const item of batch) yield item;
      if (this.#items.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
