import { expect, test } from "vitest";
import type { Condition, KubeObject } from "../../../apis/kube/kube-object.ts";
import { topologyPicture } from "./topology-picture.ts";

const infrastructure: KubeObject = { apiVersion: "v1", kind: "Infrastructure", metadata: { name: "cluster" } };
const condition = (type: string, status: Condition["status"]) =>
  ({ type, status, reason: "AsExpected", message: "", lastTransitionTime: "" }) as Condition;
const report = (statuses: Readonly<Record<string, Condition["status"]>>, status = {}) =>
  ({
    apiVersion: "v1",
    kind: "TopologyReport",
    metadata: { name: "cluster" },
    status: {
      published: { controlPlaneTopology: "HighlyAvailable", infrastructureTopology: "SingleReplica" },
      declared: {
        controlPlaneTopology: "HighlyAvailable",
        infrastructureTopology: "SingleReplica",
        source: "install-config",
      },
      seen: { controlPlaneNodes: 3, workerNodes: 1, arbiterNodes: 0 },
      conditions: Object.entries(statuses).map(([type, value]) => condition(type, value)),
      ...status,
    },
  }) as KubeObject;
const good = { Published: "True", Unaltered: "True", MatchesCluster: "True" } as const;

test("the picture of a topology leads from what was declared over what operators read to the nodes", () => {
  const picture = topologyPicture({ object: infrastructure, report: report(good), related: [] });
  expect(picture?.reach.words).toBe(
    "Operators read HighlyAvailable for the control plane and SingleReplica for all other nodes.",
  );
  expect(
    picture?.columns.map(({ title, nodes }) => [title, ...nodes.map(({ name, word }) => `${name}: ${word}`)]),
  ).toEqual([
    ["Declared", "HighlyAvailable / SingleReplica: as recorded at installation"],
    ["Operators read", "HighlyAvailable / SingleReplica: as declared"],
    ["Nodes", "3 control-plane nodes: fits", "1 worker node: fits"],
  ]);
  expect(picture?.edges.map(({ from, to, state }) => `${from} > ${to} ${state}`)).toEqual([
    "declared > published open",
    "published > control-plane open",
    "published > worker open",
  ]);
});

test("the picture breaks where somebody altered the topology, and at the nodes that do not fit, and only there", () => {
  const edges = (conditions: Parameters<typeof report>[0], seen?: object) =>
    topologyPicture({
      object: infrastructure,
      report: report(conditions, seen === undefined ? {} : { seen }),
      related: [],
    })?.edges.map(({ state }) => state);
  expect(edges({ ...good, Unaltered: "False" })).toEqual(["broken", "open", "open"]);
  const misfit = { ...good, MatchesCluster: "False" } as const;
  expect(edges(misfit, { controlPlaneNodes: 1, workerNodes: 1, arbiterNodes: 0 })).toEqual(["open", "broken", "open"]);
  expect(edges(misfit, { controlPlaneNodes: 3, workerNodes: 2, arbiterNodes: 0 })).toEqual(["open", "open", "broken"]);
  expect(edges(misfit, { controlPlaneNodes: 3, workerNodes: 0, arbiterNodes: 0 })).toEqual(["open", "broken", "open"]);
  expect(edges({ ...good, Published: "Unknown", MatchesCluster: "Unknown" })).toEqual([
    "unknown",
    "unknown",
    "unknown",
  ]);
});

test("nodes that fit are not blamed when only the replicas that are declared today do not", () => {
  const picture = topologyPicture({
    object: infrastructure,
    report: report({ ...good, MatchesCluster: "False" }),
    related: [],
  });
  expect(picture?.columns.slice(1).flatMap(({ nodes }) => nodes.map(({ name, word }) => `${name}: ${word}`))).toEqual([
    "HighlyAvailable / SingleReplica: does not fit what is declared today",
    "3 control-plane nodes: fits",
    "1 worker node: fits",
  ]);
});

test("a report has the picture of what it reports on; before the first report there is none", () => {
  const object = report(good, { seen: { controlPlaneNodes: 2, workerNodes: 0, arbiterNodes: 1 }, declared: undefined });
  expect(topologyPicture({ object, related: [] })?.columns.map(({ title, nodes }) => [title, nodes.length])).toEqual([
    ["Operators read", 1],
    ["Nodes", 3],
  ]);
  expect(topologyPicture({ object: infrastructure, related: [] })).toBeUndefined();
});
