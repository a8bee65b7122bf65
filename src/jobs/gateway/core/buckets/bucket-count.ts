// How many buckets a forwarding has: about four for each endpoint, so that the busiest has at most a quarter more than the others. It does
// not follow every change: gateways hold an element for each bucket, and a table of another size has to be written whole.

import { bucketCounts } from "../model/document.ts";

export const maxEndpoints = bucketCounts[bucketCounts.length - 1] ?? 1;

/** `previous`: how many there were; 0 for none. */
export function bucketCount(endpoints: number, previous: number): number {
  if (endpoints <= 1) return endpoints;
  const isStillRight = previous > 1 && endpoints * 2 <= previous && endpoints * 16 > previous;
  const isLargest = previous === maxEndpoints && endpoints * 2 > previous;
  if (isCount(previous) && (isStillRight || isLargest)) return previous;
  return bucketCounts.find((count) => count > 1 && count >= endpoints * 4) ?? maxEndpoints;
}

function isCount(count: number): boolean {
  return bucketCounts.some((one) => one === count);
}
