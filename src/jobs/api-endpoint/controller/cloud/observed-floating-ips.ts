// The floating IPs that matter to an object: on our VIPs, marked as ours, or written down by somebody. Those on the VIPs are asked for
// each time, since they can be moved by hand; of an object at rest every few minutes (pace.ts), and for many in one list
// (shared-answers.ts). The rest is asked for only when the balancers have changed, or the last answer is old. A slow Neutron holds up
// nobody: until it answers they are unknown.

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
import { floatingIpsEveryMs } from "./pace.ts";
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
  /** The balancers are as they were: see observed-balancers.ts. */
  readonly isUnchanged: boolean;
  readonly neutron: NeutronReader;
  readonly call: CloudCallOptions;
}

interface Remembered {
  /** What was asked for beside those on our VIPs. */
  readonly question: string;
  readonly all: readonly FloatingIp[];
  readonly askedMs: number;
}

/** Of an object at rest they are asked for together with everything below its balancers, once an hour. */
const lifetimeMs = 600_000;
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
    const { key, nowMs, intent, isAtRest } = request;
    const question = JSON.stringify([request.endpointKey, markedOrNamed(request)]);
    const last = this.#lastAnswer(request, question);
    const ageMs = nowMs - (last?.askedMs ?? Number.NEGATIVE_INFINITY);
    const fresh = ageMs < (isAtRest ? Number.POSITIVE_INFINITY : lifetimeMs) ? last?.all : undefined;
    if (fresh !== undefined && !intent.floatingIp.enabled) return known(fresh);
    const asBefore = fresh === undefined ? undefined : await this.#asBefore(fresh, request);
    if (asBefore !== undefined) return known(asBefore);
    this.#shared.leave(key);
    const about = JSON.stringify([question, portIdsOf(request), fresh !== undefined]);
    try {
      const answered = await this.#questions.ask(key, { about, ask: () => ask(request, fresh) }, request);
      if (answered === "awaited") return unanswered(last);
      const { all, isWhole } = answered.value;
      if (isWhole) this.#remembered.set(key, { question, all, askedMs: answered.askedMs });
      return known(all);
    } catch (error) {
      return unknownBecause(error);
    }
  }

  /** Undefined: it is not at rest, or something is no longer where it was. */
  async #asBefore(
    fresh: readonly FloatingIp[],
    request: FloatingIpsQuestion,
  ): Promise<readonly FloatingIp[] | undefined> {
    const { key, sharingKey: group, isAtRest, isUnchanged, neutron, nowMs, call } = request;
    const subject = portIdsOf(request);
    if (!isAtRest || !isUnchanged || subject.length === 0) return undefined;
    const ask = async (ports: readonly (readonly PortId[])[]) => {
      const all = await neutron.listFloatingIps({ portIds: ports.flat() }, call);
      return (some: readonly PortId[]) => all.filter(({ portId }) => portId !== undefined && some.includes(portId));
    };
    const shared = await this.#shared.get({ key, group, subject, nowMs, ask });
    if (shared === undefined || !stillThere(fresh, shared.value, request)) return undefined;
    return unique([...fresh, ...shared.value]);
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

  /** Once the balancers have changed it is old, until there is another. */
  #lastAnswer({ key, isUnchanged }: FloatingIpsQuestion, question: string): Remembered | undefined {
    const last = this.#remembered.get(key);
    if (last?.question !== question) return undefined;
    if (isUnchanged) return last;
    const old = { ...last, askedMs: Number.NEGATIVE_INFINITY };
    this.#remembered.set(key, old);
    return old;
  }
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

function markedOrNamed({ intent, recorded }: FloatingIpsQuestion): readonly FloatingIpQuery[] {
  const { ownerId, deleting } = intent;
  if (ownerId === undefined) return [];
  // The last time of all: Neutron finds no part of a description, and nobody may remember the zone of one that was never tagged.
  if (deleting) return [{}];
  const zones = new Set([...zonesOf(intent), ...recorded.zones].map(({ zone }) => zone));
  const descriptions = [undefined, ...zones].map((zone) => floatingIpDescription(ownerId, zone));
  const addresses = namedAddresses(intent, recorded);
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
