// Whether two parts of documents say the same. Written out field by field: a document has ten thousand of them.

import type { Forwarding, VrrpGroup, VrrpSettings } from "../model/document.ts";

export function sameForwarding(a: Forwarding, b: Forwarding): boolean {
  return (
    a.address === b.address &&
    a.protocol === b.protocol &&
    a.port === b.port &&
    a.service === b.service &&
    a.affinity === b.affinity &&
    a.source === b.source &&
    a.whenEmpty === b.whenEmpty &&
    sameList(a.buckets, b.buckets) &&
    sameList(a.endpoints, b.endpoints, (one, other) => one.address === other.address && one.port === other.port) &&
    sameOptionalList(a.allowedSources, b.allowedSources)
  );
}

export function sameGroups(a: readonly VrrpGroup[], b: readonly VrrpGroup[]): boolean {
  return sameList(
    a,
    b,
    (one, other) =>
      one.name === other.name &&
      one.virtualRouterId === other.virtualRouterId &&
      sameList(one.order, other.order) &&
      sameList(one.sourceAddresses, other.sourceAddresses),
  );
}

export function sameVrrp(a: VrrpSettings, b: VrrpSettings): boolean {
  const names = Object.keys(a.unicast);
  return (
    a.mode === b.mode &&
    a.advertIntervalMs === b.advertIntervalMs &&
    names.length === Object.keys(b.unicast).length &&
    names.every((name) => Object.hasOwn(b.unicast, name) && a.unicast[name] === b.unicast[name])
  );
}

/** No list and an empty list are different things. */
function sameOptionalList(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a === undefined || b === undefined ? a === b : sameList(a, b);
}

function sameList<T>(
  a: readonly T[],
  b: readonly T[],
  same: (one: T, other: T) => boolean = (one, other) => one === other,
): boolean {
  return a.length === b.length && a.every((item, index) => same(item, b[index] as T));
}
