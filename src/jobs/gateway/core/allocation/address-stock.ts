// All addresses of a pool while they are handed out: by name, by number, and the lowest that nobody has.

import { canonicalAddress, familyOf, type IpFamily } from "../../../../core/net/ip.ts";
import { type AddressRange, addressNumber, addressText, isInRanges } from "../pools/address-ranges.ts";
import type { AddressClaim, AllocationInput, KnownAddress } from "./claim.ts";
import { type HeldAddress, heldAddress } from "./held-address.ts";

export interface AddressStock {
  /** By id, by address or by public address. Undefined: it is not the pool's. */
  find(name: string): HeldAddress | undefined;
  /** An address that somebody asks for; it may have to be made. Undefined: it cannot be the pool's. */
  request(address: string, claim: AddressClaim): HeldAddress | undefined;
  /** Nobody has it; it may have to be made. Undefined: there is none. */
  free(family: IpFamily, claim: AddressClaim): HeldAddress | undefined;
  hasFamily(family: IpFamily): boolean;
  /** All that were looked at. */
  held(): Iterable<HeldAddress>;
}

/** Addresses that are to be made come after all that are there. */
const last = 1n << 130n;

export function addressStock(input: AllocationInput): AddressStock {
  const { supply, quarantined = new Set<string>(), reserved = new Set<string>() } = input;
  const ranges = supply.kind === "static" ? supply.ranges : supply.subnets;
  const isFree = (held: HeldAddress) =>
    held.domain === undefined && held.place.kind === "known" && !quarantined.has(held.place.address.address);
  const all = new Map<string, HeldAddress>();
  const names = new Map<string, HeldAddress>();

  function add(known: KnownAddress): HeldAddress | undefined {
    const [family, order] = [familyOf(known.address), addressNumber(known.address)];
    if (family === undefined || order === undefined || reserved.has(known.address)) return undefined;
    if (!isInRanges(known.address, ranges)) return undefined;
    const held = heldAddress({ kind: "known", address: known }, family, order);
    all.set(known.id, held);
    for (const name of [known.id, known.address, known.publicAddress]) if (name !== undefined) names.set(name, held);
    return held;
  }

  function make(family: IpFamily, { uid }: AddressClaim, requested?: string): HeldAddress {
    const slot = `${uid}/IPv${family}`;
    const place = { kind: "new", slot, family } as const;
    const held = heldAddress(requested === undefined ? place : { ...place, requested }, family, last);
    all.set(slot, held);
    if (requested !== undefined) names.set(requested, held);
    return held;
  }

  function listed(address: string): HeldAddress | undefined {
    return supply.kind === "static" ? add({ id: address, address }) : undefined;
  }

  function find(name: string): HeldAddress | undefined {
    const text = canonicalAddress(name) ?? name;
    return names.get(text) ?? listed(text);
  }

  if (supply.kind === "neutron") for (const known of supply.known) add(known);
  const unused = [...all.values()].toSorted(byOrder);
  const nextUnused: Record<IpFamily, Generator<HeldAddress>> = {
    4: supply.kind === "static" ? unlisted(4) : unheld(4),
    6: supply.kind === "static" ? unlisted(6) : unheld(6),
  };

  function* unheld(family: IpFamily): Generator<HeldAddress> {
    for (const held of unused) if (held.family === family && isFree(held)) yield held;
  }

  function* unlisted(family: IpFamily): Generator<HeldAddress> {
    for (const address of addressesIn(ranges, family)) {
      const held = reserved.has(address) || quarantined.has(address) ? undefined : find(address);
      if (held !== undefined && isFree(held)) yield held;
    }
  }

  return {
    find,
    request(address, claim) {
      const known = find(address);
      if (known !== undefined) return known;
      const family = familyOf(address);
      const canBeMade = supply.kind === "neutron" && family !== undefined && !reserved.has(address);
      return canBeMade && isInRanges(address, ranges) ? make(family, claim, address) : undefined;
    },
    free(family, claim) {
      const next = nextUnused[family].next();
      if (next.done !== true) return next.value;
      const canBeMade = supply.kind === "neutron" && ranges.some((range) => range.family === family);
      return canBeMade ? make(family, claim) : undefined;
    },
    hasFamily: (family) => ranges.some((range) => range.family === family),
    held: () => all.values(),
  };
}

function* addressesIn(ranges: readonly AddressRange[], family: IpFamily): Generator<string> {
  for (const { from, to } of ranges.filter((range) => range.family === family)) {
    for (let number = from; number <= to; number += 1n) yield addressText(family, number);
  }
}

export function byOrder(a: HeldAddress, b: HeldAddress): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1;
  return 0;
}
