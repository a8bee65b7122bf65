// For how long balancers have been PENDING on most looks without a change of ours: whoever touches one again and again begins Octavia's own
// stamp anew each time. A restart forgets it, and what is begun anew is looked at soon a few times.

import type { MonotonicMs } from "../../../../core/clock-times.ts";
import type { BalancerObserved } from "../../core/model/observed.ts";

interface Pending {
  readonly sinceMs: MonotonicMs;
  readonly lastMs: MonotonicMs;
}

/** Not PENDING for so long, it has come to rest. */
const atRestAfterMs = 60_000;

export class PendingMemory {
  /** By the object they are of, then by id. */
  readonly #byKey = new Map<string, ReadonlyMap<string, Pending>>();

  /** Says of each for how long, and forgets those that are at rest, or gone. */
  annotate(key: string, balancers: readonly BalancerObserved[], monotonicMs: MonotonicMs): readonly BalancerObserved[] {
    const before = this.#byKey.get(key);
    const now = new Map(
      balancers.flatMap(({ balancer }) => {
        const known = atThatTime(before?.get(balancer.id), monotonicMs);
        if (!balancer.provisioningStatus.startsWith("PENDING_"))
          return known === undefined ? [] : [[balancer.id, known]];
        return [[balancer.id, { sinceMs: known?.sinceMs ?? monotonicMs, lastMs: monotonicMs }]];
      }),
    );
    if (now.size === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, now);
    return balancers.map((one) => {
      const pending = now.get(one.balancer.id);
      return pending === undefined ? one : { ...one, pendingForMs: monotonicMs - pending.sinceMs };
    });
  }

  /** By us: what comes of it is looked for as soon as ever. */
  changed(key: string): void {
    this.#byKey.delete(key);
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }
}

function atThatTime(pending: Pending | undefined, monotonicMs: MonotonicMs): Pending | undefined {
  return pending === undefined || monotonicMs - pending.lastMs > atRestAfterMs ? undefined : pending;
}
