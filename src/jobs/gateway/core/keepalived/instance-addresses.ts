// Which addresses an instance of keepalived carries: those that its adverts list, and those that are excluded from them.

import { byText } from "../../../../core/by-text.ts";
import { canonicalAddress, familyOf } from "../../../../core/net/ip.ts";
import type { GatewayDocument, VrrpGroup } from "../model/document.ts";
import type { LocalGateway } from "../model/local-gateway.ts";

export interface InstanceAddresses {
  /** Of IPv4. A gateway takes an advert that lists another number of them for a stranger's. */
  readonly advertised: readonly PlacedAddress[];
  readonly excluded: readonly PlacedAddress[];
}

export interface PlacedAddress {
  readonly address: string;
  readonly interface: string;
}

type Interfaces = Pick<LocalGateway, "externalInterface" | "internalInterface">;

/** Texts that are no address are left out, and so is an address that is named twice. */
export function instanceAddresses(
  { vrrp, addresses }: Pick<GatewayDocument, "vrrp" | "addresses">,
  group: VrrpGroup,
  { externalInterface, internalInterface }: Interfaces,
): InstanceAddresses {
  const sources = placed(group.sourceAddresses, internalInterface);
  const own = addresses.filter((address) => address.group === group.name).map(({ address }) => address);
  const virtual = placed(own, externalInterface).toSorted(byText(({ address }) => address));
  // The reference lists every address of a Service in its adverts, and none else; both gateways of a pair must list the same.
  const advertised = vrrp.mode === "compat" ? virtual.filter(isV4) : sources.filter(isV4).slice(0, 1);
  const listed = new Set(advertised.map(({ address }) => address));
  return { advertised, excluded: unique([...virtual, ...sources]).filter(({ address }) => !listed.has(address)) };
}

function placed(texts: readonly string[], name: string): readonly PlacedAddress[] {
  const found = texts.map(canonicalAddress).filter((address) => address !== undefined);
  return unique(found.map((address) => ({ address, interface: name })));
}

function unique(list: readonly PlacedAddress[]): readonly PlacedAddress[] {
  const seen = new Set<string>();
  return list.filter(({ address }) => !seen.has(address) && seen.add(address));
}

function isV4({ address }: PlacedAddress): boolean {
  return familyOf(address) === 4;
}
