// Keys whose last run was abandoned at its deadline but has not ended, because an executor ignores its signal. The worker is free
// again, but the key must not run a second time beside it, not even in a later term.

export class OverdueRuns {
  readonly #running = new Map<string, Promise<unknown>>();

  get size(): number {
    return this.#running.size;
  }

  has(key: string): boolean {
    return this.#running.has(key);
  }

  /** `onChange` is called when the number of overdue keys has changed. */
  track(key: string, stragglers: readonly Promise<unknown>[], onChange: () => void): void {
    if (stragglers.length === 0) return;
    const ended = Promise.allSettled([this.#running.get(key), ...stragglers]).then(() => {
      if (this.#running.get(key) !== ended) return;
      this.#running.delete(key);
      onChange();
    });
    this.#running.set(key, ended);
    onChange();
  }

  async ended(key: string): Promise<void> {
    await this.#running.get(key);
  }
}
