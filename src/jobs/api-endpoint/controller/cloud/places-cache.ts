// Networks and subnets do not move: what a spec's selectors mean is asked again when they change, and once in a while to notice that a
// filter has come to mean something else. While a slow Neutron is asked again, or for an hour after the first time that it does not
// answer, the last answer stands: new machines are served without it. A look that fails, or finds something missing, is repeated without asking
// again for what was answered well (place-answers.ts), and the longer it has failed, the later it is waited for.

import type { MonotonicMs } from "../../../../core/clock-times.ts";
import { type Known, known, type Unknown } from "../../../../core/known.ts";
import { type Asking, Questions } from "../../../../engine/round/questions.ts";
import type { NeutronReader } from "../../../../ports/neutron.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import { type EndpointIntent, zonesOf } from "../../core/model/intent.ts";
import type { Places } from "../../core/model/observed.ts";
import { unresolvedNodes } from "../../core/situation/node-places.ts";
import { awaited, unknownBecause } from "./attempt.ts";
import { lookUpEveryMs } from "./pace.ts";
import { PlaceAnswers } from "./place-answers.ts";
import { resolvePlaces } from "./resolve-places.ts";

export interface PlacesRequest extends Asking {
  readonly key: string;
  readonly endpointKey: string;
  /** Of what Neutron is asked with: the object and its credentials. */
  readonly version: string;
  readonly isAtRest: boolean;
  readonly intent: EndpointIntent;
  readonly neutron: NeutronReader;
  readonly call: CloudCallOptions;
}

interface Asked {
  readonly question: string;
  readonly places: Places;
  readonly askedMs: MonotonicMs;
}

interface Resolved {
  readonly places: Places;
  readonly oldestMs: MonotonicMs;
}

interface Failing {
  /** What was asked, and what with. */
  readonly about: string;
  readonly sinceMs: MonotonicMs;
}

/** At rest it is an hour old when it is asked for again. */
const standsMs = 7_200_000;
/** Somebody may be creating what is missing right now. */
const incompleteLifetimeMs = 15_000;
/** Of the waits after a look that failed: each is as long as it has failed until then. */
const shortestWaitMs = 15_000;
const longestWaitMs = 300_000;

export class PlacesCache {
  readonly #asked = new Map<string, Asked>();
  readonly #answers = new Map<string, { readonly question: string; readonly answers: PlaceAnswers }>();
  readonly #failing = new Map<string, Failing>();
  readonly #questions = new Questions<Resolved>();

  async get(request: PlacesRequest): Promise<Known<Places>> {
    const { key, endpointKey, intent, monotonicMs } = request;
    const question = JSON.stringify([endpointKey, selectorsOf(intent)]);
    const asked = this.#asked.get(key);
    const before = asked?.question === question ? asked : undefined;
    if (before !== undefined && monotonicMs - before.askedMs < lifetimeOf(before.places, request))
      return known(before.places);
    try {
      const about = { about: question, ask: () => this.#resolve(question, request) };
      const answered = await this.#questions.ask(key, about, request);
      if (answered === "awaited") return before === undefined ? awaited("networks and subnets") : known(before.places);
      const { places, oldestMs } = answered.value;
      this.#failing.delete(key);
      this.#asked.set(key, { question, places, askedMs: Math.min(oldestMs, answered.askedMs) });
      return known(places);
    } catch (error) {
      const why = this.#failed(question, request, unknownBecause(error));
      return before === undefined || monotonicMs - before.askedMs > standsMs ? why : known(before.places);
    }
  }

  stopAsking(key: string): void {
    this.#questions.forget(key);
  }

  forget(key: string): void {
    for (const part of [this.#asked, this.#answers, this.#failing]) part.delete(key);
    this.stopAsking(key);
  }

  /** Where something is found that was missing, everything is asked for once more: it seldom comes alone. */
  async #resolve(question: string, request: PlacesRequest): Promise<Resolved> {
    const { key, intent, neutron, call } = request;
    const kept = this.#answers.get(key);
    const answers = kept?.question === question ? kept.answers : new PlaceAnswers();
    this.#answers.set(key, { question, answers });
    const { ask, oldestMs } = answers.look({ ...request, standsMs: lookUpEveryMs(request) });
    const places = await resolvePlaces(intent, { neutron, call, ask });
    return answers.takeNews() ? await this.#resolve(question, request) : { places, oldestMs: oldestMs() };
  }

  #failed(question: string, { key, version, monotonicMs }: PlacesRequest, why: Unknown): Unknown {
    const about = `${version} ${question}`;
    const before = this.#failing.get(key);
    const sinceMs = before?.about === about ? before.sinceMs : monotonicMs;
    this.#failing.set(key, { about, sinceMs });
    return { ...why, recheckAfterMs: Math.min(longestWaitMs, Math.max(shortestWaitMs, monotonicMs - sinceMs)) };
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
