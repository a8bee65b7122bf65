// Zones of servers, asked of Nova once for each: a server never changes its zone by itself. A cloud without a compute service that we
// can see answers nothing, and then only the failure domain counts. One that is slow holds up nobody: the zone is unknown meanwhile. Of each
// object only servers that its last observations asked for are remembered: machines come and go for as long as the process lives.

import { isOpenStackError } from "../../../../core/openstack/openstack-error.ts";
import type { Asking } from "../../../../engine/round/questions.ts";
import type { Nova } from "../../../../ports/nova.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import type { ZoneOfServer } from "../observe-machines.ts";

/** An observation that ends early asks for none, or not for all. */
const observationsRemembered = 10;

interface Remembered {
  readonly zone: string;
  /** Observations since it was asked for. */
  readonly unasked: number;
}

export class ServerZones {
  /** By object, zones by server. */
  readonly #zones = new Map<string, Map<string, Remembered>>();

  readonly #asking = new Map<string, Promise<string | undefined>>();

  /** For one observation of an object. */
  of(key: string, nova: Nova, call: CloudCallOptions, inTime: Asking["inTime"]): ZoneOfServer {
    const known = [...(this.#zones.get(key) ?? [])].map(
      ([id, { zone, unasked }]) => [id, { zone, unasked: unasked + 1 }] as const,
    );
    const zones = new Map<string, Remembered>(known.filter(([, { unasked }]) => unasked <= observationsRemembered));
    this.#zones.set(key, zones);
    return async (id) => {
      const zone = zones.get(id)?.zone;
      if (zone !== undefined) {
        zones.set(id, { zone, unasked: 0 });
        return zone;
      }
      const asking = this.#asking.get(id) ?? this.#ask(key, nova, id, call);
      return inTime === undefined ? await asking : (await inTime(asking))?.value;
    };
  }

  forget(key: string): void {
    this.#zones.delete(key);
  }

  #ask(key: string, nova: Nova, id: string, call: CloudCallOptions): Promise<string | undefined> {
    const asking = ask(nova, id, call)
      .then((zone) => {
        // An answer that comes late is for a later observation.
        if (zone !== undefined) this.#zones.get(key)?.set(id, { zone, unasked: 0 });
        return zone;
      })
      .finally(() => this.#asking.delete(id));
    this.#asking.set(id, asking);
    return asking;
  }
}

async function ask(nova: Nova, id: string, call: CloudCallOptions): Promise<string | undefined> {
  try {
    return (await nova.getServer(id, call)).availabilityZone;
  } catch (error) {
    if (isOpenStackError(error)) return undefined;
    throw error;
  }
}
