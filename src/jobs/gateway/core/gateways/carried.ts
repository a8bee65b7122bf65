// What gateways carry, as questions: whether all that answer carry a Service, and whether an address is free of all of them.

import { type Forwarding, forwardingKey, type GatewayDocument } from "../model/document.ts";
import type { GatewayObserved, GatewayState, PoolObserved } from "../model/observed.ts";

export type Answering = GatewayObserved & { readonly state: Extract<GatewayState, { readonly kind: "answers" }> };

export function answering({ gateways }: Pick<PoolObserved, "gateways">): readonly Answering[] {
  return gateways.filter((one): one is Answering => one.state.kind === "answers");
}

/** Whether a port of a gateway lets an address through; without a port of ours nobody stops it. */
export function isAllowed({ external }: GatewayObserved, address: string): boolean | "unknown" {
  if (external === undefined) return true;
  if (!external.known) return "unknown";
  const { hasPortSecurity, allowedAddressPairs } = external.value;
  return hasPortSecurity === false || allowedAddressPairs.some((pair) => pair.address === address);
}

const byKey = new WeakMap<GatewayDocument, ReadonlyMap<string, Forwarding>>();

/** A document never changes, and is asked about for each Service. */
export function forwardingsOf(document: GatewayDocument): ReadonlyMap<string, Forwarding> {
  const known = byKey.get(document) ?? new Map(document.forwardings.map((one) => [forwardingKey(one), one]));
  byKey.set(document, known);
  return known;
}

const byService = new WeakMap<GatewayDocument, ReadonlyMap<string, ReadonlySet<string>>>();

/** Addresses that a document has for a Service, by `namespace/name`. */
export function addressesFor(document: GatewayDocument, service: string): ReadonlySet<string> {
  const known = byService.get(document) ?? groupedByService(document);
  byService.set(document, known);
  return known.get(service) ?? new Set();
}

function groupedByService({ forwardings }: GatewayDocument): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { service, address } of forwardings) {
    const addresses = found.get(service) ?? new Set();
    found.set(service, addresses.add(address));
  }
  return found;
}

const bySet = new WeakMap<GatewayDocument, ReadonlySet<string>>();

export function addressesIn(document: GatewayDocument | undefined): ReadonlySet<string> {
  if (document === undefined) return new Set();
  const known = bySet.get(document) ?? new Set(document.addresses.map(({ address }) => address));
  bySet.set(document, known);
  return known;
}

/** Why an address cannot be used for anything else yet; undefined: no gateway has it any more. */
export function heldBy(
  address: string,
  { gateways, leaving }: Pick<PoolObserved, "gateways" | "leaving">,
): GatewayObserved | undefined {
  // Of one that left, does not answer and has no port, nothing will ever be known: whoever took it out says that it is gone.
  const left = leaving.filter(({ state, external }) => state.kind === "answers" || external !== undefined);
  return [...gateways, ...left].find((one) => {
    const { state } = one;
    if (state.kind === "awaited") return true;
    if (state.kind === "answers") return addressesIn(state.carried).has(address);
    // One that cannot be asked is fenced by its port: what that does not allow reaches nobody.
    return state.mayCarry.has(address) && !isFenced(one, address);
  });
}

export function isFenced(gateway: GatewayObserved, address: string): boolean {
  return gateway.external !== undefined && isAllowed(gateway, address) === false;
}

/** Every document that is known to be carried, and the latest that was sent. */
export function carriedDocuments(observed: PoolObserved): readonly GatewayDocument[] {
  const all = { gateways: [...observed.gateways, ...observed.leaving] };
  const carried = answering(all).flatMap(({ state }) => state.carried ?? []);
  return observed.previous === undefined ? carried : [observed.previous, ...carried];
}
