// Which texts Neutron and Octavia take for tags, and which of them are one tag to them. Their databases hold no character of four bytes,
// such as emoji, and compare without regard to case, accents and spaces at the end.

import { type Problem, quote } from "../text/problem.ts";

const maxTagLength = 255;
/** Halves of characters that two-byte units cannot hold. */
const beyondThreeBytes = /[\ud800-\udfff]/;
/** Tags that begin like ours mark our own objects, so that users may not set them. */
const reserved = /^mainstay\b/i;

export function isTagText(text: string): boolean {
  return text !== "" && text.length <= maxTagLength && !beyondThreeBytes.test(text);
}

/** An object bears only one of the two: the second is refused. */
export function isSameTag(one: string, other: string): boolean {
  return compared(one) === compared(other);
}

function compared(tag: string): string {
  const plain = tag.replace(/ +$/, "").normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("ß", "s");
  return plain.toUpperCase().toLowerCase();
}

/** Those that can be put on. */
export function usableTags(tags: readonly string[] = []): readonly string[] {
  return tags.filter((tag, i) => complaint(tag, tags.slice(0, i)) === undefined);
}

/** A tag that cannot be used is left out; everything else goes on. */
export function userTagProblems(tags: readonly string[] | undefined, at: string): readonly Problem[] {
  return (tags ?? []).flatMap((tag, i) => {
    const found = complaint(tag, (tags ?? []).slice(0, i));
    return found === undefined ? [] : [{ where: `${at}[${i}]`, ...found, isLeftOut: true }];
  });
}

function complaint(tag: string, earlier: readonly string[]): Pick<Problem, "message" | "hint"> | undefined {
  if (!isTagText(tag)) {
    const hint = `Use 1 to ${maxTagLength} characters, and no emoji or others that take four bytes.`;
    return { message: `${quote(tag)} is not a valid tag`, hint };
  }
  if (reserved.test(tag))
    return { message: `${quote(tag)} begins like a tag of Mainstay's own`, hint: "Choose another tag." };
  const duplicate = earlier.find((one) => isSameTag(one, tag));
  if (duplicate === undefined) return undefined;
  const hint = "Keep one: the cloud does not tell case, accents or spaces at the end apart.";
  return { message: `${quote(tag)} and ${quote(duplicate)} are the same tag`, hint };
}
