import { describe, expect, test } from "vitest";
import { sampleObjects } from "../../test/server/contract-sample.ts";
import { groupObjects } from "./object-groups.ts";
import type { OverviewFilter } from "./routes.ts";

const listed = (filter: OverviewFilter) =>
  groupObjects(sampleObjects, filter).map(({ kind, objects }) => [kind, ...objects.map(({ id }) => id.name)]);

describe("the overview's list", () => {
  test("groups by kind, and within a kind the worst comes first", () => {
    expect(listed({})).toEqual([
      ["GatewayPool", "lost", "public", "internal"],
      ["Infrastructure", "cluster"],
      ["TopologyReport", "cluster"],
    ]);
  });

  test("shows the same whatever order the objects came in", () => {
    const groups = groupObjects(sampleObjects, {});
    expect(groupObjects(sampleObjects.toReversed(), {})).toEqual(groups);
  });

  test("narrows by health and by words, in any case and order", () => {
    expect(listed({ health: "healthy" })).toEqual([["GatewayPool", "internal"]]);
    expect(listed({ text: "WAITS pool" })).toEqual([["GatewayPool", "public"]]);
    expect(listed({ text: "drift", health: "refused" })).toEqual([["TopologyReport", "cluster"]]);
    expect(listed({ text: "nothing like it" })).toEqual([]);
  });
});
