// Which endpoint serves which bucket. Clients are hashed to buckets, so a bucket that keeps its endpoint keeps its connections when
// another gateway takes over. Every bucket whose endpoint lives stays where it is; only what equal shares demand is handed over.

import { byText } from "../../../../core/by-text.ts";
import type { Endpoint } from "../model/document.ts";
import { bucketCount, maxEndpoints } from "./bucket-count.ts";

export interface BucketTable {
  /** Sorted by address, then port. */
  readonly endpoints: readonly Endpoint[];
  /** Index of the endpoint of each bucket. */
  readonly buckets: readonly number[];
}

/** Shares differ by one at most. Endpoints beyond the highest number of buckets are left out, new ones first. */
export function bucketTable(endpoints: readonly Endpoint[], previous?: BucketTable): BucketTable {
  const before = previous === undefined ? [] : ownersOf(previous);
  const chosen = served(endpoints, before);
  const places = new Map(chosen.map((endpoint, place) => [endpointKey(endpoint), place]));
  const count = bucketCount(chosen.length, before.length);
  const living = resized(before, count).map((owner) => (owner === undefined ? undefined : places.get(owner)));
  return { endpoints: chosen, buckets: handedOut(living, chosen.length) };
}

/** The same with endpoints that no bucket leads to: they get no new connection and go on with those they have. */
export function withDraining(table: BucketTable, draining: readonly Endpoint[]): BucketTable {
  const known = new Set(table.endpoints.map(endpointKey));
  const added = draining.filter((endpoint) => !known.has(endpointKey(endpoint)));
  if (table.endpoints.length === 0 || added.length === 0) return table;
  const endpoints = [...table.endpoints, ...added].toSorted(compareEndpoints);
  const places = new Map(endpoints.map((endpoint, place) => [endpointKey(endpoint), place]));
  const moved = table.endpoints.map((endpoint) => places.get(endpointKey(endpoint)) ?? 0);
  return { endpoints, buckets: table.buckets.map((place) => moved[place] ?? 0) };
}

export function endpointKey({ address, port }: Endpoint): string {
  return `${address} ${port}`;
}

export function compareEndpoints(a: Endpoint, b: Endpoint): number {
  return byText<Endpoint>(({ address }) => address)(a, b) || a.port - b.port;
}

/** Each once, in order. */
function served(endpoints: readonly Endpoint[], before: readonly (string | undefined)[]): readonly Endpoint[] {
  const all = [...new Map(endpoints.map((one) => [endpointKey(one), one])).values()].toSorted(compareEndpoints);
  if (all.length <= maxEndpoints) return all;
  const known = new Set(before);
  const isNew = (endpoint: Endpoint) => Number(!known.has(endpointKey(endpoint)));
  return all
    .toSorted((a, b) => isNew(a) - isNew(b))
    .slice(0, maxEndpoints)
    .toSorted(compareEndpoints);
}

function ownersOf({ endpoints, buckets }: BucketTable): readonly (string | undefined)[] {
  return buckets.map((place) => {
    const endpoint = endpoints[place];
    return endpoint === undefined ? undefined : endpointKey(endpoint);
  });
}

/**
 * The same connections in a table of another size. The kernel scales a hash to the number of buckets, so that bucket `b` of 16 is the
 * buckets `4b` to `4b + 3` of 64: a larger table moves nothing, and a smaller one keeps what most of them had.
 */
function resized(owners: readonly (string | undefined)[], count: number): readonly (string | undefined)[] {
  if (owners.length === 0) return Array.from({ length: count }, () => undefined);
  if (owners.length === count) return owners;
  return Array.from({ length: count }, (_, bucket) => {
    const first = Math.floor((bucket * owners.length) / count);
    const end = Math.max(first + 1, Math.floor(((bucket + 1) * owners.length) / count));
    return mostFrequent(owners.slice(first, end));
  });
}

/** The first of those that are there most often. */
function mostFrequent(values: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string | undefined, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: string | undefined;
  for (const [value, count] of counts) if (value !== undefined && count > (counts.get(best) ?? 0)) best = value;
  return best;
}

function handedOut(owners: readonly (number | undefined)[], endpoints: number): readonly number[] {
  if (endpoints === 0) return [];
  const room = shares(owners, endpoints);
  const kept = owners.map((owner) => {
    if (owner === undefined || (room[owner] ?? 0) === 0) return undefined;
    room[owner] = (room[owner] ?? 0) - 1;
    return owner;
  });
  let next = 0;
  return kept.map((owner) => {
    if (owner !== undefined) return owner;
    // In turn, so that what one endpoint leaves behind is spread over the others.
    while ((room[next % endpoints] ?? 0) === 0) next += 1;
    const taker = next % endpoints;
    room[taker] = (room[taker] ?? 0) - 1;
    next += 1;
    return taker;
  });
}

/** How many buckets each endpoint is to have. What does not divide goes to those that have most, so that fewest are moved. */
function shares(owners: readonly (number | undefined)[], endpoints: number): number[] {
  const had = Array.from({ length: endpoints }, () => 0);
  for (const owner of owners) if (owner !== undefined) had[owner] = (had[owner] ?? 0) + 1;
  const share = Math.floor(owners.length / endpoints);
  const all = had.map(() => share);
  const most = [...had.keys()].toSorted((a, b) => (had[b] ?? 0) - (had[a] ?? 0) || a - b);
  for (const place of most.slice(0, owners.length % endpoints)) all[place] = share + 1;
  return all;
}
