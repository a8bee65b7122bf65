// Managers that divide objects by watch filter or namespace do not compete: each combination of the two has a Lease of its own.

import type { WatchScope } from "../informer/watch-filter.ts";

const base = "mainstay-controller";

/** Readable, and with a digest, because "a-b" + "c" is not "a" + "b-c". */
export function leaseNameFor({ namespace, watchFilter }: WatchScope): string {
  if (namespace === undefined && watchFilter === undefined) return base;
  const words = [namespace, watchFilter].flatMap((word) => word ?? []).map(slug);
  return [base, ...words, digest(JSON.stringify([namespace ?? null, watchFilter ?? null]))].join("-");
}

function slug(word: string): string {
  return (
    word
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "")
      .slice(0, 40) || "x"
  );
}

/** FNV-1a, 32 bits: tells names apart, protects nothing. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
