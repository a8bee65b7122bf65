// The difference between two documents of a pool: what a controller sends of a large document, and what a gateway keeps of a change.
// Laws: applying the delta of two documents to the first yields the second, and the delta of equal documents is empty.

import {
  type DocumentVersion,
  type Forwarding,
  forwardingKey,
  type GatewayDocument,
  type VirtualAddress,
  type VrrpGroup,
  type VrrpSettings,
} from "../model/document.ts";
import { sameForwarding, sameGroups, sameVrrp } from "./same-parts.ts";

export interface DocumentDelta {
  /** The document that it changes: another base is refused. */
  readonly base: DocumentVersion;
  readonly version: DocumentVersion;
  /** Absent: as in the base. */
  readonly vrrp?: VrrpSettings;
  readonly groups?: readonly VrrpGroup[];
  readonly addresses: { readonly set: readonly VirtualAddress[]; readonly gone: readonly string[] };
  readonly forwardings: { readonly set: readonly Forwarding[]; readonly gone: readonly string[] };
}

export function documentDelta(before: GatewayDocument, after: GatewayDocument): DocumentDelta {
  return {
    base: before.version,
    version: after.version,
    ...(sameVrrp(before.vrrp, after.vrrp) ? {} : { vrrp: after.vrrp }),
    ...(sameGroups(before.groups, after.groups) ? {} : { groups: after.groups }),
    addresses: changes(before.addresses, after.addresses, addressKey, (a, b) => a.group === b.group),
    forwardings: changes(before.forwardings, after.forwardings, forwardingKey, sameForwarding),
  };
}

/** Whoever calls has compared the base. What is unchanged stays the very same object, so that comparing again is cheap. */
export function applyDelta(before: GatewayDocument, delta: DocumentDelta): GatewayDocument {
  return {
    pool: before.pool,
    version: delta.version,
    vrrp: delta.vrrp ?? before.vrrp,
    groups: delta.groups ?? before.groups,
    addresses: changed(before.addresses, delta.addresses, addressKey),
    forwardings: changed(before.forwardings, delta.forwardings, forwardingKey),
  };
}

/** Whether two documents say the same, whatever their versions and the order of their lists. */
export function sameContent(one: GatewayDocument, other: GatewayDocument): boolean {
  if (one === other) return true;
  const { vrrp, groups, addresses, forwardings } = documentDelta(one, other);
  const isSame = (part: { readonly set: readonly unknown[]; readonly gone: readonly unknown[] }) =>
    part.set.length === 0 && part.gone.length === 0;
  return one.pool === other.pool && !vrrp && !groups && isSame(addresses) && isSame(forwardings);
}

export function addressKey({ address }: VirtualAddress): string {
  return address;
}

function changes<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
  same: (a: T, b: T) => boolean,
): { readonly set: readonly T[]; readonly gone: readonly string[] } {
  if (before === after) return { set: [], gone: [] };
  const known = new Map(before.map((item) => [keyOf(item), item]));
  const set = after.filter((item) => {
    const key = keyOf(item);
    const old = known.get(key);
    known.delete(key);
    return old === undefined || !(old === item || same(old, item));
  });
  return { set, gone: [...known.keys()] };
}

function changed<T>(
  before: readonly T[],
  { set, gone }: { readonly set: readonly T[]; readonly gone: readonly string[] },
  keyOf: (item: T) => string,
): readonly T[] {
  if (set.length === 0 && gone.length === 0) return before;
  const items = new Map(before.map((item) => [keyOf(item), item]));
  for (const key of gone) items.delete(key);
  for (const item of set) items.set(keyOf(item), item);
  return [...items.values()];
}
