// The same facts in another order: lists, maps, sets and the fields of records, however deep. What comes out of them can be written in
// terms of the facts themselves, so that two results are comparable.

import type { Random } from "../../ports/random.ts";
import { shuffled } from "../time/derive-seed.ts";

/**
 * Lists whose order says something, by the field they are in. ClusterVersion: newest first. Zones are in the order of the user's mapping,
 * whose first is mirrored; of subnets and of a machine's addresses the first counts. Gateways and their groups are in the order of the
 * user's lists, by which they lead and are numbered; documents are sorted, and buckets name endpoints by their place; families and entries of a Service's status have
 * a first one.
 */
const inOrder: ReadonlySet<string> = new Set([
  "history",
  "zones",
  "availabilityZoneSubnets",
  "clusterSubnets",
  "knownSubnets",
  "subnets",
  "addresses",
  "gateways",
  "groups",
  "order",
  "sourceAddresses",
  "forwardings",
  "endpoints",
  "buckets",
  "allowedSources",
  "ipFamilies",
  "clusterIPs",
  "ingress",
]);

export interface Reordered<T> {
  readonly facts: T;
  /** A result with the facts as they were in place of the reordered ones. */
  readonly restore: <R>(result: R) => R;
}

export function reorder<T>(facts: T, random: Random): Reordered<T> {
  const copies = new Map<object, unknown>();
  const originals = new Map<unknown, object>();
  const copy = (value: unknown, field = ""): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    const made = remade(value, (part, name) => copy(part, name ?? field), inOrder.has(field) ? undefined : random);
    copies.set(value, made);
    originals.set(made, value);
    return made;
  };
  const restore = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    return originals.get(value) ?? remade(value, restore, undefined);
  };
  return { facts: copy(facts) as T, restore: <R>(result: R) => restore(result) as R };
}

/** With every part replaced, in another order where there is a source of it. What has a life of its own stays itself. */
function remade(
  value: object,
  replace: (part: unknown, field?: string) => unknown,
  random: Random | undefined,
): unknown {
  const mixed = <I>(items: readonly I[]): readonly I[] => (random === undefined ? items : shuffled(random, items));
  if (Array.isArray(value)) return mixed(value as unknown[]).map((part) => replace(part));
  if (value instanceof Map)
    return new Map(mixed([...value]).map(([key, part]: [unknown, unknown]) => [replace(key), replace(part)]));
  if (value instanceof Set) return new Set(mixed([...value]).map((part) => replace(part)));
  if (!isPlain(value)) return value;
  // Without a prototype it is kept as a table. Otherwise every order would be a shape of its own, which slows down all that meets it.
  const made = Object.create(null) as Record<string, unknown>;
  for (const name of mixed(Object.keys(value))) made[name] = replace((value as Record<string, unknown>)[name], name);
  return made;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
