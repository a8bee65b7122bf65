// The floating IPs that matter to an object (sought-floating-ips.ts). What was found before is enough while it is fresh
// (remembered-floating-ips.ts), but for those on our VIPs: they are asked for each time (look-for-floating-ips.ts); of an object at rest every
// few minutes (pace.ts), and for many in one list (shared-answers.ts). A slow Neutron holds up nobody: until it answers they are unknown.

import { type Known, known } from "../../../../../core/known.ts";
import type { PortId } from "../../../../../core/openstack/ids.ts";
import type { FloatingIp } from "../../../../../core/openstack/neutron-objects.ts";
import { type Asking, Questions } from "../../../../../engine/round/questions.ts";
import { awaited, unknownBecause } from "../attempt.ts";
import { floatingIpsEveryMs } from "../pace.ts";
import { SharedAnswers } from "../shared-answers.ts";
import { type Found, lookForFloatingIps, portIdsOf, withAttached } from "./look-for-floating-ips.ts";
import { type Recalled, type Recalling, RememberedFloatingIps } from "./remembered-floating-ips.ts";
import { soughtBy } from "./sought-floating-ips.ts";

export interface FloatingIpsQuestion extends Asking, Recalling {
  /** As for balancers: see observed-balancers.ts. */
  readonly sharingKey: string;
}

/** The driver asks for 50 ports at a time, and a cluster rarely has more than three zones. */
const mostInOneList = 16;

export class ObservedFloatingIps {
  readonly #remembered = new RememberedFloatingIps();
  readonly #questions = new Questions<Found>();
  /** On our VIPs. */
  readonly #shared: SharedAnswers<readonly PortId[], readonly FloatingIp[]>;

  constructor({ observeAgainMs }: { readonly observeAgainMs: number }) {
    this.#shared = new SharedAnswers({ lifetimeMs: floatingIpsEveryMs(observeAgainMs), most: mostInOneList });
  }

  async observe(request: FloatingIpsQuestion): Promise<Known<readonly FloatingIp[]>> {
    const last = this.#remembered.recall(request);
    const fresh = last?.isFresh === true ? last.all : undefined;
    if (fresh !== undefined && !request.intent.floatingIp.enabled) return known(fresh);
    const asBefore = fresh === undefined ? undefined : await this.#asBefore(fresh, request);
    if (asBefore !== undefined) return known(asBefore);
    this.#shared.leave(request.key);
    return await this.#look(request, fresh, last);
  }

  async #look(
    request: FloatingIpsQuestion,
    fresh: readonly FloatingIp[] | undefined,
    last: Recalled | undefined,
  ): Promise<Known<readonly FloatingIp[]>> {
    const about = JSON.stringify([soughtBy(request), portIdsOf(request), fresh !== undefined]);
    const ask = () => lookForFloatingIps(request, fresh);
    try {
      const answered = await this.#questions.ask(request.key, { about, ask }, request);
      if (answered === "awaited") return unanswered(last);
      const { all, isWhole } = answered.value;
      if (isWhole) this.#remembered.remember(request, all, answered.askedMs);
      return known(all);
    } catch (error) {
      return unknownBecause(error);
    }
  }

  /**
   * Undefined: it is not at rest, or something is no longer where it was. A slow answer about many holds up none of them: the last one stands
   * until it comes, or fails. Then the object asks by itself, and goes on so until it has an answer: silence is told as a refusal is.
   */
  async #asBefore(
    fresh: readonly FloatingIp[],
    request: FloatingIpsQuestion,
  ): Promise<readonly FloatingIp[] | undefined> {
    const { key, sharingKey: group, isAtRest, neutron, monotonicMs, inTime, call } = request;
    const subject = portIdsOf(request);
    if (!isAtRest || subject.length === 0 || this.#questions.isUnanswered(key)) return undefined;
    const ask = async (ports: readonly (readonly PortId[])[]) => {
      const all = await neutron.listFloatingIps({ portIds: ports.flat() }, call);
      return (some: readonly PortId[]) => all.filter(({ portId }) => portId !== undefined && some.includes(portId));
    };
    const asked = this.#shared.get({ key, group, subject, monotonicMs, ask });
    const answered = inTime === undefined ? { value: await asked } : await inTime(asked);
    if (answered === undefined) return fresh;
    const attached = answered.value?.value;
    return attached === undefined ? undefined : withAttached(fresh, attached, request);
  }

  /** By us: what is remembered, and what was asked for before, is from before it. */
  changed(key: string): void {
    this.#shared.leave(key);
    this.#remembered.outdate(key);
    this.#questions.outdate(key);
  }

  createUnanswered(key: string): void {
    this.#remembered.createUnanswered(key);
  }

  stopAsking(key: string): void {
    this.#shared.leave(key);
    this.#questions.forget(key);
  }

  forget(key: string): void {
    this.#remembered.forget(key);
    this.stopAsking(key);
  }
}

function unanswered(last: Recalled | undefined): Known<readonly FloatingIp[]> {
  const unknown = awaited("floating IPs");
  return last === undefined ? unknown : { ...unknown, before: last.all };
}
