// Health as people read it, in colour where they have one. For programs the values stay what they are in core/views/object-view.ts.

import { type Colour, colouredWord } from "../../apis/text/coloured-word.ts";
import type { Health } from "../../core/views/object-view.ts";

const words: Readonly<Record<Health, readonly [word: string, colour: Colour]>> = {
  healthy: ["healthy", "green"],
  progressing: ["in progress", "cyan"],
  degraded: ["degraded", "red"],
  unhealthy: ["unhealthy", "red"],
  refused: ["refused", "yellow"],
  unknown: ["unknown", "magenta"],
};

export function healthWord(health: Health, inColour = false): string {
  const [word, colour] = words[health];
  return inColour ? colouredWord(word, colour) : word;
}

/** The same colours for what a plan says: `waits` as what is in progress, `refuses` as what is refused. */
export function inColourOf(health: Health, word: string, inColour: boolean): string {
  return inColour ? colouredWord(word, words[health][1]) : word;
}
