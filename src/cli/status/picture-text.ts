// A picture as a tree: what each thing leads to stands below it. The line to a thing says whether clients get through.

import { sentence } from "../../core/views/explained.ts";
import type { EdgeState, Picture } from "../../core/views/picture.ts";
import { type PictureBranch, pictureTree } from "../../core/views/picture-tree.ts";
import { inColourOf } from "./health-word.ts";

const lineTo: Readonly<Record<EdgeState, string>> = { open: "─", broken: "✗", closed: "╌", unknown: "?" };

export function pictureText(picture: Picture, inColour: boolean): string {
  const { health, words } = picture.reach;
  const roots = pictureTree(picture).flatMap((branch) => [
    nodeText(branch, inColour),
    ...below(branch.branches, "", inColour),
  ]);
  return [inColourOf(health, sentence(words), inColour), ...roots.map((line) => `  ${line}`)].join("\n");
}

function below(branches: readonly PictureBranch[], indent: string, inColour: boolean): readonly string[] {
  return branches.flatMap((branch, index) => {
    const isLast = index === branches.length - 1;
    const line = `${indent}${isLast ? "└" : "├"}${lineTo[branch.edge ?? "open"]} ${nodeText(branch, inColour)}`;
    return [line, ...below(branch.branches, `${indent}${isLast ? "   " : "│  "}`, inColour)];
  });
}

function nodeText({ node: { name, health, word, note, ident } }: PictureBranch, inColour: boolean): string {
  const details = [note, ident].filter((text) => text !== undefined);
  const detail = details.length === 0 ? "" : ` (${details.join("; ")})`;
  return `${name}: ${inColourOf(health, word, inColour)}${detail}`;
}
