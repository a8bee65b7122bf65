import { expect, test } from "vitest";
import type { Picture } from "../core/views/picture.ts";
import { pictureGutters } from "./picture-gutters.ts";

const node = (id: string) => ({ id, name: id, health: "healthy", word: "" }) as const;
const picture: Picture = {
  reach: { health: "healthy", words: "" },
  columns: [
    { title: "Name", nodes: [node("name")] },
    { title: "Balancers", nodes: [node("az1"), node("az2")] },
    { title: "Machines", nodes: [node("m1"), node("m2")] },
  ],
  edges: [
    { from: "name", to: "az1", state: "broken" },
    { from: "name", to: "az2", state: "closed" },
    { from: "az2", to: "m1", state: "open" },
    { from: "name", to: "m1", state: "open" },
    { from: "az1", to: "nowhere", state: "open" },
  ],
};

test("lines run from middle to middle, between columns that stand side by side; what is broken lies on top", () => {
  expect(pictureGutters(picture)).toEqual([
    [
      { key: "name az2", from: 0.5, to: 0.75, state: "closed" },
      { key: "name az1", from: 0.5, to: 0.25, state: "broken" },
    ],
    [{ key: "az2 m1", from: 0.75, to: 0.25, state: "open" }],
  ]);
});
