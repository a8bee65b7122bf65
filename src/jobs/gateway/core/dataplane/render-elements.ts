// Elements of one set as one command.

import type { ElementSet } from "./elements.ts";
import { type NftWords, tableName } from "./nft-family.ts";

/** Nothing for no elements. */
export function renderElements(
  verb: "add" | "delete",
  { ip }: NftWords,
  set: ElementSet,
  elements: readonly string[],
): readonly string[] {
  if (elements.length === 0) return [];
  return [`${verb} element ${ip} ${tableName} ${set} {\n  ${elements.join(",\n  ")}\n}\n`];
}
