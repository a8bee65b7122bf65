// Zones of servers, asked of Nova once for each: a server never changes its zone by itself. A cloud without a compute service that we
// can see answers nothing, and then only the failure domain counts. One that is slow holds up nobody: the zone is unknown meanwhile.

import { isOpenStackError } from "../../../../core/openstack/openstack-error.ts";
import type { Asking } from "../../../../engine/round/questions.ts";
import type { Nova } from "../../../../ports/nova.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import type { ZoneOfServer } from "../observe-machines.ts";

/** More servers than this are asked for again now and then. */
const maxRemembered = 20_000;

export class ServerZones {
  readonly #zones = new Map<string, string>();

  readonly #asking = new Map<string, Promise<string | undefined>>();

  of(nova: Nova, call: CloudCallOptions, inTime: Asking["inTime"]): ZoneOfServer {
    return async (id) => {
      const known = this.#zones.get(id);
      if (known !== undefined) return known;
      const asking = this.#asking.get(id) ?? this.#ask(nova, id, call);
      return inTime === undefined ? await asking : (await inTime(asking))?.value;
    };
  }

  #ask(nova: Nova, id: string, call: CloudCallOptions): Promise<string | undefined> {
    const asking = ask(nova, id, call)
      .then((zone) => this.#remember(id, zone))
      .finally(() => this.#asking.delete(id));
    this.#asking.set(id, asking);
    return asking;
  }

  #remember(id: string, zone: string | undefined): string | undefined {
    if (zone === undefined) return undefined;
    if (this.#zones.size >= maxRemembered) this.#zones.clear();
    this.#zones.set(id, zone);
    return zone;
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
