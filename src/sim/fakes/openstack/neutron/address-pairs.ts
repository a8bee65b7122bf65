// Allowed address pairs: which lists of them a port may have, and how Neutron keeps one.

import ipaddr from "ipaddr.js";
import type { AddressPair } from "../../../../core/openstack/neutron-objects.ts";
import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import type { PortRecord } from "../cloud-records.ts";
import { hasExtension } from "./extensions.ts";

/** Neutron's `max_allowed_address_pair`, unless an operator says otherwise. */
const usualMost = 10;

/** What Neutron refuses before it looks at the port. */
export function checkAddressPairs(cloud: Cloud, pairs: readonly AddressPair[]): void {
  if (!hasExtension(cloud, "allowed-address-pairs")) refuse(400, "Unrecognized attribute(s) 'allowed_address_pairs'");
  const most = cloud.options.maxAddressPairs ?? usualMost;
  if (pairs.length > most) {
    const text = `The number of allowed address pair exceeds the maximum ${most}.`;
    refuse(400, text, "AllowedAddressPairExhausted");
  }
  for (const { address, macAddress } of pairs) {
    if (!isAddressOrRange(address)) refuse(400, `'${address}' is not a valid IP address`);
    if (macAddress !== undefined && !/^([\da-f]{2}:){5}[\da-f]{2}$/i.test(macAddress))
      refuse(400, `'${macAddress}' is not a valid MAC address`);
  }
  checkUnique(pairs);
}

/** As they are kept: each with a MAC address, in an order of Neutron's own. */
export function pairsFor({ macAddress: own }: PortRecord, pairs: readonly AddressPair[]): readonly AddressPair[] {
  const kept = pairs.map(({ address, macAddress }) => ({ address, macAddress: macAddress ?? own }));
  checkUnique(kept);
  return kept.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Whether they are, to the letter and in their order, what the port has. */
export function isSameList({ allowedAddressPairs }: PortRecord, pairs: readonly AddressPair[]): boolean {
  return JSON.stringify(pairs.map(spelled)) === JSON.stringify(allowedAddressPairs.map(spelled));
}

function spelled({ address, macAddress }: AddressPair): readonly (string | undefined)[] {
  return [macAddress, address];
}

function checkUnique(pairs: readonly AddressPair[]): void {
  const keys = pairs.map(keyOf);
  const twice = pairs.find((_, index) => keys.indexOf(keys[index] ?? "") < index);
  if (twice === undefined) return;
  const text = `Request contains duplicate address pair: mac_address ${twice.macAddress} ip_address ${twice.address}.`;
  refuse(400, text, "DuplicateAddressPairInRequest");
}

function keyOf({ address, macAddress }: AddressPair): string {
  return `${macAddress ?? ""} ${address}`.toLowerCase();
}

function isAddressOrRange(text: string): boolean {
  return text.includes("/") ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text);
}
