// Which Service has which address: a pure function of the pool, its Services and the addresses that are ours, whatever their order.
//
//   1. Everybody's recorded addresses, before anybody gets a new one. Who is carried by gateways keeps what it has; otherwise the oldest
//      Service wins, and the loser is treated as new.
//   2. Requested addresses, the oldest first. Who asks for one that cannot be had keeps the old one.
//   3. Whoever still lacks an address: one that others of its domain have, with room for its ports; else the lowest that nobody has.

import { familyOf, type IpFamily } from "../../../../core/net/ip.ts";
import { forwardingKey } from "../model/document.ts";
import { type AddressStock, addressStock, byOrder } from "./address-stock.ts";
import {
  type AddressClaim,
  type AddressNotice,
  type AddressRefusal,
  type Allocation,
  type AllocationInput,
  type Assignment,
  byAge,
  type KnownAddress,
} from "./claim.ts";
import { type HeldAddress, type Obstacle, obstacle, SharedAddresses, take } from "./held-address.ts";
import * as say from "./refusals.ts";
import { sharingDomain, sharingWish } from "./sharing.ts";

/** A Service while addresses are handed out. */
interface Applicant {
  readonly claim: AddressClaim;
  readonly domain: string;
  readonly wish: string;
  readonly has: Map<IpFamily, HeldAddress>;
  /** What it had and cannot keep, or leaves for another. */
  readonly leaves: Map<IpFamily, KnownAddress>;
  /** Refusals by family: they count when it gets none, or needs all. */
  readonly lacks: Map<IpFamily, AddressRefusal>;
}

interface Round {
  readonly input: AllocationInput;
  readonly stock: AddressStock;
  readonly refusals: AddressRefusal[];
  readonly notices: AddressNotice[];
  readonly shared: Map<string, SharedAddresses>;
  readonly servicesIn: Map<string, number>;
  addressesInUse: number;
}

export function allocate(input: AllocationInput): Allocation {
  const applicants = input.claims.toSorted(byAge).map((claim) => applicant(claim, input));
  const round: Round = {
    input,
    stock: addressStock(input),
    refusals: [],
    notices: [],
    shared: new Map(),
    servicesIn: new Map(),
    addressesInUse: 0,
  };
  for (const one of applicants) sayUnknownRecords(one, round);
  for (const record of incumbentsFirst(applicants, round)) keepRecorded(record, round);
  for (const one of applicants) if (one.has.size > 0) countService(one, round);
  for (const one of applicants) if (one.claim.requested.length > 0) giveRequested(one, round);
  openForSharing(round);
  for (const one of applicants) giveMissing(one, round);
  return {
    assignments: applicants.toSorted((a, b) => (a.claim.service < b.claim.service ? -1 : 1)).flatMap(assignmentsOf),
    refusals: round.refusals,
    notices: round.notices,
  };
}

function applicant(claim: AddressClaim, { sharing }: AllocationInput): Applicant {
  const [domain, wish] = [sharingDomain(claim, sharing), sharingWish(claim)];
  return { claim, domain, wish, has: new Map(), leaves: new Map(), lacks: new Map() };
}

/** An address that speaks for a Service: gateways carry all, some or none of the Service's ports there. */
interface RecordedAddress {
  readonly one: Applicant;
  readonly held: HeldAddress;
  readonly carried: "all" | "some" | "none";
}

const carriedRanks = { all: 0, some: 1, none: 2 } as const;

/**
 * Who is carried with all its ports comes before who is carried with some, and that before who only has a record: a Service that gets
 * another port never takes it from one that has it. One that wants to be alone now, on an address that others have, is the one to go.
 */
function incumbentsFirst(applicants: readonly Applicant[], { stock, input }: Round): readonly RecordedAddress[] {
  return applicants
    .flatMap((one) => {
      const names = [...one.claim.recorded, ...one.claim.published];
      const held = new Set(names.flatMap((name) => stock.find(name) ?? []));
      return [...held].map((address) => ({ one, held: address, carried: carriedPart(one, address, input) }));
    })
    .toSorted(
      (a, b) =>
        carriedRanks[a.carried] - carriedRanks[b.carried] ||
        Number(a.one.claim.isDedicated) - Number(b.one.claim.isDedicated),
    );
}

function carriedPart(
  { claim }: Applicant,
  { place }: HeldAddress,
  { carriedBy }: AllocationInput,
): RecordedAddress["carried"] {
  if (place.kind === "new" || carriedBy === undefined) return "none";
  const { address } = place.address;
  const carried = claim.ports.filter((port) => carriedBy.get(forwardingKey({ address, ...port })) === claim.service);
  return carried.length === 0 ? "none" : carried.length < claim.ports.length ? "some" : "all";
}

function sayUnknownRecords({ claim }: Applicant, { stock, notices }: Round): void {
  for (const name of claim.recorded) if (stock.find(name) === undefined) notices.push(say.recordUnknown(claim, name));
}

function keepRecorded({ one, held, carried }: RecordedAddress, round: Round): void {
  if (!one.claim.families.includes(held.family) || one.has.has(held.family)) return;
  const problem = obstacle(held, one.claim, { ...one, stays: carried !== "none" });
  if (problem === undefined) keep(one, held, round);
  else lose(one, held, problem, round);
}

function keep(one: Applicant, held: HeldAddress, round: Round): void {
  if (held.domain !== undefined && held.domain !== one.domain)
    round.notices.push(say.keptAgainstPolicy(one.claim, held));
  give(one, held, round);
  one.leaves.delete(held.family);
}

function lose(one: Applicant, held: HeldAddress, problem: Obstacle, { notices }: Round): void {
  notices.push(say.addressLost(one.claim, held, problem));
  if (held.place.kind === "known" && !one.leaves.has(held.family)) one.leaves.set(held.family, held.place.address);
}

function give(one: Applicant, held: HeldAddress, round: Round): void {
  if (held.domain === undefined) round.addressesInUse += 1;
  take(held, one.claim, one.domain, one.wish);
  one.has.set(held.family, held);
}

function countService({ claim: { namespace } }: Applicant, { servicesIn }: Round): void {
  servicesIn.set(namespace, (servicesIn.get(namespace) ?? 0) + 1);
}

function giveRequested(one: Applicant, round: Round): void {
  const { claim } = one;
  for (const address of claim.requested) {
    const family = familyOf(address);
    if (family === undefined || !claim.families.includes(family)) {
      round.refusals.push(say.familyNotAsked(claim, address));
      continue;
    }
    const held = round.stock.request(address, claim);
    const now = one.has.get(family);
    if (held !== undefined && held === now) continue;
    const refusal = requestRefusal(one, address, held, round);
    if (refusal !== undefined) {
      round.refusals.push(refusal);
      // It gets no other instead: whoever names an address has a reason to.
      one.lacks.set(family, refusal);
      continue;
    }
    if (held === undefined) continue;
    if (now?.place.kind === "known") one.leaves.set(family, now.place.address);
    if (one.has.size === 0) countService(one, round);
    give(one, held, round);
  }
}

function requestRefusal(
  one: Applicant,
  address: string,
  held: HeldAddress | undefined,
  round: Round,
): AddressRefusal | undefined {
  const { claim } = one;
  if (held === undefined) return say.outsidePool(claim, address);
  if (round.input.quarantined?.has(address) === true) return say.quarantined(claim, address);
  const problem = obstacle(held, claim, { ...one, stays: false });
  if (problem !== undefined) return say.taken(claim, address, problem);
  return limitRefusal(one, round, held.domain === undefined);
}

/** What everybody has by now, in order; what is opened from here on comes after it. */
function openForSharing(round: Round): void {
  for (const held of [...round.stock.held()].toSorted(byOrder)) if (isOpen(held, round)) share(held, round);
}

function isOpen({ domain, isMixed, place }: HeldAddress, { input }: Round): boolean {
  const isQuarantined = place.kind === "known" && input.quarantined?.has(place.address.address) === true;
  return domain !== undefined && !isMixed && !isQuarantined;
}

function share(held: HeldAddress, { shared }: Round): void {
  const key = `${held.family} ${held.domain}`;
  const list = shared.get(key) ?? new SharedAddresses();
  if (!shared.has(key)) shared.set(key, list);
  list.add(held);
}

function giveMissing(one: Applicant, round: Round): void {
  const { claim, has, lacks } = one;
  const isNew = has.size === 0;
  for (const family of claim.families) {
    if (has.has(family) || lacks.has(family)) continue;
    const refusal = giveAny(one, family, round);
    if (refusal !== undefined) lacks.set(family, refusal);
  }
  if (isNew && has.size > 0) countService(one, round);
  for (const refusal of lacks.values()) {
    if (round.refusals.includes(refusal)) continue;
    if (claim.needsAllFamilies || has.size === 0) round.refusals.push(refusal);
    else if (refusal.why !== "FamilyNotInPool") round.notices.push(say.familyLeftOut(refusal));
  }
}

function giveAny(one: Applicant, family: IpFamily, round: Round): AddressRefusal | undefined {
  const { claim, domain } = one;
  if (!round.stock.hasFamily(family)) return say.familyNotInPool(claim, family);
  const beside = round.shared.get(`${family} ${domain}`)?.find(claim);
  const refusal = limitRefusal(one, round, beside === undefined);
  if (refusal !== undefined) return refusal;
  const held = beside ?? round.stock.free(family, claim);
  if (held === undefined) return say.exhausted(claim, family);
  give(one, held, round);
  if (beside === undefined) share(held, round);
  return undefined;
}

function limitRefusal({ claim, has }: Applicant, round: Round, needsAddress: boolean): AddressRefusal | undefined {
  const { maxAddresses = Infinity, maxServicesPerNamespace = Infinity } = round.input;
  const services = round.servicesIn.get(claim.namespace) ?? 0;
  if (has.size === 0 && services >= maxServicesPerNamespace) return say.namespaceFull(claim, maxServicesPerNamespace);
  return needsAddress && round.addressesInUse >= maxAddresses ? say.addressLimit(claim, maxAddresses) : undefined;
}

function assignmentsOf({ claim: { service }, has, leaves }: Applicant): readonly Assignment[] {
  return [...has.values()]
    .toSorted((a, b) => a.family - b.family)
    .map(({ family, place }) => {
      const from = leaves.get(family);
      return from === undefined ? { service, family, place } : { service, family, place, from };
    });
}
