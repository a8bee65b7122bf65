// The parts of an object in one line of a list.

import type { PartsCount } from "../../core/views/object-view.ts";
import { partsInWords } from "../words/parts.ts";
import { partTones } from "../words/results.ts";
import { Pips } from "./pips.tsx";

export function PartsLine({ count }: { readonly count: PartsCount }) {
  return (
    <p className="parts-line small soft">
      <Pips tones={count.healths.map((health) => partTones[health])} /> {partsInWords(count)}
    </p>
  );
}
