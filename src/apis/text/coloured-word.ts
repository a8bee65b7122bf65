// A word in colour for a terminal. It ends with its own colour and contains letters alone, so that a terminal can let exactly this
// through and nothing else that somebody may have written into an object.

const escape = "\u001b";
const codes = { red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const;
export type Colour = keyof typeof codes;

export function colouredWord(word: string, colour: Colour): string {
  return `${escape}[${codes[colour]}m${word}${escape}[39m`;
}

const inColour = new RegExp(`(${escape}\\[3[12356]m[a-z ]{1,20}${escape}\\[39m)`);
const codesLength = colouredWord("", "red").length;

/** Every second piece is a word in colour; the others may contain anything. */
export function splitColoured(text: string): readonly string[] {
  return text.split(inColour);
}

/** So many columns it takes. */
export function shownLength(text: string): number {
  const words = (splitColoured(text).length - 1) / 2;
  return text.length - words * codesLength;
}
