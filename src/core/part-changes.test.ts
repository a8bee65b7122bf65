import { describe, expect, test } from "vitest";
import type { KubeObject } from "../apis/kube/kube-object.ts";
import { partAnnotations, partChanges, toldByEvent } from "./part-changes.ts";
import type { PartRow } from "./views/object-view.ts";
import type { Parts } from "./views/parts.ts";

const zones = (...rows: readonly Omit<PartRow, "cells">[]): Parts => ({
  noun: ["zone", "zones"],
  table: { title: "", nameColumn: "", columns: [], rows: rows.map((row) => ({ ...row, cells: [] })) },
});
const named = (health: PartRow["health"], ...names: readonly string[]) => names.map((name) => ({ name, health }));

const sick = { name: "az2", health: "unhealthy" } as const;

describe("how parts changed", () => {
  test("is said of each that changed, with how it was before", () => {
    const before = zones(...named("healthy", "az1", "az2"));
    const after = zones(
      { name: "az1", health: "healthy" },
      { name: "az2", health: "unhealthy", withdrawn: "out of DNS" },
    );
    expect(partChanges(before, after)).toEqual([
      {
        parts: ["az2"],
        health: "unhealthy",
        withdrawn: "out of DNS",
        message: "zone az2 is unhealthy now, and was healthy before; it is out of DNS",
      },
    ]);
    expect(partChanges(before, before)).toEqual([]);
  });

  test("is said once of all that changed alike", () => {
    const before = zones(...named("healthy", "az1", "az2", "az3"));
    const messages = partChanges(before, zones(...named("unknown", "az1", "az2", "az3"))).map(({ message }) => message);
    expect(messages).toEqual(["zones az1, az2 and az3 are of unknown health now, and were healthy before"]);
  });

  test("says only of what changed that it did: one that leaves DNS is as ill as before", () => {
    const [before, left] = [zones(...named("unhealthy", "az2")), zones({ ...sick, withdrawn: "out of DNS" })];
    const messages = (from: Parts, to: Parts) => partChanges(from, to).map(({ message }) => message);
    expect(messages(before, left)).toEqual(["zone az2 is out of DNS now, and is still unhealthy"]);
    expect(messages(left, zones(...named("healthy", "az2")))).toEqual([
      "zone az2 is healthy now, and was unhealthy before; it is no longer out of DNS",
    ]);
  });

  test("is nothing of a part that is new, or gone", () => {
    expect(partChanges(undefined, zones(...named("progressing", "az1")))).toEqual([]);
    expect(partChanges(zones(...named("healthy", "az1", "az2")), zones(...named("healthy", "az1")))).toEqual([]);
    expect(partChanges(zones(...named("healthy", "az1")), undefined)).toEqual([]);
  });

  test("is found again in an Event, and not in one that says nothing of parts, or nothing that is known", () => {
    const event = (annotations: Readonly<Record<string, string>> | undefined) =>
      ({ apiVersion: "v1", kind: "Event", metadata: { name: "e", annotations } }) as KubeObject;
    const told = { parts: ["az2"], health: "degraded", withdrawn: "out of DNS" } as const;
    expect(toldByEvent(event(partAnnotations(told)))).toEqual(told);
    expect(toldByEvent(event(undefined))).toBeUndefined();
    for (const [name, value] of [
      ["mainstay.dev/parts", "az2"],
      ["mainstay.dev/parts", "[1]"],
      ["mainstay.dev/health", "splendid"],
    ] as const)
      expect(toldByEvent(event({ ...partAnnotations(told), [name]: value }))).toBeUndefined();
  });
});
