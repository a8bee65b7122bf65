import { describe, expect, test } from "vitest";
import type { Picture } from "./picture.ts";
import { type PictureBranch, pictureTree } from "./picture-tree.ts";

const node = (id: string) => ({ id, name: id, health: "healthy", word: "answers" }) as const;
const picture: Picture = {
  reach: { health: "healthy", words: "" },
  columns: [
    { title: "Name", nodes: [node("name")] },
    { title: "Balancers", nodes: [node("az1"), node("az2")] },
    { title: "Machines", nodes: [node("m1"), node("m2"), node("alone")] },
  ],
  edges: [
    { from: "name", to: "az1", state: "open" },
    { from: "name", to: "az2", state: "closed" },
    { from: "az1", to: "m1", state: "open" },
    { from: "az1", to: "m2", state: "broken" },
    { from: "az2", to: "m2", state: "broken" },
  ],
};
const lines = (branches: readonly PictureBranch[], depth = 0): readonly string[] =>
  branches.flatMap(({ node: { id }, edge, branches: below }) => [
    `${"  ".repeat(depth)}${id}${edge === undefined ? "" : ` ${edge}`}`,
    ...lines(below, depth + 1),
  ]);

describe("a picture as a tree", () => {
  test("has below each thing what it leads to, with the way to it", () => {
    expect(lines(pictureTree(picture))).toEqual([
      "name",
      "  az1 open",
      "    m1 open",
      "    m2 broken",
      "  az2 closed",
      "    m2 broken",
      "alone",
    ]);
  });

  test("says of each thing which column it is of", () => {
    expect(pictureTree(picture).map(({ what }) => what)).toEqual(["Name", "Machines"]);
  });

  test("passes over a way that leads to nothing in the picture, and ends where ways lead in a circle", () => {
    const edges = [
      { from: "name", to: "nowhere", state: "open" },
      { from: "name", to: "az1", state: "open" },
      { from: "az1", to: "name", state: "open" },
      { from: "alone", to: "az1", state: "open" },
    ] as const;
    expect(lines(pictureTree({ ...picture, edges }))).toEqual([
      "az2",
      "m1",
      "m2",
      "alone",
      "  az1 open",
      "    name open",
      "      az1 open",
    ]);
  });
});
