// What went through the gateway for each forwarding, from the counters of its rules. Reading them costs more the more Services there are, so
// that it is done when somebody asks for metrics, never twice at once, and rarely where it takes long.

import type { Clock } from "../../../ports/clock.ts";
import type { Nft } from "../../../ports/nft.ts";
import type { Dataplane, ForwardingTraffic } from "./dataplane.ts";

const leastMs = 10_000;
/** So much longer than the reading took. */
const pause = 30;

export interface TrafficParts {
  readonly clock: Clock;
  readonly nft: Nft;
  readonly dataplane: Pick<Dataplane, "readTraffic">;
}

export interface Traffic {
  readonly forwardings: readonly ForwardingTraffic[];
  readonly ageMs: number;
}

export class TrafficWatch {
  readonly #parts: TrafficParts;
  #read: { readonly forwardings: readonly ForwardingTraffic[]; readonly atMs: number } | undefined;
  #nextMs = 0;
  #underWay: Promise<void> | undefined;

  constructor(parts: TrafficParts) {
    this.#parts = parts;
  }

  /** The first question waits for an answer; later ones get what is known, and have it renewed. Undefined: nobody could tell. */
  async look(): Promise<Traffic | undefined> {
    const { clock } = this.#parts;
    if (this.#underWay === undefined && clock.monotonicMs() >= this.#nextMs)
      this.#underWay = this.#renew().finally(() => {
        this.#underWay = undefined;
      });
    if (this.#read === undefined) await this.#underWay;
    if (this.#read === undefined) return undefined;
    return { forwardings: this.#read.forwardings, ageMs: clock.monotonicMs() - this.#read.atMs };
  }

  async #renew(): Promise<void> {
    const { clock, nft, dataplane } = this.#parts;
    const startMs = clock.monotonicMs();
    try {
      const forwardings = await dataplane.readTraffic?.(nft);
      if (forwardings !== undefined) this.#read = { forwardings, atMs: clock.monotonicMs() };
    } catch {
      // Rules that are not there count nothing; what was known is older, which a metric says.
    }
    const endMs = clock.monotonicMs();
    this.#nextMs = endMs + Math.max(leastMs, (endMs - startMs) * pause);
  }
}
