// The zones that Nova calls available, asked for now and then: from them, beside the mapping, come the failure domains. A cloud without
// a compute service that we can see answers nothing, and then spec and mapping alone count. While a slow one is asked again, the last
// answer stands.

import type { Known } from "../../../../core/known.ts";
import { type Asking, Questions } from "../../../../engine/round/questions.ts";
import type { Nova } from "../../../../ports/nova.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import { attempt, awaited } from "./attempt.ts";

export interface ZonesQuestion extends Asking {
  readonly nova: Nova;
  readonly endpointKey: string;
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

  async get({ nova, endpointKey, call, ...asking }: ZonesQuestion): Promise<Known<readonly string[]>> {
    const known = this.#asked.get(endpointKey);
    if (known !== undefined && asking.nowMs - known.askedMs < lifetimeMs) return known.zones;
    const ask = async (): Promise<Answer> => {
      const zones = await attempt<readonly string[]>(async () =>
        (await nova.listAvailabilityZones(call)).filter(({ available }) => available).map(({ name }) => name),
      );
      return { zones, isStopped: call.signal?.aborted === true };
    };
    const answered = await this.#questions.ask(endpointKey, { about: endpointKey, ask }, asking);
    if (answered === "awaited") return known?.zones ?? awaited("the cloud's compute zones");
    const { zones, isStopped } = answered.value;
    this.#forgetOld(asking.nowMs);
    if (!isStopped) this.#asked.set(endpointKey, { zones, askedMs: answered.askedMs });
    return zones;
  }

  /** A cloud that nobody asks about any more is forgotten with its answer. */
  #forgetOld(nowMs: number): void {
    for (const [endpointKey, { askedMs }] of this.#asked) {
      if (nowMs - askedMs < lifetimeMs) continue;
      this.#asked.delete(endpointKey);
      this.#questions.forget(endpointKey);
    }
  }
}
