// Finds what others do to our rules. That our tables are there is asked every second or two, which costs little. What is in them is never
// read, which takes seconds and much memory with many elements: the rules are only doubted now and then, and loaded again.

import type { Clock, Timer } from "../../../ports/clock.ts";
import type { Nft } from "../../../ports/nft.ts";
import type { Dataplane } from "./dataplane.ts";

export interface DriftWatchOptions {
  readonly clock: Clock;
  readonly nft: Nft;
  readonly tables: Dataplane["tables"];
  readonly onMissing: () => void;
  readonly onDoubt: () => void;
}

const betweenLooksMs = 1_500;
const betweenDoubtsMs = 600_000;

export class DriftWatch {
  readonly #options: DriftWatchOptions;
  readonly #doubts: { stop(): void };
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(options: DriftWatchOptions) {
    this.#options = options;
    this.#doubts = every(options.clock, betweenDoubtsMs, options.onDoubt);
    this.#lookLater();
  }

  stop(): void {
    this.#isStopped = true;
    this.#doubts.stop();
    this.#timer?.cancel();
  }

  #lookLater(): void {
    if (this.#isStopped) return;
    // One after the other: a machine that is slow is not given more to do.
    this.#timer = this.#options.clock.after(betweenLooksMs, () => void this.#look().finally(() => this.#lookLater()));
  }

  async #look(): Promise<void> {
    const { nft, tables, onMissing } = this.#options;
    if (!(await hasTables(nft, tables)) && !this.#isStopped) onMissing();
  }
}

/** Whom nft does not answer cannot tell: it counts as there, for whatever is done about it needs nft, too. */
export async function hasTables(nft: Pick<Nft, "hasTable">, tables: Dataplane["tables"]): Promise<boolean> {
  const found = await Promise.all(tables.map(({ family, name }) => nft.hasTable(family, name).catch(() => true)));
  return found.every(Boolean);
}

function every(clock: Clock, periodMs: number, act: () => void): { stop(): void } {
  let timer = clock.after(periodMs, again);
  function again(): void {
    timer = clock.after(periodMs, again);
    act();
  }
  return { stop: () => timer.cancel() };
}
