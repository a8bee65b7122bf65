// The zones that Nova calls available, asked for now and then: from them, beside the mapping, come the failure domains. A cloud without
// a compute service that we can see answers nothing, and then spec and mapping alone count.

import type { Known } from "../../../../core/known.ts";
import type { Nova } from "../../../../ports/nova.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import { attempt } from "./attempt.ts";

export interface ZonesQuestion {
  readonly nova: Nova;
  readonly endpointKey: string;
  readonly nowMs: number;
  readonly call: CloudCallOptions;
}

interface Asked {
  readonly zones: Known<readonly string[]>;
  readonly askedMs: number;
}

const lifetimeMs = 600_000;

export class ComputeZones {
  readonly #asked = new Map<string, Asked>();

  async get({ nova, endpointKey, nowMs, call }: ZonesQuestion): Promise<Known<readonly string[]>> {
    const known = this.#asked.get(endpointKey);
    if (known !== undefined && nowMs - known.askedMs < lifetimeMs) return known.zones;
    const zones = await attempt<readonly string[]>(async () =>
      (await nova.listAvailabilityZones(call)).filter(({ available }) => available).map(({ name }) => name),
    );
    // A cloud that nobody asks about any more is forgotten with its answer.
    for (const [other, { askedMs }] of this.#asked) if (nowMs - askedMs >= lifetimeMs) this.#asked.delete(other);
    this.#asked.set(endpointKey, { zones, askedMs: nowMs });
    return zones;
  }
}
