// What a cloud's Octavia can do, and what it refused, so that this is asked for once and not in every round: what a provider lacks (501)
// for the whole cloud; a zone in a bad request (400) for the one object that sent it, whose request may be bad for reasons of its own.

import type { Capabilities, ProviderRefusal } from "../../core/model/observed.ts";
import { isRefused, refusedAfter } from "../../core/model/provider-features.ts";
import { lifetimeMs, OctaviaAnswers, type OctaviaQuestion } from "./octavia-answers.ts";

/** An object, and the cloud that it is in. */
export interface Asker {
  readonly endpointKey: string;
  readonly key: string;
}

/** Was in a bad request; whether the cloud still has it was to be asked again. */
interface Suspect extends ProviderRefusal {
  readonly doubt: number;
}

interface Lessons {
  readonly suspects: readonly Suspect[];
  readonly refused: readonly ProviderRefusal[];
}

interface Cloud {
  readonly answers: OctaviaAnswers;
  readonly refused: readonly ProviderRefusal[];
  readonly objects: Map<string, Lessons>;
  readonly sinceMs: number;
}

const nothing: Lessons = { suspects: [], refused: [] };

export class CapabilityCache {
  readonly #clouds = new Map<string, Cloud>();

  async get({ endpointKey, key, ...question }: Asker & OctaviaQuestion): Promise<Capabilities> {
    const said = await this.#cloud(endpointKey, question.nowMs).answers.get(question);
    const cloud = this.#clouds.get(endpointKey);
    return { ...said, refused: [...(cloud?.refused ?? []), ...(cloud?.objects.get(key)?.refused ?? [])] };
  }

  /**
   * What was said may no longer hold: ask again, and keep what was refused. A zone may have been taken out of service; one that is
   * listed still, and in a bad request of the same object again, is taken for refused.
   */
  doubt({ endpointKey, key }: Asker, zones: readonly ProviderRefusal[] = []): void {
    const cloud = this.#clouds.get(endpointKey);
    if (cloud === undefined) return;
    const { answers, objects } = cloud;
    const doubt = answers.doubt();
    if (zones.length === 0) return;
    const { suspects, refused } = objects.get(key) ?? nothing;
    const listedStill = suspects.filter((one) => answers.isSettled(one.doubt));
    objects.set(key, {
      suspects: [...suspects, ...zones.filter((one) => !isRefused(suspects, one)).map((one) => ({ ...one, doubt }))],
      refused: [...refused, ...zones.filter((one) => isRefused(listedStill, one) && !isRefused(refused, one))],
    });
  }

  /** The object's request was as bad without a zone: it was not the zone. */
  acquit({ endpointKey, key }: Asker, provider: string): void {
    const objects = this.#clouds.get(endpointKey)?.objects;
    const { suspects, refused } = objects?.get(key) ?? nothing;
    const isOther = (one: ProviderRefusal) => one.provider !== provider;
    objects?.set(key, { suspects: suspects.filter(isOther), refused: refused.filter(isOther) });
  }

  refused({ endpointKey }: Asker, asked: readonly ProviderRefusal[]): void {
    const cloud = this.#clouds.get(endpointKey);
    if (cloud !== undefined) this.#clouds.set(endpointKey, { ...cloud, refused: refusedAfter(cloud.refused, asked) });
  }

  /** The object is gone. */
  forget(key: string): void {
    for (const { objects } of this.#clouds.values()) objects.delete(key);
  }

  /** What was refused is forgotten after a while: a provider may have learnt it. */
  #cloud(endpointKey: string, nowMs: number): Cloud {
    const known = this.#clouds.get(endpointKey);
    if (known !== undefined && nowMs - known.sinceMs < lifetimeMs) return known;
    const answers = known?.answers ?? new OctaviaAnswers();
    const cloud: Cloud = { answers, refused: [], objects: new Map(), sinceMs: nowMs };
    this.#clouds.set(endpointKey, cloud);
    return cloud;
  }
}
