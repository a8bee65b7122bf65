// Asks the addresses of balancers beside the rounds, which only start what is due and read what came of earlier ones: no round waits for
// a probe, and no probe wakes a round. What came of the probe before holds until the next one is done, and is counted on from there; after a
// restart that is what status says. Where the next one is not done in two intervals, nothing is known, and nothing of what is not asked.

import type { MonotonicMs } from "../../../core/clock-times.ts";
import type { LoadBalancerId } from "../../../core/openstack/ids.ts";
import type { Probe, ProbeTarget } from "../../../ports/probe.ts";
import type { ProbeObserved } from "../core/model/observed.ts";
import type { ProbedBalancer } from "../core/probes/probe-targets.ts";
import { probeAgainMs } from "../core/probes/probe-waits.ts";

export interface ProbeSettings extends Pick<ProbeTarget, "how" | "timeoutMs"> {
  readonly probe: Probe;
  /** At rest a balancer is asked at most so often. */
  readonly intervalMs: number;
}

interface Asked {
  readonly address: string;
  readonly askedMs: MonotonicMs;
  isUnderWay: boolean;
  /** Undefined while nothing is known. */
  failuresInARow: number | undefined;
}

export class Probes {
  readonly #settings: ProbeSettings;
  /** By object, then by balancer. */
  readonly #asked = new Map<string, Map<LoadBalancerId, Asked>>();

  constructor(settings: ProbeSettings) {
    this.#settings = settings;
  }

  observe(
    key: string,
    targets: readonly ProbedBalancer[],
    monotonicMs: MonotonicMs,
  ): ReadonlyMap<LoadBalancerId, ProbeObserved> {
    const before = this.#asked.get(key);
    const now = new Map<LoadBalancerId, Asked>();
    const observed = new Map<LoadBalancerId, ProbeObserved>();
    for (const target of targets) {
      const last = before?.get(target.balancerId);
      const same = last?.address === target.address ? last : undefined;
      if (same !== undefined && this.#isOverdue(same, monotonicMs)) same.failuresInARow = undefined;
      const asked = same !== undefined && !this.#isDue(same, monotonicMs) ? same : this.#ask(target, same, monotonicMs);
      now.set(target.balancerId, asked);
      const { failuresInARow } = asked;
      if (failuresInARow !== undefined) observed.set(target.balancerId, { failuresInARow });
    }
    this.#asked.set(key, now);
    return observed;
  }

  /** The object is gone. */
  forget(key: string): void {
    this.#asked.delete(key);
  }

  #isOverdue({ askedMs, isUnderWay }: Asked, monotonicMs: MonotonicMs): boolean {
    // Intervals may be shorter than a probe takes to fail.
    return isUnderWay && monotonicMs - askedMs >= 2 * Math.max(this.#settings.intervalMs, this.#settings.timeoutMs);
  }

  #isDue({ askedMs, isUnderWay, failuresInARow = 0 }: Asked, monotonicMs: MonotonicMs): boolean {
    const pauseMs = failuresInARow > 0 ? Math.min(probeAgainMs, this.#settings.intervalMs) : this.#settings.intervalMs;
    return !isUnderWay && monotonicMs - askedMs >= pauseMs;
  }

  #ask({ address, port, recordedFailures }: ProbedBalancer, last: Asked | undefined, monotonicMs: MonotonicMs): Asked {
    const { probe, how, timeoutMs } = this.#settings;
    const failuresInARow = last === undefined ? recordedFailures : last.failuresInARow;
    const asked: Asked = { address, askedMs: monotonicMs, isUnderWay: true, failuresInARow };
    void remember(asked, probe.isAnswered({ address, port, how, timeoutMs }));
    return asked;
  }
}

async function remember(asked: Asked, answer: Promise<boolean>): Promise<void> {
  const isAnswered = await answer.catch(() => false);
  asked.isUnderWay = false;
  asked.failuresInARow = isAnswered ? 0 : (asked.failuresInARow ?? 0) + 1;
}
