// Whether two forwardings have the same content. Asked of all forwardings of a large document at once, so it makes no objects.

import type { Endpoint, Forwarding } from "../model/document.ts";

export function sameForwarding(one: Forwarding, other: Forwarding): boolean {
  return (
    one === other ||
    (sameValue("address", one, other) &&
      sameValue("protocol", one, other) &&
      sameValue("port", one, other) &&
      sameValue("service", one, other) &&
      sameValue("affinity", one, other) &&
      sameValue("source", one, other) &&
      sameValue("whenEmpty", one, other) &&
      sameList(one.endpoints, other.endpoints, sameEndpoint) &&
      sameList(one.buckets, other.buckets, Object.is) &&
      sameRanges(one.allowedSources, other.allowedSources))
  );
}

/** A field of the model that is in none of these does not compile. */
type Compared = "address" | "protocol" | "port" | "service" | "affinity" | "source" | "whenEmpty";
type Lists = "endpoints" | "buckets" | "allowedSources";
type Forgotten = Exclude<keyof Forwarding, Compared | Lists>;

function sameValue<K extends Compared>(field: Forgotten extends never ? K : never, one: Forwarding, other: Forwarding) {
  return one[field] === other[field];
}

/** Nobody at all and anybody are not the same. */
function sameRanges(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return sameList(one, other, Object.is);
}

function sameList<T>(one: readonly T[], other: readonly T[], same: (a: T, b: T) => boolean): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) {
    // Indexes below both lengths.
    if (!same(one[index] as T, other[index] as T)) return false;
  }
  return true;
}

function sameEndpoint(one: Endpoint, other: Endpoint): boolean {
  return one.address === other.address && one.port === other.port;
}
