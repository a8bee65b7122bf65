// Ranges without those that lie in another one: nftables refuses a range that overlaps one that it has.

import { parseCidr } from "../../../../core/net/ip.ts";

/** In one spelling each, and in the order given. What is no range is left out. */
export function disjointRanges(ranges: readonly string[]): readonly string[] {
  const known = new Set(ranges.flatMap((range) => parseCidr(range)?.text ?? []));
  const lengths = new Set([...known].map(lengthOf));
  return [...known].filter((range) => !liesInAnother(range, known, lengths));
}

/** There are few lengths, and may be many ranges. */
function liesInAnother(range: string, known: ReadonlySet<string>, lengths: ReadonlySet<number>): boolean {
  const [base = ""] = range.split("/");
  return [...lengths].some(
    (length) => length < lengthOf(range) && known.has(parseCidr(`${base}/${length}`)?.text ?? ""),
  );
}

function lengthOf(range: string): number {
  return Number(range.split("/")[1]);
}
