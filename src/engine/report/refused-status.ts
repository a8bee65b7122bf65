// The rule for "we did this, and it did not help" (round/repeated-steps.ts), for status that the API server refuses to take: a role is missing,
// a webhook denies it. The first few times it is sent again at once; then later and later up to minutes, however often a round has something
// to say. Until then the refusal is said again in its own words; rounds go on at their usual pace, since what they do does not depend on
// it. The first write that is taken ends it.

import { formatRef, type Kind, type ObjectRef, refOf, resourceName } from "../../apis/kube/kube-object.ts";
import { isKubeError, KubeError } from "../../core/kube-error.ts";
import { present } from "../../core/present.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Kube } from "../../ports/kube.ts";
import type { Random } from "../../ports/random.ts";
import { backoffMs } from "../round/backoff.ts";
import { eagerTimes, firstWaitMs, longestWaitMs } from "../round/repeat-wait.ts";

interface Refused {
  readonly error: KubeError;
  /** In a row. */
  readonly times: number;
  readonly refusedMs: number;
  readonly notBeforeMs: number;
}

/** Once a role or a webhook is mended, status is right within five minutes. */
const pauses = { baseMs: 2 * firstWaitMs, maxMs: longestWaitMs };
/** The world is observed as often as if status were taken. */
const nextRoundMs = 30_000;
/** Nothing was to be written for so long. */
const forgetAfterMs = 3_600_000;

export class RefusedStatus {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #random: Random;
  /** By key, then by object. */
  readonly #byKey = new Map<string, Map<string, Refused>>();

  constructor({ clock, random }: { readonly clock: Pick<Clock, "monotonicMs">; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** A Kube for status alone, which sends nothing while it has to wait. */
  pacing(key: string, kube: Kube): Kube {
    return {
      ...kube,
      apply: (kind, object, options) => this.#send(key, kind, refOf(object), () => kube.apply(kind, object, options)),
      patch: (kind, ref, patch, options) => this.#send(key, kind, ref, () => kube.patch(kind, ref, patch, options)),
    };
  }

  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }

  async #send<T>(key: string, kind: Kind, ref: ObjectRef, write: () => Promise<T>): Promise<T> {
    const id = `${resourceName(kind)} ${formatRef(ref)}`;
    const before = this.#refused(key, id);
    const leftMs = (before?.notBeforeMs ?? 0) - this.#nowMs();
    if (before !== undefined && leftMs > 0) throw saidAgain(before.error, Math.min(leftMs, nextRoundMs));
    try {
      const answer = await write();
      this.#taken(key, id);
      return answer;
    } catch (error) {
      if (isKubeError(error, "Forbidden", "Invalid", "BadRequest")) this.#note(key, id, error, before);
      throw error;
    }
  }

  #refused(key: string, id: string): Refused | undefined {
    const refused = this.#byKey.get(key)?.get(id);
    return refused === undefined || this.#nowMs() - refused.refusedMs > forgetAfterMs ? undefined : refused;
  }

  #note(key: string, id: string, error: KubeError, before: Refused | undefined): void {
    const times = (before?.times ?? 0) + 1;
    const refusedMs = this.#nowMs();
    const notBeforeMs = refusedMs + (times < eagerTimes ? 0 : backoffMs(pauses, times - eagerTimes + 1, this.#random));
    const ofKey = this.#byKey.get(key) ?? new Map<string, Refused>();
    this.#byKey.set(key, ofKey.set(id, { error, times, refusedMs, notBeforeMs }));
  }

  #taken(key: string, id: string): void {
    const ofKey = this.#byKey.get(key);
    ofKey?.delete(id);
    if (ofKey?.size === 0) this.#byKey.delete(key);
  }

  #nowMs(): number {
    return this.#clock.monotonicMs();
  }
}

function saidAgain(error: KubeError, retryAfterMs: number): KubeError {
  const { code, message, causes, status, statusReason, hint } = error;
  return new KubeError({ code, message, causes, retryAfterMs, ...present({ status, statusReason, hint }) });
}
