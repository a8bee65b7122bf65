// One address while addresses are handed out: who has which of its ports, and who else may have others. It only ever fills up: a Service
// that moves keeps its old address until the new one works, so nothing becomes free in between.

import type { IpFamily } from "../../../../core/net/ip.ts";
import { type AddressClaim, type Place, portKey } from "./claim.ts";

export interface HeldAddress {
  readonly place: Place;
  readonly family: IpFamily;
  /** Among all of its family; what is to be made comes last. */
  readonly order: bigint;
  readonly holders: Map<string, AddressClaim>;
  /** Of all who have it; undefined while nobody has it. Different ones: nobody else may come. */
  domain?: string;
  isMixed: boolean;
  /** What they say themselves. */
  wish?: string;
}

export function heldAddress(place: Place, family: IpFamily, order: bigint): HeldAddress {
  return { place, family, order, holders: new Map(), isMixed: false };
}

export type Obstacle =
  | { readonly kind: "port"; readonly port: string; readonly holder: AddressClaim }
  | { readonly kind: "sharing"; readonly holder: AddressClaim };

/**
 * What keeps a Service from having it. Who has it already (`stays`) is held to what Services say themselves: a policy that was changed
 * later takes no address away.
 */
export function obstacle(
  held: HeldAddress,
  claim: AddressClaim,
  { domain, wish, stays }: { readonly domain: string; readonly wish: string; readonly stays: boolean },
): Obstacle | undefined {
  for (const port of claim.ports.map(portKey)) {
    const holder = held.holders.get(port);
    if (holder !== undefined && holder !== claim) return { kind: "port", port, holder };
  }
  const fits = held.domain === undefined || (stays ? held.wish === wish : !held.isMixed && held.domain === domain);
  const [first] = held.holders.values();
  return fits || first === undefined ? undefined : { kind: "sharing", holder: first };
}

export function take(held: HeldAddress, claim: AddressClaim, domain: string, wish: string): void {
  if (held.domain !== undefined && held.domain !== domain) held.isMixed = true;
  held.domain ??= domain;
  held.wish ??= wish;
  for (const port of claim.ports) held.holders.set(portKey(port), claim);
}

/** Addresses of one domain and family, in order. Finds the first with room for some ports without asking all of them each time. */
export class SharedAddresses {
  readonly #all: HeldAddress[] = [];
  /** Below it the port is taken everywhere. */
  readonly #firstFree = new Map<string, number>();

  add(held: HeldAddress): void {
    this.#all.push(held);
  }

  find(claim: AddressClaim): HeldAddress | undefined {
    const ports = claim.ports.map(portKey);
    const start = ports.reduce((highest, port) => Math.max(highest, this.#freeFrom(port)), 0);
    for (let place = start; place < this.#all.length; place += 1) {
      const held = this.#all[place];
      if (held !== undefined && !ports.some((port) => held.holders.has(port))) return held;
    }
    return undefined;
  }

  #freeFrom(port: string): number {
    let place = this.#firstFree.get(port) ?? 0;
    while (this.#all[place]?.holders.has(port) === true) place += 1;
    this.#firstFree.set(port, place);
    return place;
  }
}
