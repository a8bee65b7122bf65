import { describe, expect, test } from "vitest";
import type { Health, ObjectSummary } from "../core/views/object-view.ts";
import { attentionHeadline, closedIncidents, commonTroubles, countedObjects, needingAttention } from "./attention.ts";

const names = ["az1", "az2", "az3"];
function cluster(
  name: string,
  health: Health,
  healths?: readonly Health[],
  over: Partial<ObjectSummary> = {},
): ObjectSummary {
  return {
    id: { resource: "openstackclusters", kind: "OpenStackCluster", namespace: "default", name },
    controllers: [],
    health,
    sentence: "",
    deleting: false,
    revision: "",
    ...(healths === undefined ? {} : { parts: { noun: ["zone", "zones"], names, healths } }),
    ...over,
  };
}
const withoutAz2: readonly Health[] = ["healthy", "degraded", "healthy"];

describe("what needs attention", () => {
  test("comes with the worst first, and is named in the headline", () => {
    const objects = [cluster("green", "unknown"), cluster("red", "degraded"), cluster("blue", "healthy")];
    expect(needingAttention(objects).map(({ id }) => id.name)).toEqual(["red", "green"]);
    expect(attentionHeadline(objects)).toBe(
      "OpenStackCluster default/red and OpenStackCluster default/green need attention.",
    );
    expect(attentionHeadline(objects.slice(1))).toBe("OpenStackCluster default/red needs attention.");
    expect(attentionHeadline(objects.slice(2))).toBe("The one object is healthy.");
  });

  test("is counted where it is too much to name", () => {
    const many = ["a", "b", "c", "d"].map((name) => cluster(name, "degraded"));
    expect(attentionHeadline(many)).toBe("All 4 objects need attention.");
  });
});

describe("what several objects have in common", () => {
  test("is a part of the same name, and not told again by its reason", () => {
    const objects = ["blue", "green"].map((name) =>
      cluster(name, "degraded", withoutAz2, { reason: "MembersUnhealthy" }),
    );
    const [common, ...more] = commonTroubles([
      ...objects,
      cluster("red", "healthy", ["healthy", "healthy", "healthy"]),
    ]);
    expect([common?.what, countedObjects(common?.objects ?? []), more]).toEqual([
      "zone az2",
      "2 OpenStackClusters",
      [],
    ]);
  });

  test("is a reason where whole objects are concerned", () => {
    const away = (name: string) =>
      cluster(name, "unknown", ["unknown", "unknown", "unknown"], { reason: "OpenStackUnreachable" });
    expect(commonTroubles([away("blue"), away("green"), cluster("red", "degraded", withoutAz2)])).toEqual([
      { what: "OpenStackUnreachable", reason: "OpenStackUnreachable", objects: [away("blue").id, away("green").id] },
    ]);
  });

  test("is nothing where one object is alone with it", () => {
    expect(commonTroubles([cluster("blue", "degraded", withoutAz2, { reason: "MembersUnhealthy" })])).toEqual([]);
  });
});

test("incidents that are over are listed, the latest first", () => {
  const incident = (...ends: readonly string[]) => ({
    incidents: ends.map((to) => ({ from: "2026-01-01T00:00:00Z", to, reason: "MembersUnhealthy", summary: "" })),
  });
  const objects = [
    cluster("blue", "healthy", undefined, incident("2026-01-01T00:03:00Z", "2026-01-01T00:01:00Z")),
    cluster("green", "healthy", undefined, incident("2026-01-01T00:02:00Z")),
    cluster("red", "healthy"),
  ];
  expect(closedIncidents(objects).map(({ object }) => object.name)).toEqual(["blue", "green", "blue"]);
});
