import { expect, test } from "vitest";
import type { Picture } from "../../core/views/picture.ts";
import { pictureText } from "./picture-text.ts";

const picture: Picture = {
  reach: { health: "healthy", words: "the API answers through az1" },
  columns: [
    { title: "DNS name", nodes: [{ id: "name", name: "api:6443", health: "healthy", word: "leads to 1 address" }] },
    {
      title: "Load balancers",
      nodes: [
        { id: "az1", name: "az1", health: "healthy", word: "serves" },
        { id: "az2", name: "az2", health: "degraded", word: "in ERROR", note: "ERROR, OFFLINE" },
        { id: "az3", name: "az3", health: "unknown", word: "could not be seen" },
      ],
    },
    { title: "Machines", nodes: [{ id: "m2", name: "blue-az2", health: "degraded", word: "does not answer" }] },
  ],
  edges: [
    { from: "name", to: "az1", state: "open" },
    { from: "name", to: "az2", state: "closed" },
    { from: "name", to: "az3", state: "unknown" },
    { from: "az2", to: "m2", state: "broken" },
  ],
};

test("a picture is a tree whose lines say what is broken, closed and unknown", () => {
  expect(pictureText(picture, false)).toBe(
    [
      "The API answers through az1.",
      "  api:6443: leads to 1 address",
      "  ├─ az1: serves",
      "  ├╌ az2: in ERROR (ERROR, OFFLINE)",
      "  │  └✗ blue-az2: does not answer",
      "  └? az3: could not be seen",
    ].join("\n"),
  );
});

test("on a terminal its words have the colour of their health", () => {
  const red = "\u001B[31mdoes not answer";
  expect(pictureText(picture, true)).toContain(red);
  expect(pictureText(picture, false)).not.toContain("\u001B");
});
