import { describe, expect, test } from "vitest";
import {
  declared,
  infrastructure,
  mutable,
  settledVersion,
} from "../../../../test/topology/planner/topology-builders.ts";
import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { objectSummary } from "../../../core/views/object-summary.ts";
import { infrastructures, recordedAnnotation } from "../apis/infrastructure.ts";
import { topologyReportCrd } from "../apis/topology-report.ts";
import { topologyJob } from "../job.ts";
import type { TopologyObserved } from "./assess.ts";
import { encodeRecorded } from "./declaration.ts";
import { topologyStatus } from "./status.ts";

const single = { controlPlaneTopology: "SingleReplica", infrastructureTopology: "SingleReplica" };
const published = encodeRecorded({ controlPlane: "SingleReplica", infrastructure: "SingleReplica" });
const oneNode = { controlPlane: 1, readyControlPlane: 1, workers: 0, arbiters: 0 };
const threeDeclared = declared({ controlPlane: 3, workers: [0], arbiters: 0 });

/** A cluster of one node that is asked to become highly available, after three control-plane nodes were declared. */
function observedWith(status = single): TopologyObserved {
  return {
    infrastructure: infrastructure({
      spec: "HighlyAvailable",
      status,
      annotations: { [recordedAnnotation]: published },
    }),
    fields: "present",
    report: "absent",
    declaredNow: threeDeclared,
    seen: oneNode,
    clusterVersion: settledVersion,
  };
}

function told(observed: TopologyObserved) {
  const { conditions = [], status } = topologyStatus(observed, mutable) ?? {};
  const report = {
    apiVersion: "v1",
    kind: "TopologyReport",
    metadata: { name: "cluster" },
    status: { ...status, conditions: conditions.map((one) => ({ ...one, lastTransitionTime: "" })) },
  } as KubeObject;
  const object = observed.infrastructure as KubeObject;
  const [shown] = topologyJob.controllers.topology.shows;
  const summary = objectSummary({
    kind: infrastructures,
    object,
    controllers: [],
    report,
    plans: [],
    headline: shown?.headline,
  });
  return { ready: conditions.find(({ type }) => type === "Ready"), summary };
}

describe("a topology's headline is the root of the chain", () => {
  test("a request that waits for nodes is told before the misfit that it would end", () => {
    const { ready, summary } = told(observedWith());
    expect(summary.sentence).toContain("1 of 3 control-plane nodes are ready");
    expect(summary.reason).toBe("TransitionPreconditionFailed");
    expect(ready).toMatchObject({ status: "False", reason: "TransitionPreconditionFailed" });
  });

  test("somebody's edit is told before the request that it stops", () => {
    const { ready, summary } = told(observedWith({ ...single, controlPlaneTopology: "DualReplica" }));
    expect(summary.sentence).toBe(
      "Somebody changed status.controlPlaneTopology from SingleReplica to DualReplica. You have to act: mainstay runbook TopologyEdited says how.",
    );
    expect(ready?.reason).toBe("TopologyEdited");
  });

  test("kubectl prints it", () => {
    const columns = topologyReportCrd.spec.versions[0]?.additionalPrinterColumns ?? [];
    expect(columns.map(({ name, jsonPath }) => `${name} ${jsonPath}`)).toEqual(
      expect.arrayContaining([
        'Ready .status.conditions[?(@.type=="Ready")].status',
        'Reason .status.conditions[?(@.type=="Ready")].reason',
        'Message .status.conditions[?(@.type=="Ready")].message',
      ]),
    );
  });
});

test("a topology that fits is Ready; what cannot be compared is Unknown", () => {
  const fits = {
    ...observedWith(),
    infrastructure: infrastructure({ status: single }),
    declaredNow: { found: "nothing" },
  } as const;
  expect(told(fits).ready).toMatchObject({ status: "True" });
  expect(told({ ...fits, seen: "unknown" }).ready).toMatchObject({
    status: "Unknown",
    message: "Nodes cannot be read",
  });
});
