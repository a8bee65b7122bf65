// Networks and subnets do not move: what a spec's selectors mean is asked again when they change, and once in a while to notice that a
// filter has come to mean something else.

import type { NeutronReader } from "../../../../ports/neutron.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import { type EndpointIntent, zonesOf } from "../../core/model/intent.ts";
import type { Places } from "../../core/model/observed.ts";
import { unresolvedNodes } from "../../core/situation/node-places.ts";
import { resolvePlaces } from "./resolve-places.ts";

export interface PlacesRequest {
  readonly key: string;
  readonly endpointKey: string;
  readonly intent: EndpointIntent;
  readonly neutron: NeutronReader;
  readonly nowMs: number;
  readonly call: CloudCallOptions;
}

interface Asked {
  readonly question: string;
  readonly places: Places;
  readonly askedMs: number;
}

const lifetimeMs = 600_000;
/** Somebody may be creating what is missing right now. */
const incompleteLifetimeMs = 15_000;

export class PlacesCache {
  readonly #asked = new Map<string, Asked>();

  async get({ key, endpointKey, intent, neutron, nowMs, call }: PlacesRequest): Promise<Places> {
    const question = JSON.stringify([endpointKey, selectorsOf(intent)]);
    const known = this.#asked.get(key);
    if (known !== undefined && known.question === question && nowMs - known.askedMs < lifetimeOf(known.places)) {
      return known.places;
    }
    const places = await resolvePlaces(intent, neutron, call);
    this.#asked.set(key, { question, places, askedMs: nowMs });
    return places;
  }

  forget(key: string): void {
    this.#asked.delete(key);
  }
}

function selectorsOf(intent: EndpointIntent): unknown {
  const { mode, network, clusterNetwork, clusterSubnets, externalNetwork } = intent;
  const { externalNetworkDisabled, floatingIp } = intent;
  return [
    mode,
    zonesOf(intent),
    network,
    mode === "single" ? intent.subnets : [],
    clusterNetwork,
    clusterSubnets,
    externalNetwork,
    externalNetworkDisabled,
    floatingIp.enabled,
  ];
}

function lifetimeOf(places: Places): number {
  const { network, singleSubnet, clusterNetwork, externalNetwork, zoneSubnets } = places;
  const found = [network, singleSubnet, clusterNetwork, externalNetwork, ...zoneSubnets.values()];
  // Machines in a node subnet that was not found would stand behind nothing for as long.
  const isComplete =
    unresolvedNodes(places).length === 0 && found.every((one) => one === undefined || one.found === "one");
  return isComplete ? lifetimeMs : incompleteLifetimeMs;
}
