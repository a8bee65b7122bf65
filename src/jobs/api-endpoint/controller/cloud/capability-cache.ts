// What a cloud's Octavia can do, and what was learnt of it from its answers (core/model/lessons.ts), so that this is asked for once and
// not in every round.

import type { MonotonicMs } from "../../../../core/clock-times.ts";
import {
  type CloudAnswer,
  type CloudRequest,
  type Lessons,
  learn,
  noLessons,
  refusedFor,
  withoutObject,
} from "../../core/model/lessons.ts";
import type { Capabilities } from "../../core/model/observed.ts";
import { lifetimeMs, OctaviaAnswers, type OctaviaQuestion } from "./octavia-answers.ts";

export interface CapabilityQuestion extends OctaviaQuestion {
  /** Of the cloud. */
  readonly endpointKey: string;
  /** Of the object that asks. */
  readonly key: string;
}

interface Cloud {
  readonly answers: OctaviaAnswers;
  readonly lessons: Lessons;
  readonly sinceMs: MonotonicMs;
}

export class CapabilityCache {
  readonly #clouds = new Map<string, Cloud>();

  async get({ endpointKey, key, ...question }: CapabilityQuestion): Promise<Capabilities | "awaited"> {
    const said = await this.#cloud(endpointKey, question.monotonicMs).answers.get(question);
    if (said === "awaited") return said;
    // Something may have been learnt meanwhile.
    const { lessons = noLessons } = this.#clouds.get(endpointKey) ?? {};
    return { ...said, refused: refusedFor(lessons, { key, credentials: question.sharingKey }) };
  }

  learn(endpointKey: string, request: CloudRequest, answer: CloudAnswer): void {
    const cloud = this.#clouds.get(endpointKey);
    if (cloud === undefined) return;
    const { answers } = cloud;
    const lessons = learn({ ...cloud.lessons, confirmedRevision: answers.revision }, request, answer);
    answers.outdate(lessons.revision);
    this.#clouds.set(endpointKey, { ...cloud, lessons });
  }

  forget(key: string): void {
    for (const [endpointKey, cloud] of this.#clouds)
      this.#clouds.set(endpointKey, { ...cloud, lessons: withoutObject(cloud.lessons, key) });
  }

  /** What was refused is forgotten after a while: a provider may have learnt it. */
  #cloud(endpointKey: string, monotonicMs: MonotonicMs): Cloud {
    const known = this.#clouds.get(endpointKey);
    if (known !== undefined && monotonicMs - known.sinceMs < lifetimeMs) return known;
    const {
      answers,
      lessons: { revision },
    } = known ?? { answers: new OctaviaAnswers(), lessons: noLessons };
    const cloud: Cloud = { answers, lessons: { ...noLessons, revision }, sinceMs: monotonicMs };
    this.#clouds.set(endpointKey, cloud);
    return cloud;
  }
}
