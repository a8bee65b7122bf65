// What the rules say while keepalived moves from one document to the next. An address is in the rules before keepalived announces it
// and until keepalived has given it up, or packets to it would reach the gateway's own programs. For the addresses that endpoints see
// it is the other way round: rules use only those that keepalived holds before and after.
//
//   rules: before → during     keepalived: before → after     rules: during → after
//
// Without addresses that leave and without a change of source addresses, `during` is the document to come, and the last step is empty.

import { addressKey } from "../delta/document-delta.ts";
import type { GatewayDocument, VirtualAddress, VrrpGroup } from "../model/document.ts";

export function documentDuring(before: GatewayDocument, after: GatewayDocument): GatewayDocument {
  const staying = new Set(after.addresses.map(addressKey));
  const leaving = before.addresses.filter(({ address }) => !staying.has(address));
  const groups = after.groups.map((group) => sharedSources(before.groups, group));
  const isChanged = groups.some((group, index) => group !== after.groups[index]);
  if (leaving.length === 0) return isChanged ? { ...after, groups } : after;
  const gone = new Set(leaving.map(addressKey));
  const homes = homesOf(before, after, leaving);
  return {
    ...after,
    groups: [...groups, ...[...homes.values()].filter((home) => !after.groups.some(({ name }) => name === home.name))],
    addresses: [
      ...after.addresses,
      ...leaving.map((address) => ({ ...address, group: homes.get(address.group)?.name ?? address.group })),
    ],
    forwardings: [...after.forwardings, ...before.forwardings.filter(({ address }) => gone.has(address))],
  };
}

/** A group that keeps none of its source addresses has no better ones than those to come. */
function sharedSources(before: readonly VrrpGroup[], after: VrrpGroup): VrrpGroup {
  const old = before.find(({ name }) => name === after.name);
  const shared = after.sourceAddresses.filter((address) => old?.sourceAddresses.includes(address) === true);
  const isPart = shared.length > 0 && shared.length < after.sourceAddresses.length;
  return isPart ? { ...after, sourceAddresses: shared } : after;
}

/**
 * Where addresses that leave are meanwhile, by the group that they were in: it stays for their sake if it leaves, too. A group that took
 * over a source address of it has them instead, since a source address belongs to one group at a time.
 */
function homesOf(
  before: GatewayDocument,
  after: GatewayDocument,
  leaving: readonly VirtualAddress[],
): ReadonlyMap<string, VrrpGroup> {
  const left = new Set(leaving.map(({ group }) => group));
  return new Map(
    before.groups
      .filter(({ name }) => left.has(name))
      .map((group) => {
        const same = after.groups.find(({ name }) => name === group.name);
        const heir = after.groups.find(({ sourceAddresses }) =>
          sourceAddresses.some((address) => group.sourceAddresses.includes(address)),
        );
        return [group.name, same ?? heir ?? group] as const;
      }),
  );
}
