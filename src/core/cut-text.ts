// Text that has to fit: what matters stands first, so the end is cut, at a whole word, and the text says so.

/** Of a condition's message, as metav1.Condition and all our definitions have it. */
export const maxConditionMessage = 32_768;

const ending = "… The rest of this message did not fit.";

/** At most so many characters. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const kept = text.slice(0, Math.max(0, maxLength - ending.length - 1));
  const lastSpace = kept.search(/\s\S*$/);
  const words = lastSpace > 0 ? kept.slice(0, lastSpace).trimEnd() : wholeCharacters(kept);
  return `${words} ${ending}`.slice(0, maxLength);
}

/** Without half of a pair that stands for one character. */
function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
