// The zones that Nova calls available, asked for now and then: from them, beside the mapping, come the failure domains. A cloud without
// a compute service that we can see answers nothing, and then spec and mapping alone count: what is refused to some credentials may be shown
// to others. While a slow one is asked again, the last answer stands. A failure says little about the cloud, so that it is asked again soon,
// and later and later while it lasts.

import type { MonotonicMs } from "../../../../core/clock-times.ts";
import type { Known } from "../../../../core/known.ts";
import { type Asking, Questions } from "../../../../engine/round/questions.ts";
import type { Nova } from "../../../../ports/nova.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import { attempt, awaited } from "./attempt.ts";

export interface ZonesQuestion extends Asking {
  readonly nova: Nova;
  /** Of the credentials that it is asked with. */
  readonly sharingKey: string;
  readonly call: CloudCallOptions;
}

interface Asked {
  readonly zones: Known<readonly string[]>;
  readonly askedMs: MonotonicMs;
  /** For so long nobody asks again. */
  readonly standsMs: number;
}

interface Answer {
  readonly zones: Known<readonly string[]>;
  /** Whoever asked was stopped: that says nothing about the cloud. */
  readonly isStopped: boolean;
}

/** Of an answer; and the longest pause after a failure. */
const lifetimeMs = 600_000;
/** The first pause is over by the next look. */
const firstPauseMs = 15_000;
/** Longer than anything stands: what was asked for again and again is still known to fail. */
const forgetAfterMs = 2 * lifetimeMs;

export class ComputeZones {
  readonly #asked = new Map<string, Asked>();
  readonly #questions = new Questions<Answer>();

  async get({ nova, sharingKey, call, ...asking }: ZonesQuestion): Promise<Known<readonly string[]>> {
    const known = this.#asked.get(sharingKey);
    if (known !== undefined && asking.monotonicMs - known.askedMs < known.standsMs) return known.zones;
    const ask = async (): Promise<Answer> => {
      const zones = await attempt<readonly string[]>(async () =>
        (await nova.listAvailabilityZones(call)).filter(({ available }) => available).map(({ name }) => name),
      );
      return { zones, isStopped: call.signal?.aborted === true };
    };
    const answered = await this.#questions.ask(sharingKey, { about: sharingKey, ask }, asking);
    if (answered === "awaited") return known?.zones ?? awaited("the cloud's compute zones");
    const { zones, isStopped } = answered.value;
    this.#forgetOld(asking.monotonicMs);
    if (isStopped) return zones;
    this.#asked.set(sharingKey, { zones, askedMs: answered.askedMs, standsMs: standsMs(zones, known) });
    return zones;
  }

  /** One that nobody asks about any more is forgotten with its answer. */
  #forgetOld(monotonicMs: MonotonicMs): void {
    for (const [sharingKey, { askedMs }] of this.#asked) {
      if (monotonicMs - askedMs < forgetAfterMs) continue;
      this.#asked.delete(sharingKey);
      this.#questions.forget(sharingKey);
    }
  }
}

function standsMs(zones: Asked["zones"], before: Asked | undefined): number {
  if (zones.known) return lifetimeMs;
  return before?.zones.known === false ? Math.min(lifetimeMs, 2 * before.standsMs) : firstPauseMs;
}
