// The floating IPs that matter to an object: on our VIPs, marked as ours, or written down by somebody. Those on the VIPs are asked for
// each time, since they can be moved by hand; of an object at rest every few minutes (pace.ts), and for many in one list
// (shared-answers.ts). The rest is asked for only when there are other balancers, more is written down, or the last answer is old: neither
// a member's health nor status that somebody wipes asks Neutron anything. A slow Neutron holds up nobody: until it answers they are unknown.

import { type Known, known } from "../../../../core/known.ts";
import { canonicalAddress } from "../../../../core/net/ip.ts";
import type { PortId } from "../../../../core/openstack/ids.ts";
import type { FloatingIp, FloatingIpQuery } from "../../../../core/openstack/neutron-objects.ts";
import { type Asking, Questions } from "../../../../engine/round/questions.ts";
import type { NeutronReader } from "../../../../ports/neutron.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import { type EndpointIntent, zonesOf } from "../../core/model/intent.ts";
import { floatingIpDescription, isFloatingIpDescriptionOf } from "../../core/model/names.ts";
import type { BalancerObserved, RecordedEndpoint } from "../../core/model/observed.ts";
import { ownerTag } from "../../core/model/ownership.ts";
import { awaited, unknownBecause } from "./attempt.ts";
import { floatingIpsEveryMs, lookUpEveryMs } from "./pace.ts";
import { SharedAnswers } from "./shared-answers.ts";

export interface FloatingIpsQuestion extends Asking {
  readonly key: string;
  readonly endpointKey: string;
  /** As for balancers: see observed-balancers.ts. */
  readonly sharingKey: string;
  readonly isAtRest: boolean;
  readonly intent: EndpointIntent;
  readonly recorded: RecordedEndpoint;
  readonly balancers: readonly BalancerObserved[];
  readonly neutron: NeutronReader;
  readonly call: CloudCallOptions;
}

interface Remembered {
  /** What was asked for beside those on our VIPs. */
  readonly sought: Sought;
  readonly all: readonly FloatingIp[];
  readonly askedMs: number;
  /** Of the balancers at that time: see `balancersOf`. */
  readonly balancers: string;
}

interface Sought {
  readonly endpointKey: string;
  readonly ownerId: string | undefined;
  readonly deleting: boolean;
  readonly zones: readonly string[];
  readonly addresses: readonly string[];
}

/** The driver asks for 50 ports at a time, and a cluster rarely has more than three zones. */
const mostInOneList = 16;

interface Found {
  readonly all: readonly FloatingIp[];
  /** Not only those on our VIPs were asked for. */
  readonly isWhole: boolean;
}

export class ObservedFloatingIps {
  readonly #remembered = new Map<string, Remembered>();
  readonly #questions = new Questions<Found>();
  /** On our VIPs. */
  readonly #shared: SharedAnswers<readonly PortId[], readonly FloatingIp[]>;

  constructor({ observeAgainMs }: { readonly observeAgainMs: number }) {
    this.#shared = new SharedAnswers({ lifetimeMs: floatingIpsEveryMs(observeAgainMs), most: mostInOneList });
  }

  async observe(request: FloatingIpsQuestion): Promise<Known<readonly FloatingIp[]>> {
    const { key, intent } = request;
    const sought = soughtBy(request);
    const last = this.#lastAnswer(request, sought);
    const fresh = isFresh(last, request) ? last?.all : undefined;
    if (fresh !== undefined && !intent.floatingIp.enabled) return known(fresh);
    const asBefore = fresh === undefined ? undefined : await this.#asBefore(fresh, request);
    if (asBefore !== undefined) return known(asBefore);
    this.#shared.leave(key);
    const about = JSON.stringify([sought, portIdsOf(request), fresh !== undefined]);
    try {
      const answered = await this.#questions.ask(key, { about, ask: () => ask(request, fresh) }, request);
      if (answered === "awaited") return unanswered(last);
      const { value, askedMs } = answered;
      const { all, isWhole } = value;
      if (isWhole) this.#remembered.set(key, { sought, all, askedMs, balancers: balancersOf(request) });
      return known(all);
    } catch (error) {
      return unknownBecause(error);
    }
  }

  /**
   * Undefined: it is not at rest, or something is no longer where it was. A slow answer about many holds up none of them: the last one stands
   * until it comes, or fails.
   */
  async #asBefore(
    fresh: readonly FloatingIp[],
    request: FloatingIpsQuestion,
  ): Promise<readonly FloatingIp[] | undefined> {
    const { key, sharingKey: group, isAtRest, neutron, nowMs, inTime, call } = request;
    const subject = portIdsOf(request);
    if (!isAtRest || subject.length === 0) return undefined;
    const ask = async (ports: readonly (readonly PortId[])[]) => {
      const all = await neutron.listFloatingIps({ portIds: ports.flat() }, call);
      return (some: readonly PortId[]) => all.filter(({ portId }) => portId !== undefined && some.includes(portId));
    };
    const asked = this.#shared.get({ key, group, subject, nowMs, ask });
    const answered = inTime === undefined ? { value: await asked } : await inTime(asked);
    if (answered === undefined) return fresh;
    const attached = answered.value?.value;
    return attached !== undefined && stillThere(fresh, attached, request) ? unique([...fresh, ...attached]) : undefined;
  }

  /** By us: what is remembered, and what was asked for before, is from before it. */
  changed(key: string): void {
    this.#shared.leave(key);
    this.#remembered.delete(key);
    this.#questions.outdate(key);
  }

  stopAsking(key: string): void {
    this.#shared.leave(key);
    this.#questions.forget(key);
  }

  forget(key: string): void {
    this.#remembered.delete(key);
    this.stopAsking(key);
  }

  /** As far as it is about what is sought now: status may have named more before somebody wiped it. */
  #lastAnswer(request: FloatingIpsQuestion, sought: Sought): Remembered | undefined {
    const last = this.#remembered.get(request.key);
    if (last === undefined || !covers(last.sought, sought)) return undefined;
    const ports = portIdsOf(request);
    const isOnOurs = ({ portId }: FloatingIp) => portId !== undefined && ports.includes(portId);
    return { ...last, all: last.all.filter((one) => isOnOurs(one) || matters(one, request)) };
  }
}

/** Once there are other balancers it is old, until there is another. */
function isFresh(last: Remembered | undefined, request: FloatingIpsQuestion): boolean {
  if (last === undefined || last.balancers !== balancersOf(request)) return false;
  return request.nowMs - last.askedMs < lookUpEveryMs(request);
}

/** What about balancers concerns floating IPs. Who answers behind them does not. */
function balancersOf({ balancers }: FloatingIpsQuestion): string {
  const rows = balancers.map(({ balancer: { id, vipPortId, provisioningStatus } }) =>
    [id, vipPortId, provisioningStatus].join(),
  );
  return rows.toSorted().join(" ");
}

function unanswered(last: Remembered | undefined): Known<readonly FloatingIp[]> {
  const unknown = awaited("floating IPs");
  return last === undefined ? unknown : { ...unknown, before: last.all };
}

async function ask(request: FloatingIpsQuestion, fresh: readonly FloatingIp[] | undefined): Promise<Found> {
  const attached = await attachedToOurs(request);
  if (fresh !== undefined && stillThere(fresh, attached, request))
    return { all: unique([...fresh, ...attached]), isWhole: false };
  const { neutron, call } = request;
  const found = await Promise.all(markedOrNamed(request).map((query) => neutron.listFloatingIps(query, call)));
  return { all: unique([...found.flat().filter((one) => matters(one, request)), ...attached]), isWhole: true };
}

/**
 * One that was on a VIP of ours and is not any more has gone somewhere, and one that was elsewhere may be free by now: then all are
 * asked for again. Without balancers a machine has it, and keeps it.
 */
function stillThere(
  before: readonly FloatingIp[],
  attached: readonly FloatingIp[],
  { balancers, intent }: FloatingIpsQuestion,
): boolean {
  const ports = new Set(balancers.map(({ balancer }) => balancer.vipPortId));
  return before.every(({ id, portId }) => {
    if (portId === undefined) return true;
    return ports.has(portId) ? attached.some((one) => one.id === id) : intent.mode === "none";
  });
}

async function attachedToOurs(request: FloatingIpsQuestion): Promise<readonly FloatingIp[]> {
  const portIds = portIdsOf(request);
  return portIds.length === 0 ? [] : await request.neutron.listFloatingIps({ portIds }, request.call);
}

function portIdsOf({ balancers }: FloatingIpsQuestion): readonly PortId[] {
  return balancers.map(({ balancer }) => balancer.vipPortId).filter((id) => id !== "");
}

function soughtBy({ endpointKey, intent, recorded }: FloatingIpsQuestion): Sought {
  const { ownerId, deleting } = intent;
  const zones = new Set([...zonesOf(intent), ...recorded.zones].map(({ zone }) => zone));
  return { endpointKey, ownerId, deleting, zones: [...zones].toSorted(), addresses: namedAddresses(intent, recorded) };
}

/** What was sought before is at least what is sought now. */
function covers(before: Sought, now: Sought): boolean {
  if (before.endpointKey !== now.endpointKey || before.ownerId !== now.ownerId) return false;
  if (before.deleting !== now.deleting) return false;
  const isSought = (all: readonly string[], some: readonly string[]) => some.every((one) => all.includes(one));
  return isSought(before.zones, now.zones) && isSought(before.addresses, now.addresses);
}

function markedOrNamed(request: FloatingIpsQuestion): readonly FloatingIpQuery[] {
  const { ownerId, deleting, zones, addresses } = soughtBy(request);
  if (ownerId === undefined) return [];
  // The last time of all: Neutron finds no part of a description, and nobody may remember the zone of one that was never tagged.
  if (deleting) return [{}];
  const descriptions = [undefined, ...zones].map((zone) => floatingIpDescription(ownerId, zone));
  return [
    { tags: [ownerTag(ownerId)] },
    // One whose tags were not written yet.
    { descriptions },
    ...(addresses.length === 0 ? [] : [{ addresses }]),
  ];
}

function matters({ tags, description, address }: FloatingIp, { intent, recorded }: FloatingIpsQuestion): boolean {
  const { ownerId = "" } = intent;
  const isMarked = tags.includes(ownerTag(ownerId)) || isFloatingIpDescriptionOf(ownerId, description);
  return isMarked || namedAddresses(intent, recorded).includes(canonicalAddress(address) ?? "");
}

/** Addresses that somebody wrote down: in the spec, in status, or as the endpoint itself. */
function namedAddresses(
  { floatingIp, endpoint }: EndpointIntent,
  { zones, single }: RecordedEndpoint,
): readonly string[] {
  const named = [floatingIp.address, endpoint?.host, single?.address, ...zones.map(({ address }) => address)];
  return [...new Set(named.flatMap((address) => canonicalAddress(address ?? "") ?? []))].toSorted();
}

/** The last of several with one id counts. */
function unique(all: readonly FloatingIp[]): readonly FloatingIp[] {
  const byId = new Map(all.map((one) => [one.id, one]));
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
