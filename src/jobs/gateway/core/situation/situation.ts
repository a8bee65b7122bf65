// One look at a pool, before anything is decided about single Services: who is served, who has which address, and the document that the
// gateways should carry. While the cloud cannot be asked, everybody keeps what gateways carry, and endpoints still follow.

import { isBeingDeleted } from "../../../../core/ownership.ts";
import type { GatewayPoolSpec } from "../../apis/gateway-pool.ts";
import { allocate } from "../allocation/allocate.ts";
import type { Allocation, Assignment, KnownAddress } from "../allocation/claim.ts";
import { endpointCheck } from "../backends/unusable-endpoint.ts";
import { type DocumentNote, gatewayDocument } from "../document/gateway-document.ts";
import { addressesIn, carriedDocuments, forwardingsOf } from "../gateways/carried.ts";
import type { Forwarding, GatewayDocument } from "../model/document.ts";
import type { PoolObserved } from "../model/observed.ts";
import { type NeutronAddress, neutronAddresses, publicAddressOf, supplyOf } from "./addresses.ts";
import { type PoolServices, poolServices, type ServedService } from "./pool-services.ts";

export interface Situation {
  readonly observed: PoolObserved;
  readonly spec: GatewayPoolSpec;
  readonly isLeaving: boolean;
  readonly services: PoolServices;
  /** What is ours in Neutron, used or not; undefined while nobody knows. */
  readonly addresses: readonly NeutronAddress[] | undefined;
  readonly allocation: Allocation;
  readonly targets: readonly ServiceTarget[];
  readonly document: GatewayDocument;
  readonly documentNotes: readonly DocumentNote[];
  readonly quarantined: ReadonlySet<string>;
}

/** Where a Service is to be. */
export interface ServiceTarget {
  readonly served: ServedService;
  readonly places: readonly Assignment[];
  /** Of its places those that are there, in the order of its families. */
  readonly known: readonly KnownAddress[];
  /** What clients will use; undefined while a part of it is not there. */
  readonly published: readonly string[] | undefined;
}

const nothing: Allocation = { assignments: [], refusals: [], notices: [] };

export function situationOf(observed: PoolObserved): Situation {
  const { pool, neutron } = observed;
  const spec = pool.spec ?? {};
  const services = poolServices(observed);
  const seen = neutron?.known === true ? neutron.value : undefined;
  const addresses = seen === undefined ? undefined : neutronAddresses(spec, seen);
  const isBlind = neutron !== undefined && seen === undefined;
  const before = byService(observed.previous?.forwardings ?? []);
  const served = services.served.map((one) => withCarried(one, before.get(one.key) ?? []));
  const quarantined = quarantinedAddresses(served, addresses ?? [], observed);
  const allocation = isBlind
    ? nothing
    : allocate({
        supply: supplyOf(spec, addresses ?? [], seen?.subnets ?? []),
        sharing: spec.sharing ?? "ByPort",
        claims: served.map(({ ask }) => ask.claim),
        carriedBy: carriedBy(observed.previous),
        quarantined,
        reserved: reservedAddresses(spec),
        ...(spec.limits?.addresses === undefined ? {} : { maxAddresses: spec.limits.addresses }),
        ...(spec.limits?.servicesPerNamespace === undefined
          ? {}
          : { maxServicesPerNamespace: spec.limits.servicesPerNamespace }),
      });
  const targets = targetsOf(served, allocation, spec);
  const { document, notes } = documentOf(targets, { before, isBlind }, observed);
  return {
    observed,
    spec,
    isLeaving: isBeingDeleted(pool),
    services,
    addresses: neutron === undefined ? [] : addresses,
    allocation,
    targets,
    document,
    documentNotes: notes,
    quarantined,
  };
}

function byService<T extends { readonly service: string }>(items: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const list = found.get(item.service) ?? [];
    list.push(item);
    found.set(item.service, list);
  }
  return found;
}

/** What gateways carry for a Service speaks for it, when somebody took away everything that was written on it. */
function withCarried(one: ServedService, carried: readonly Forwarding[]): ServedService {
  const { ask } = one;
  if (carried.length === 0) return one;
  const published = [...new Set([...ask.claim.published, ...carried.map(({ address }) => address)])];
  return { ...one, ask: { ...ask, claim: { ...ask.claim, published } } };
}

/** What a gateway may still carry, and no Service of ours holds. */
function quarantinedAddresses(
  served: readonly ServedService[],
  known: readonly NeutronAddress[],
  observed: PoolObserved,
): ReadonlySet<string> {
  const byName = new Map(
    known.flatMap((one) => [one.id, one.publicAddress ?? one.id].map((name) => [name, one.address] as const)),
  );
  const held = new Set(
    served.flatMap(({ ask: { claim } }) =>
      [...claim.recorded, ...claim.published].map((name) => byName.get(name) ?? name),
    ),
  );
  const carried = carriedDocuments(observed).flatMap((document) => [...addressesIn(document)]);
  const silent = observed.gateways.flatMap(({ state }) => (state.kind === "silent" ? [...state.mayCarry] : []));
  return new Set([...carried, ...silent].filter((address) => !held.has(address)));
}

function reservedAddresses({ vrrp, gateways = [] }: GatewayPoolSpec): ReadonlySet<string> {
  const sources = (vrrp?.groups ?? []).flatMap(({ sourceAddresses = [] }) => sourceAddresses);
  return new Set([...sources, ...gateways.flatMap(({ vrrpAddress }) => vrrpAddress ?? [])]);
}

function carriedBy(document: GatewayDocument | undefined): ReadonlyMap<string, string> {
  const keys = document === undefined ? [] : [...forwardingsOf(document)];
  return new Map(keys.map(([key, { service }]) => [key, service]));
}

function targetsOf(
  served: readonly ServedService[],
  { assignments }: Allocation,
  spec: GatewayPoolSpec,
): readonly ServiceTarget[] {
  const assigned = byService(assignments);
  return served.map((one) => {
    const { families } = one.ask.claim;
    const places = (assigned.get(one.key) ?? []).toSorted(
      (a, b) => families.indexOf(a.family) - families.indexOf(b.family),
    );
    const known = places.flatMap(({ place }) => (place.kind === "known" ? [place.address] : []));
    const shown = known.flatMap((address) => publicAddressOf(address, spec) ?? []);
    return { served: one, places, known, published: shown.length === places.length ? shown : undefined };
  });
}

/** A Service is carried where it has been recorded, or where it is carried already. */
function documentOf(
  targets: readonly ServiceTarget[],
  { before, isBlind }: { readonly before: ReadonlyMap<string, readonly Forwarding[]>; readonly isBlind: boolean },
  observed: PoolObserved,
) {
  const { pool, epoch, previous, nodes, slices } = observed;
  const spec = pool.spec ?? {};
  const services = targets.map(({ served: { key, ask, record }, known, places }) => {
    const carried = new Set((before.get(key) ?? []).map(({ address }) => address));
    const recorded = known.filter(({ id, address }) => record.ports.includes(id) || carried.has(address));
    const left = places.flatMap(({ from }) => (from === undefined ? [] : [from.address]));
    return {
      ask,
      addresses: isBlind ? [...carried] : recorded.map(({ address }) => address),
      leaves: left.filter((address) => carried.has(address)),
      slices: slices.get(key) ?? [],
    };
  });
  const virtual = new Set([
    ...services.flatMap(({ addresses, leaves }) => [...addresses, ...leaves]),
    ...(spec.vrrp?.groups ?? []).flatMap(({ sourceAddresses = [] }) => sourceAddresses),
  ]);
  const ofGateways = new Set((spec.gateways ?? []).flatMap(({ vrrpAddress }) => vrrpAddress ?? []));
  const check = endpointCheck({ ofGateways, virtual });
  return gatewayDocument({
    pool: pool.metadata.name,
    spec,
    epoch,
    services,
    nodes,
    check,
    ...(previous === undefined ? {} : { previous }),
  });
}
