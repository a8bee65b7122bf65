import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  clusterVersion,
  declared,
  type Given,
  immutable,
  infrastructure,
  mutable,
  observed,
  report,
  settle,
  settledVersion,
} from "../../../../test/topology/planner/topology-builders.ts";
import { markLabel } from "../../../core/ownership.ts";
import type { DeclaredReplicas } from "../apis/declared-replicas.ts";
import { declaredAnnotation, recordedAnnotation } from "../apis/infrastructure.ts";
import type { TopologyObserved } from "./assess.ts";
import { encodeDeclaration, encodeRecorded } from "./declaration.ts";
import { planTopology, type TopologyRules } from "./plan.ts";
import { topologyStatus } from "./status.ts";
import { controlPlaneNodesReady } from "./transition.ts";

const single: DeclaredReplicas = { controlPlane: 1, workers: [0], arbiters: 0 };
const reasonsOf = (world: TopologyObserved, rules: TopologyRules) => {
  const { refusals, waits } = planTopology(world, rules);
  return [...refusals, ...waits].map(({ reason }) => reason);
};
const pair = (controlPlane: string, other: string) => ({
  controlPlaneTopology: controlPlane,
  infrastructureTopology: other,
});
const recordedAs = (controlPlane: string, other: string) => ({
  [recordedAnnotation]: encodeRecorded({ controlPlane, infrastructure: other }),
});
const declaredAs = (
  controlPlane: "SingleReplica" | "HighlyAvailable",
  emptyFields?: readonly ("controlPlane" | "infrastructure")[],
) => ({
  [declaredAnnotation]: encodeDeclaration({
    topology: { controlPlane, infrastructure: controlPlane },
    source: "flags",
    rules: "two-modes",
    replicas: single,
    ...(emptyFields === undefined ? {} : { emptyFields }),
  }),
});
const condition = (world: TopologyObserved, rules: TopologyRules, type: string) =>
  topologyStatus(world, rules)?.conditions.find((entry) => entry.type === type);

describe("filling empty topology fields", () => {
  test("declares, publishes and records, one step a round", () => {
    const { world, steps } = settle(observed({}, { declaredNow: declared(single) }), immutable);
    expect(steps).toEqual(["declare", "publish", "record"]);
    expect(world.infrastructure?.status).toEqual(pair("SingleReplica", "SingleReplica"));
    expect(condition(world, immutable, "Published")).toMatchObject({ status: "True", reason: "TopologyPublished" });
  });

  test("takes the declaration on the object before the one in the cluster", () => {
    const start = observed(
      { annotations: declaredAs("SingleReplica") },
      { declaredNow: declared({ controlPlane: 3, workers: [3], arbiters: 0 }) },
    );
    expect(settle(start, immutable).world.infrastructure?.status).toEqual(pair("SingleReplica", "SingleReplica"));
  });

  test("tells the schema's default from a choice by the proof on the object", () => {
    const other = { infrastructureName: "lab-x7f2k", ...pair("HighlyAvailable", "HighlyAvailable") };
    const proven = observed({
      status: other,
      annotations: declaredAs("SingleReplica", ["controlPlane", "infrastructure"]),
    });
    expect(settle(proven, immutable).world.infrastructure?.status).toEqual({
      ...other,
      ...pair("SingleReplica", "SingleReplica"),
    });
    const unproven = observed({ status: other, annotations: declaredAs("SingleReplica") });
    const { world, steps } = settle(unproven, immutable);
    expect(steps).toEqual([]);
    expect(reasonsOf(world, immutable)).toEqual(["TopologyAlreadySet", "TopologyAlreadySet"]);
  });

  test("never overwrites a value other than the default, proof or not", () => {
    const status = pair("DualReplica", "HighlyAvailable");
    const start = observed({ status, annotations: declaredAs("SingleReplica", ["controlPlane"]) });
    expect(settle(start, immutable).world.infrastructure?.status).toEqual(status);
  });

  test("fills the one field that is empty and leaves the other", () => {
    const start = observed({ status: { controlPlaneTopology: "DualReplica" } }, { declaredNow: declared(single) });
    const { world } = settle(start, immutable);
    expect(world.infrastructure?.status).toEqual(pair("DualReplica", "SingleReplica"));
    expect(reasonsOf(world, immutable)).toContain("TopologyAlreadySet");
  });

  test("leaves an old cluster that declares nothing as it is", () => {
    const start = observed({});
    expect(planTopology(start, immutable)).toEqual({ actions: [], waits: [], refusals: [] });
    expect(condition(start, immutable, "Published")).toMatchObject({ status: "False", reason: "TopologyUndeclared" });
  });

  test("does nothing while the declaration cannot be read, and says what is wrong with one it cannot understand", () => {
    expect(planTopology(observed({}, { declaredNow: { found: "unknown" } }), immutable).actions).toEqual([]);
    expect(reasonsOf(observed({}, { declaredNow: { found: "invalid", message: "x" } }), immutable)).toEqual([
      "TopologySourceInvalid",
    ]);
    expect(
      reasonsOf(observed({ annotations: { [declaredAnnotation]: "{" } }, { declaredNow: declared(single) }), immutable),
    ).toEqual(["TopologySourceInvalid"]);
  });

  test("says so when the definition of an older cluster has no such fields, instead of trying forever", () => {
    for (const start of [
      observed({}, { declaredNow: declared(single), fields: "absent" }),
      observed({ annotations: declaredAs("SingleReplica") }, { fields: "absent" }),
    ]) {
      expect(planTopology(start, immutable).actions).toEqual([]);
      expect(reasonsOf(start, immutable)).toEqual(["TopologyFieldsUnsupported"]);
    }
  });

  test("leaves values that an installer set before us alone and calls them published", () => {
    const start = observed(
      { status: pair("SingleReplica", "HighlyAvailable") },
      { declaredNow: declared({ controlPlane: 1, workers: [2], arbiters: 0 }) },
    );
    expect(planTopology(start, immutable)).toEqual({ actions: [], waits: [], refusals: [] });
    expect(condition(start, immutable, "Published")?.status).toBe("True");
  });
});

describe("what others do to the fields", () => {
  const edited = observed({
    status: pair("HighlyAvailable", "SingleReplica"),
    annotations: {
      ...declaredAs("SingleReplica", ["controlPlane", "infrastructure"]),
      ...recordedAs("SingleReplica", "SingleReplica"),
    },
  });

  test("is reported and not reverted", () => {
    expect(settle(edited, immutable).steps).toEqual([]);
    expect(reasonsOf(edited, immutable)).toEqual(["TopologyEdited"]);
    expect(condition(edited, immutable, "Unaltered")).toMatchObject({ status: "False", reason: "TopologyEdited" });
  });

  test("is healed when a field was emptied", () => {
    const emptied = observed({
      annotations: { ...declaredAs("SingleReplica"), ...recordedAs("SingleReplica", "SingleReplica") },
    });
    expect(settle(emptied, immutable).world.infrastructure?.status).toEqual(pair("SingleReplica", "SingleReplica"));
  });

  test("may be a value of a newer version, which stays", () => {
    const newer = observed({
      status: pair("ActivePassive", "SingleReplica"),
      annotations: recordedAs("ActivePassive", "SingleReplica"),
    });
    expect(settle(newer, mutable).steps).toEqual([]);
    expect(reasonsOf(newer, mutable)).toEqual(["TopologyUnknownValue"]);
  });
});

describe("nodes", () => {
  const published = {
    status: pair("SingleReplica", "SingleReplica"),
    annotations: { ...declaredAs("SingleReplica"), ...recordedAs("SingleReplica", "SingleReplica") },
  };
  const seen = (controlPlane: number, workers: number) => ({
    controlPlane,
    readyControlPlane: controlPlane,
    workers,
    arbiters: 0,
  });

  test("a cluster that gains workers changes nothing for the control plane's operands", () => {
    for (const workers of [0, 1, 2, 50]) {
      for (const rules of [immutable, mutable]) {
        const { world, steps } = settle(observed(published, { seen: seen(1, workers) }), rules);
        expect(steps).toEqual([]);
        expect(world.infrastructure?.status?.controlPlaneTopology).toBe("SingleReplica");
      }
    }
  });

  test("that do not fit are reported, and change nothing", () => {
    const start = observed(published, { seen: seen(3, 0) });
    expect(settle(start, immutable).steps).toEqual([]);
    expect(reasonsOf(start, immutable)).toEqual(["TopologyDrift"]);
    expect(condition(start, immutable, "MatchesCluster")).toMatchObject({ status: "False", reason: "TopologyDrift" });
  });

  test("cannot fill an empty field", () => {
    fc.assert(
      fc.property(fc.nat(9), fc.nat(9), (controlPlane, workers) => {
        expect(settle(observed({}, { seen: seen(controlPlane, workers) }), immutable).steps).toEqual([]);
      }),
    );
  });

  test("that cannot be read leave the question open", () => {
    expect(condition(observed(published), immutable, "MatchesCluster")?.status).toBe("Unknown");
  });

  test("that are not there yet leave it open, too, and are said to be missing", () => {
    const start = observed(published, { seen: seen(0, 0) });
    expect(reasonsOf(start, immutable)).toEqual([]);
    expect(condition(start, immutable, "MatchesCluster")).toMatchObject({
      status: "Unknown",
      message: "there are no Nodes yet",
    });
    expect(condition(observed(published, { seen: seen(1, 0) }), immutable, "MatchesCluster")?.status).toBe("True");
  });

  test("replicas declared today are compared as well", () => {
    const start = observed(published, {
      declaredNow: declared({ controlPlane: 3, workers: [0], arbiters: 0 }),
      seen: seen(1, 0),
    });
    expect(reasonsOf(start, immutable)).toEqual(["TopologyDrift"]);
  });
});

describe("asking for another topology", () => {
  const annotations = { ...declaredAs("SingleReplica"), ...recordedAs("SingleReplica", "SingleReplica") };
  const asked: Given = { spec: "HighlyAvailable", status: pair("SingleReplica", "SingleReplica"), annotations };
  const ready = {
    clusterVersion: settledVersion,
    seen: { controlPlane: 3, readyControlPlane: 3, workers: 0, arbiters: 0 },
  };

  test("is refused while the gate is off", () => {
    expect(settle(observed(asked, ready), immutable).steps).toEqual([]);
    expect(reasonsOf(observed(asked, ready), immutable)).toContain("TopologyImmutable");
  });

  test("is granted on a settled cluster, both fields when the control plane does the workers' work", () => {
    const { world, steps } = settle(observed(asked, ready), mutable);
    expect(steps).toEqual(["publish", "record"]);
    expect(world.infrastructure?.status).toEqual(pair("HighlyAvailable", "HighlyAvailable"));
    expect(condition(world, mutable, "Settled")).toMatchObject({ status: "True", reason: "TransitionComplete" });
    expect(condition(world, mutable, "Unaltered")?.status).toBe("True");
  });

  test("leaves infrastructure alone when there are dedicated workers", () => {
    const start = observed(asked, { ...ready, declaredNow: declared({ controlPlane: 3, workers: [1], arbiters: 0 }) });
    expect(settle(start, mutable).world.infrastructure?.status).toEqual(pair("HighlyAvailable", "SingleReplica"));
  });

  test.each([
    ["nothing is asked", { ...asked, spec: "" }, "SingleReplica"],
    ["what is asked is published", { ...asked, spec: "SingleReplica" }, "SingleReplica"],
  ])("does nothing when %s", (_name, given, value) => {
    const { world, steps } = settle(observed(given, { ...ready, seen: "unknown" }), mutable);
    expect(steps).toEqual([]);
    expect(world.infrastructure?.status?.controlPlaneTopology).toBe(value);
    expect(planTopology(world, mutable)).toMatchObject({ actions: [], waits: [] });
  });

  test.each([
    ["HighlyAvailable", "SingleReplica", "TransitionUnsupported"],
    ["SingleReplica", "External", "TransitionUnsupported"],
    ["External", "HighlyAvailable", "TransitionUnsupported"],
    ["DualReplica", "HighlyAvailable", "TransitionUnsupported"],
    ["SingleReplica", "ActivePassive", "TopologyUnknownValue"],
    ["ActivePassive", "HighlyAvailable", "TopologyUnknownValue"],
  ])("refuses %s → %s with %s", (from, to, reason) => {
    const start = observed(
      { spec: to, status: pair(from, "HighlyAvailable"), annotations: recordedAs(from, "HighlyAvailable") },
      ready,
    );
    expect(settle(start, mutable).steps).toEqual([]);
    expect(reasonsOf(start, mutable)).toContain(reason);
  });

  test.each([
    ["Progressing", clusterVersion([{ type: "Progressing", status: "True" }]), "ClusterVersionProgressing"],
    [
      "not sure whether it is progressing",
      clusterVersion([{ type: "Progressing", status: "Unknown" }]),
      "ClusterVersionUnknown",
    ],
    ["silent about it", clusterVersion([]), "ClusterVersionUnknown"],
    ["without any status", clusterVersion([], { status: {} }), "ClusterVersionUnknown"],
    ["absent", "absent" as const, "ClusterVersionUnknown"],
    ["unreadable", "unknown" as const, "ClusterVersionUnknown"],
    [
      "about to update",
      { ...settledVersion, spec: { desiredUpdate: { version: "4.31.0" } } },
      "ClusterVersionProgressing",
    ],
    [
      "behind its own spec",
      {
        ...settledVersion,
        metadata: { name: "version", generation: 2 },
        status: { ...settledVersion.status, observedGeneration: 1 },
      },
      "ClusterVersionProgressing",
    ],
  ])("waits while ClusterVersion is %s", (_name, version, reason) => {
    const start = observed(asked, { ...ready, clusterVersion: version });
    expect(settle(start, mutable).steps).toEqual([]);
    expect(reasonsOf(start, mutable)).toContain(reason);
    expect(condition(start, mutable, "Settled")).toMatchObject({ status: "False", reason });
  });

  test("goes on where the update asked for has been made", () => {
    const done = {
      ...settledVersion,
      spec: { desiredUpdate: { version: "4.30.1" } },
      status: { ...settledVersion.status, desired: { version: "4.30.1", image: "x" } },
    };
    expect(settle(observed(asked, { ...ready, clusterVersion: done }), mutable).steps).toEqual(["publish", "record"]);
  });

  test("needs no ClusterVersion where the operator said there is none", () => {
    const start = observed(asked, { ...ready, clusterVersion: "absent" });
    expect(settle(start, { ...mutable, upgradeGate: "none" }).steps).toEqual(["publish", "record"]);
  });

  test("waits for preconditions and names each one that is missing", () => {
    const never = { name: "PhaseOfTheMoon", missing: () => "it is waning" };
    const start = observed(asked, {
      ...ready,
      seen: { controlPlane: 3, readyControlPlane: 2, workers: 0, arbiters: 0 },
    });
    const { waits } = planTopology(start, { ...mutable, preconditions: [controlPlaneNodesReady, never] });
    expect(waits).toMatchObject([{ reason: "TransitionPreconditionFailed" }]);
    expect(waits[0]?.message).toMatch(/2 of 3.*PhaseOfTheMoon: it is waning/);
  });

  test("waits when nothing tells whether there are dedicated workers", () => {
    const start = observed({ ...asked, annotations: recordedAs("SingleReplica", "SingleReplica") }, ready);
    expect(reasonsOf(start, mutable)).toContain("TransitionPreconditionFailed");
  });

  test("ends where it is when the request is withdrawn before the write, and stays when after", () => {
    const withdrawn = observed({ ...asked, spec: "" }, { ...ready, seen: "unknown" });
    expect(settle(withdrawn, mutable).world.infrastructure?.status).toEqual(pair("SingleReplica", "SingleReplica"));
    const done = settle(observed(asked, ready), mutable).world;
    const { spec: _, ...without } = done.infrastructure ?? infrastructure();
    expect(settle({ ...done, infrastructure: without }, mutable).world.infrastructure?.status).toEqual(
      pair("HighlyAvailable", "HighlyAvailable"),
    );
  });
});

describe("the report", () => {
  test("is deleted only when it bears our mark and speaks of nothing", () => {
    const ours = { report: report({ [markLabel]: "topology" }) };
    expect(planTopology(observed(undefined, { report: report() }), immutable).actions).toEqual([]);
    expect(planTopology(observed(undefined, ours), immutable).actions).toMatchObject([
      { kind: "delete-report", uid: "r", removes: "TopologyReport/cluster" },
    ]);
    expect(planTopology(observed({}, ours), immutable).actions).toEqual([]);
  });
});
