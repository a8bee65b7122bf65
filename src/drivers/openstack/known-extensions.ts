// Which extensions each Neutron has, by its address, so that it is not asked before every change that depends on one. They come and go with
// an upgrade: an answer holds for an hour.

import type { Clock } from "../../ports/clock.ts";

type Extensions = ReadonlySet<string>;

const lifetimeMs = 3_600_000;

export class KnownExtensions {
  readonly #clock: Clock;
  readonly #byAddress = new Map<string, { readonly extensions: Extensions; readonly untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async of(address: string, ask: () => Promise<Extensions>): Promise<Extensions> {
    const known = this.#byAddress.get(address);
    if (known !== undefined && this.#clock.monotonicMs() < known.untilMs) return known.extensions;
    const extensions = await ask();
    this.#byAddress.set(address, { extensions, untilMs: this.#clock.monotonicMs() + lifetimeMs });
    return extensions;
  }
}
