// The floating IPs that matter to an object: on our VIPs, marked as ours, or written down by somebody. Those on the VIPs are asked for
// each time, since they can be moved by hand; the rest only when the balancers have changed, or the last answer is old.

import { canonicalAddress } from "../../../../core/net/ip.ts";
import type { FloatingIp, FloatingIpQuery } from "../../../../core/openstack/neutron-objects.ts";
import type { NeutronReader } from "../../../../ports/neutron.ts";
import type { CloudCallOptions } from "../../../../ports/openstack.ts";
import { type EndpointIntent, zonesOf } from "../../core/model/intent.ts";
import { floatingIpDescription, isFloatingIpDescriptionOf } from "../../core/model/names.ts";
import type { BalancerObserved, RecordedEndpoint } from "../../core/model/observed.ts";
import { ownerTag } from "../../core/model/ownership.ts";

export interface FloatingIpsQuestion {
  readonly key: string;
  readonly endpointKey: string;
  readonly intent: EndpointIntent;
  readonly recorded: RecordedEndpoint;
  readonly balancers: readonly BalancerObserved[];
  /** The balancers are as they were: see observed-balancers.ts. */
  readonly isUnchanged: boolean;
  readonly neutron: NeutronReader;
  readonly nowMs: number;
  readonly call: CloudCallOptions;
}

interface Remembered {
  /** What was asked for beside those on our VIPs. */
  readonly question: string;
  readonly all: readonly FloatingIp[];
  readonly askedMs: number;
}

const lifetimeMs = 600_000;

export class ObservedFloatingIps {
  readonly #remembered = new Map<string, Remembered>();

  async observe(request: FloatingIpsQuestion): Promise<readonly FloatingIp[]> {
    const { key, isUnchanged, nowMs, intent } = request;
    const asked = markedOrNamed(request);
    const question = JSON.stringify([request.endpointKey, asked]);
    const known = this.#remembered.get(key);
    const isFresh = isUnchanged && known?.question === question && nowMs - known.askedMs < lifetimeMs;
    const fresh = isFresh ? known.all : undefined;
    if (fresh !== undefined && !intent.floatingIp.enabled) return fresh;
    const attached = await attachedToOurs(request);
    if (fresh !== undefined && stillThere(fresh, attached, request)) return unique([...fresh, ...attached]);
    const found = await Promise.all(asked.map((query) => request.neutron.listFloatingIps(query, request.call)));
    const all = unique([...found.flat().filter((one) => matters(one, request)), ...attached]);
    this.#remembered.set(key, { question, all, askedMs: nowMs });
    return all;
  }

  /** Also after a change of ours: what is remembered is from before it. */
  forget(key: string): void {
    this.#remembered.delete(key);
  }
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

async function attachedToOurs({ balancers, neutron, call }: FloatingIpsQuestion): Promise<readonly FloatingIp[]> {
  const portIds = balancers.map(({ balancer }) => balancer.vipPortId).filter((id) => id !== "");
  return portIds.length === 0 ? [] : await neutron.listFloatingIps({ portIds }, call);
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
