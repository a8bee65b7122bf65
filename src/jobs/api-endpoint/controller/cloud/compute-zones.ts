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

const lifetimeMs = 600_000;

export class ComputeZones {
  readonly #asked = new Map<string, Asked>();
  readonly #questions = new Questions<Known<readonly string[]>>();

  async get({ nova, endpointKey, call, ...asking }: ZonesQuestion): Promise<Known<readonly string[]>> {
    const known = this.#asked.get(endpointKey);
    if (known !== undefined && asking.nowMs - known.askedMs < lifetimeMs) return known.zones;
    const ask = () =>
      attempt<readonly string[]>(async () =>
        (await nova.listAvailabilityZones(call)).filter(({ available }) => available).map(({ name }) => name),
      );
    const answered = await this.#questions.ask(endpointKey, { about: endpointKey, ask }, asking);
    if (answered === "awaited") return known?.zones ?? awaited("the cloud's compute zones");
    this.#asked.set(endpointKey, { zones: answered.value, askedMs: answered.askedMs });
    return answered.value;
  }
}
