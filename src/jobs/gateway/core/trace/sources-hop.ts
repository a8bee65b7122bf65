// Whether the gateway lets the sender in: `loadBalancerSourceRanges` of the Service.

import { isInside } from "../../../../core/net/ip.ts";
import type { Hop, Step, Way } from "./trace.ts";

const shownRanges = 5;

export function sourcesHop({ forwarding: { allowedSources }, input: { from } }: Way): Step {
  const hop = (result: Hop["result"], words: string): Hop => ({
    at: "source ranges",
    name: from?.address ?? "anybody",
    result,
    words,
  });
  if (allowedSources === undefined) return { hops: [hop("passes", "anybody may connect")] };
  const listed = allowedSources.slice(0, shownRanges).join(", ");
  const ranges =
    allowedSources.length > shownRanges ? `${listed} and ${allowedSources.length - shownRanges} more` : listed;
  if (allowedSources.length === 0)
    return {
      hops: [hop("stops", "the Service names ranges, and none of this family: nobody may connect")],
      end: "dropped",
    };
  if (from === undefined) return { hops: [hop("unknown", `only ${ranges} may connect; say --from to know about one`)] };
  const range = allowedSources.find((one) => isInside(from.address, one));
  if (range !== undefined) return { hops: [hop("passes", `it is in ${range}`)] };
  return { hops: [hop("stops", `only ${ranges} may connect: it is dropped, and nobody is told`)], end: "dropped" };
}
