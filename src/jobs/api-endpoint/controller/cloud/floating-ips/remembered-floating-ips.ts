// What the last whole look at the floating IPs of each object found, and how long that counts: until there are other balancers, more is
// sought, it is old, or one may have come since that was asked for and never answered. Neither a member's health nor status that somebody
// wipes makes it old.

import type { MonotonicMs } from "../../../../../core/clock-times.ts";
import type { FloatingIp } from "../../../../../core/openstack/neutron-objects.ts";
import { lateCreateMs } from "../../../core/balancer/late-creates.ts";
import { mayFloatingIpArrive } from "../../../core/floating-ips/late-floating-ip.ts";
import { lookUpEveryMs } from "../pace.ts";
import { type Looking, portIdsOf } from "./look-for-floating-ips.ts";
import { covers, isSought, type Sought, soughtBy } from "./sought-floating-ips.ts";

export interface Recalling extends Looking {
  readonly key: string;
  readonly monotonicMs: MonotonicMs;
  readonly isAtRest: boolean;
}

interface Remembered {
  readonly sought: Sought;
  readonly all: readonly FloatingIp[];
  readonly askedMs: MonotonicMs;
  /** Of the balancers at that time: see `balancersOf`. */
  readonly balancers: string;
}

export interface Recalled {
  readonly all: readonly FloatingIp[];
  readonly isFresh: boolean;
}

export class RememberedFloatingIps {
  readonly #byKey = new Map<string, Remembered>();
  /** Until when one may come whose creation nobody answered; undefined until time is known. */
  readonly #unanswered = new Map<string, MonotonicMs | undefined>();

  remember(recalling: Recalling, all: readonly FloatingIp[], askedMs: MonotonicMs): void {
    const { key } = recalling;
    const untilMs = this.#unanswered.get(key);
    if (untilMs !== undefined && askedMs >= untilMs) this.#unanswered.delete(key);
    this.#byKey.set(key, { sought: soughtBy(recalling), all, askedMs, balancers: balancersOf(recalling) });
  }

  /** As far as it is about what is sought now: status may have named more before somebody wiped it. */
  recall(recalling: Recalling): Recalled | undefined {
    const lateUntilMs = this.#lateUntilMs(recalling);
    const last = this.#byKey.get(recalling.key);
    const sought = soughtBy(recalling);
    if (last === undefined || !covers(last.sought, sought)) return undefined;
    const ports = portIdsOf(recalling);
    const isOnOurs = ({ portId }: FloatingIp) => portId !== undefined && ports.includes(portId);
    const all = last.all.filter((one) => isOnOurs(one) || isSought(one, sought));
    return { all, isFresh: isFresh(last, recalling, lateUntilMs) };
  }

  /** One was asked for, and whether it is made nobody knows: what is found before it could have come is not the last word. */
  createUnanswered(key: string): void {
    this.#unanswered.set(key, undefined);
  }

  outdate(key: string): void {
    this.#byKey.delete(key);
  }

  forget(key: string): void {
    this.#byKey.delete(key);
    this.#unanswered.delete(key);
  }

  #lateUntilMs({ key, monotonicMs }: Recalling): MonotonicMs | undefined {
    if (!this.#unanswered.has(key)) return undefined;
    const untilMs = this.#unanswered.get(key) ?? monotonicMs + lateCreateMs;
    this.#unanswered.set(key, untilMs);
    return untilMs;
  }
}

function isFresh(last: Remembered, recalling: Recalling, lateUntilMs: MonotonicMs | undefined): boolean {
  const { monotonicMs, intent } = recalling;
  if (last.balancers !== balancersOf(recalling) || mayFloatingIpArrive(intent)) return false;
  if (lateUntilMs !== undefined && last.askedMs < lateUntilMs && monotonicMs >= lateUntilMs) return false;
  return monotonicMs - last.askedMs < lookUpEveryMs(recalling);
}

/** What about balancers concerns floating IPs. Who answers behind them does not. */
function balancersOf({ balancers }: Looking): string {
  const rows = balancers.map(({ balancer: { id, vipPortId, provisioningStatus } }) =>
    [id, vipPortId, provisioningStatus].join(),
  );
  return rows.toSorted().join(" ");
}
