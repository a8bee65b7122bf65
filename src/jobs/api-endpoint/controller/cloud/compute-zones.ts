// The zones that Nova calls available, asked for now and then: from them, beside the mapping, come the failure domains. A cloud without
// a compute service that we can see answers nothing, and then spec and mapping alone count: what is refused to some credentials may be shown
// to others. While a slow one is asked again, the last answer stands.

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
  readonly askedMs: number;
}

interface Answer {
  readonly zones: Known<readonly string[]>;
  /** Whoever asked was stopped: that says nothing about the cloud. */
  readonly isStopped: boolean;
}

const lifetimeMs = 600_000;

export class ComputeZones {
  readonly #asked = new Map<string, Asked>();
  readonly #questions = new Questions<Answer>();

  async get({ nova, sharingKey, call, ...asking }: ZonesQuestion): Promise<Known<readonly string[]>> {
    const known = this.#asked.get(sharingKey);
    if (known !== undefined && asking.nowMs - known.askedMs < lifetimeMs) return known.zones;
    const ask = async (): Promise<Answer> => {
      const zones = await attempt<readonly string[]>(async () =>
        (await nova.listAvailabilityZones(call)).filter(({ available }) => available).map(({ name }) => name),
      );
      return { zones, isStopped: call.signal?.aborted === true };
    };
    const answered = await this.#questions.ask(sharingKey, { about: sharingKey, ask }, asking);
    if (answered === "awaited") return known?.zones ?? awaited("the cloud's compute zones");
    const { zones, isStopped } = answered.value;
    this.#forgetOld(asking.nowMs);
    if (!isStopped) this.#asked.set(sharingKey, { zones, askedMs: answered.askedMs });
    return zones;
  }

  /** One that nobody asks about any more is forgotten with its answer. */
  #forgetOld(nowMs: number): void {
    for (const [sharingKey, { askedMs }] of this.#asked) {
      if (nowMs - askedMs < lifetimeMs) continue;
      this.#asked.delete(sharingKey);
      this.#questions.forget(sharingKey);
    }
  }
}
