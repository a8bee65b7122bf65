// The counters in what `nft --json list set` or `list map` prints. Elements without a counter are passed over.

import { z } from "zod";
import type { ElementCount } from "../../ports/nft.ts";

const word = z.union([z.string(), z.number()]).transform(String);
const counted = z.object({
  elem: z.object({
    val: z.union([
      z.object({ concat: z.array(word) }).transform(({ concat }) => concat),
      word.transform((one) => [one]),
    ]),
    counter: z.object({ packets: z.number(), bytes: z.number() }),
  }),
});
const listing = z.object({
  nftables: z.array(z.looseObject({ set: z.unknown().optional(), map: z.unknown().optional() })),
});
const elements = z.looseObject({ elem: z.array(z.unknown()).default([]) });

export function decodeCounters(text: string): readonly ElementCount[] {
  const { nftables } = listing.parse(JSON.parse(text));
  return nftables.flatMap(({ set, map }) => {
    const found = elements.safeParse(set ?? map);
    return found.success ? found.data.elem.flatMap(countIn) : [];
  });
}

/** An element of a map is a pair of key and value. */
function countIn(element: unknown): readonly ElementCount[] {
  const parsed = counted.safeParse(Array.isArray(element) ? element[0] : element);
  if (!parsed.success) return [];
  const { val, counter } = parsed.data.elem;
  return [{ parts: val, packets: counter.packets, bytes: counter.bytes }];
}
