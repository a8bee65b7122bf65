// Networks and subnets do not move: what a spec's selectors mean is asked again when they change, and once in a while to notice that a
// filter has come to mean something else. While a slow Neutron is asked again, or for an hour after the first time that it does not
// answer, the last answer stands: new machines are served without it.

import { type Asking, Questions } from "../../../../engine/round/questions.ts";
import type { NeutronReader } from "../../../../ports/neutron.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import { type EndpointIntent, zonesOf } from "../../core/model/intent.ts";
import type { Places } from "../../core/model/observed.ts";
import { unresolvedNodes } from "../../core/situation/node-places.ts";
import { lookUpEveryMs } from "./pace.ts";
import { resolvePlaces } from "./resolve-places.ts";

export interface PlacesRequest extends Asking {
  readonly key: string;
  readonly endpointKey: string;
  readonly isAtRest: boolean;
  readonly intent: EndpointIntent;
  readonly neutron: NeutronReader;
  readonly call: CloudCallOptions;
}

interface Asked {
  readonly question: string;
  readonly places: Places;
  readonly askedMs: number;
}

/** At rest it is an hour old when it is asked for again. */
const standsMs = 7_200_000;
/** Somebody may be creating what is missing right now. */
const incompleteLifetimeMs = 15_000;

export class PlacesCache {
  readonly #asked = new Map<string, Asked>();

  readonly #questions = new Questions<Places>();

  /** `awaited`: they have been asked for, and nothing is known of them. */
  async get(request: PlacesRequest): Promise<Places | "awaited"> {
    const { key, endpointKey, intent, neutron, call, nowMs } = request;
    const question = JSON.stringify([endpointKey, selectorsOf(intent)]);
    const asked = this.#asked.get(key);
    const known = asked?.question === question ? asked : undefined;
    if (known !== undefined && nowMs - known.askedMs < lifetimeOf(known.places, request)) return known.places;
    const ask = () => resolvePlaces(intent, neutron, call);
    try {
      const answered = await this.#questions.ask(key, { about: question, ask }, request);
      if (answered === "awaited") return known?.places ?? answered;
      this.#asked.set(key, { question, places: answered.value, askedMs: answered.askedMs });
      return answered.value;
    } catch (error) {
      if (known === undefined || nowMs - known.askedMs > standsMs) throw error;
      return known.places;
    }
  }

  stopAsking(key: string): void {
    this.#questions.forget(key);
  }

  forget(key: string): void {
    this.#asked.delete(key);
    this.stopAsking(key);
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

function lifetimeOf(places: Places, request: PlacesRequest): number {
  const { network, singleSubnet, clusterNetwork, externalNetwork, zoneSubnets } = places;
  const found = [network, singleSubnet, clusterNetwork, externalNetwork, ...zoneSubnets.values()];
  // Machines in a node subnet that was not found would stand behind nothing for as long.
  const isComplete =
    unresolvedNodes(places).length === 0 && found.every((one) => one === undefined || one.found === "one");
  return isComplete ? lookUpEveryMs(request) : incompleteLifetimeMs;
}
