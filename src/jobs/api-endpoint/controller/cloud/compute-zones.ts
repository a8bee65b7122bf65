// The zones that Nova calls available, asked for now and then: from them, beside the mapping, come the failure domains. A cloud without
// a compute service that we can see answers nothing, and then spec and mapping alone count.

import type { Known } from "../../../../core/known.ts";
import type { Nova } from "../../../../ports/nova.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import { attempt } from "./observe-cloud.ts";

interface Asked {
  readonly zones: Known<readonly string[]>;
  readonly askedMs: number;
}

const lifetimeMs = 600_000;

export class ComputeZones {
  readonly #asked = new Map<string, Asked>();

  async get(
    { nova, endpointKey }: { readonly nova: Nova; readonly endpointKey: string },
    nowMs: number,
    call: CloudCallOptions,
  ): Promise<Known<readonly string[]>> {
    const known = this.#asked.get(endpointKey);
    if (known !== undefined && nowMs - known.askedMs < lifetimeMs) return known.zones;
    const zones = await attempt<readonly string[]>(async () =>
      (await nova.listAvailabilityZones(call)).filter(({ available }) => available).map(({ name }) => name),
    );
    this.#asked.set(endpointKey, { zones, askedMs: nowMs });
    return zones;
  }
}
