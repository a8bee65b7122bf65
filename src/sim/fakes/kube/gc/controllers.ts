// The server's own controllers: they see every change and work it off one piece at a time, on promise jobs alone, so that
// they never run at a moment of their own choosing.

import { ApiError } from "../rest/api-error.ts";
import type { ServerContext } from "../server-context.ts";
import { CrdCleanup } from "./crd-cleanup.ts";
import { GarbageCollector } from "./garbage-collector.ts";
import { NamespaceController } from "./namespace-controller.ts";

/** The same key waits once. */
export type Enqueue = (key: string, work: () => Promise<void>) => void;

const attempts = 10;

export class Controllers {
  readonly #parts: readonly (GarbageCollector | NamespaceController | CrdCleanup)[];
  readonly #queue = new Map<string, () => Promise<void>>();
  readonly #unsubscribe: () => void;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(server: ServerContext) {
    const enqueue: Enqueue = (key, work) => this.#add(key, work);
    this.#parts = [
      new GarbageCollector(server, enqueue),
      new NamespaceController(server, enqueue),
      new CrdCleanup(server, enqueue),
    ];
    this.#unsubscribe = server.store.subscribe((change) => {
      for (const part of this.#parts) part.observe(change);
    });
  }

  async settle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  resync(): void {
    for (const part of this.#parts) part.resync();
  }

  stop(): void {
    this.#stopped = true;
    this.#queue.clear();
    this.#unsubscribe();
  }

  #add(key: string, work: () => Promise<void>): void {
    if (this.#stopped) return;
    this.#queue.set(key, work);
    this.#running ??= Promise.resolve().then(() => this.#drain());
  }

  async #drain(): Promise<void> {
    for (;;) {
      const next = this.#queue.entries().next();
      if (next.done === true) break;
      const [key, work] = next.value;
      this.#queue.delete(key);
      await tryHard(work);
    }
    this.#running = undefined;
  }
}

async function tryHard(work: () => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Somebody wrote in between: look again. Anything else comes back with the next change of the object.
      if (error.code !== 409) return;
    }
  }
}
