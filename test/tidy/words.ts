// Sentences that people had to translate under stress, and metaphors: none of them comes back into what people read. Texts of the program are its
// string literals, since comments are for who works on it; documents are read as a whole.

import { type Source, visit } from "./source.ts";

/** What was said, and what to say instead. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/\bis not so\b/i, '"is False"'],
  [/\bis so is unknown\b/i, '"is Unknown"'],
  [/^nothing to say\b|\bnothing to say: /i, "nothing, or what is as it should be"],
  [/\bnot whole yet\b/i, "what is missing"],
  [/\bno machine stands behind\b/i, '"no machines yet", or which do not answer'],
  [/\d+ to look at\b/i, '"with a warning", "failed"'],
  [/\bdone: put\b/i, "what was done, in the past tense"],
  [/\beverything fares\b/i, '"the health of everything"'],
  [/\bto be kept for\b/i, "until when it is kept"],
  [/\bwhen nobody remembers\b/i, '"when resolvers no longer return it"'],
  [/\b(?:goes|went|gone) dark\b/i, '"fails"'],
  [/\banswers? nobody\b/i, '"does not answer"'],
  [/\bnot all is as asked\b/i, '"the API can be reached, but not everything works"'],
  [/\bmembers (?:are healthy|do not answer|answer)\b/i, '"machines answer": a member is an object of Octavia\'s'],
  [/\b(?:Octavia|Neutron) does not answer: /, '"the cloud does not answer (Octavia): "'],
  [/\bit is failed over (?:at|when)\b/i, "what is done where the cloud allows no failover"],
  [/\btwo do not go at a time\b/i, '"only one is taken down at a time"'],
];

export function translatedSentences(path: string, text: string): readonly string[] {
  return sentences.flatMap(([said, better]) => {
    // A line of a page may end anywhere.
    const anywhere = new RegExp(said.source.replaceAll(" ", "\\s+"), "gim");
    return [...text.matchAll(anywhere)].map(({ index, 0: found }) => {
      const line = text.slice(0, index).split("\n").length;
      return `${path}:${line}: "${found.replaceAll(/\s+/g, " ").trim()}"; say ${better}`;
    });
  });
}

/** In string literals alone. */
export function translatedTexts(source: Source): readonly string[] {
  const found: string[] = [];
  visit(source.program, (node) => {
    const text = node.type === "Literal" ? node["value"] : node.type === "TemplateElement" ? rawOf(node["value"]) : "";
    if (typeof text === "string") found.push(...translatedSentences(source.path, text));
  });
  return found.map((line) => line.replace(/:\d+: /, ": "));
}

function rawOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "raw" in value ? value.raw : "";
}
