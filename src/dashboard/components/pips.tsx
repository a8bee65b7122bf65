// A few parts as small squares: filled ones are healthy, hollow ones are not. The text beside them says the same.

import type { Tone } from "../words/results.ts";

const most = 12;

export function Pips({ tones }: { readonly tones: readonly Tone[] }) {
  if (tones.length > most) return null;
  return (
    <span className="pips" aria-hidden="true">
      {tones.map((tone, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name
        <span key={index} data-tone={tone} data-hollow={tone !== "good"} />
      ))}
    </span>
  );
}
