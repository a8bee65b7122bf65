// What one cloud's Octavia says it can do, asked for rarely and once for all who wait: it changes with an upgrade of the cloud. A
// higher revision outdates every answer that was asked for before it. A question that failed is not remembered, and says nothing to those
// with other credentials. While a slow Octavia is asked again, the last answer stands.

import type { MonotonicMs } from "../../../../core/clock-times.ts";
import type { Asking } from "../../../../engine/round/questions.ts";
import type { OctaviaReader } from "../../../../ports/octavia.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import type { Capabilities } from "../../core/model/observed.ts";

export interface OctaviaQuestion extends Asking {
  readonly octavia: Pick<OctaviaReader, "version" | "listProviders" | "listFlavors" | "listAvailabilityZones">;
  /** Of the credentials that it is asked with. */
  readonly sharingKey: string;
  readonly call: CloudCallOptions;
}

type Said = Omit<Capabilities, "refused">;

interface Answer {
  readonly said: Said;
  readonly askedMs: MonotonicMs;
  readonly revision: number;
}

interface OpenQuestion {
  readonly said: Promise<Said>;
  readonly revision: number;
  readonly sharingKey: string;
  readonly signal: AbortSignal | undefined;
}

export const lifetimeMs = 3_600_000;
/** The availability-zone API is younger than the rest. */
const zonesSince = 14;
const flavorsSince = 6;

export class OctaviaAnswers {
  #answer: Answer | undefined;
  #asking: OpenQuestion | undefined;
  #wanted = 0;

  /** `awaited`: it has been asked for, and nothing is known. */
  async get(question: OctaviaQuestion): Promise<Said | "awaited"> {
    const known = this.#answer?.revision === this.#wanted ? this.#answer : undefined;
    if (known !== undefined && question.monotonicMs - known.askedMs < lifetimeMs) return known.said;
    const { inTime } = question;
    const asking = this.#asking?.revision === this.#wanted ? this.#asking : this.#ask(question);
    try {
      const said = inTime === undefined ? { value: await asking.said } : await inTime(asking.said);
      return said?.value ?? known?.said ?? "awaited";
    } catch (error) {
      // Whoever asked was stopped, or may know less than this one.
      const isTheirs = asking.signal?.aborted === true || asking.sharingKey !== question.sharingKey;
      if (isTheirs && question.call.signal?.aborted !== true) return await this.get(question);
      throw error;
    }
  }

  /** What was asked for at an earlier revision no longer counts. */
  outdate(revision: number): void {
    this.#wanted = revision;
  }

  /** At which the last answer was asked for. */
  get revision(): number {
    return this.#answer?.revision ?? 0;
  }

  #ask(question: OctaviaQuestion): OpenQuestion {
    const revision = this.#wanted;
    const { sharingKey, call } = question;
    const asking = { said: this.#answered(question, revision), revision, sharingKey, signal: call.signal };
    this.#asking = asking;
    return asking;
  }

  async #answered(question: OctaviaQuestion, revision: number): Promise<Said> {
    try {
      const said = await ask(question);
      // One that was asked for later may have been answered before.
      if (this.revision <= revision) this.#answer = { said, askedMs: question.monotonicMs, revision };
      return said;
    } finally {
      if (this.#asking?.revision === revision) this.#asking = undefined;
    }
  }
}

async function ask({ octavia, call }: OctaviaQuestion): Promise<Said> {
  const version = await octavia.version(call);
  const since = (minor: number): boolean => version[0] > 2 || (version[0] === 2 && version[1] >= minor);
  const [providers, flavors, zones] = await Promise.all([
    octavia.listProviders(call),
    since(flavorsSince) ? octavia.listFlavors(call) : [],
    since(zonesSince) ? octavia.listAvailabilityZones(call) : [],
  ]);
  const availabilityZones = zones.filter(({ enabled }) => enabled).map(({ name }) => name);
  return { version, providers, flavors, availabilityZones };
}
