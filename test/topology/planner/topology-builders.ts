// Builders for tests of the topology planner: an Infrastructure and what else is observed, each showing only what matters; and what an
// API server with our definition does with an action.

import { markLabel } from "../../../src/core/ownership.ts";
import { present } from "../../../src/core/present.ts";
import type { ClusterVersion } from "../../../src/jobs/topology/apis/cluster-version.ts";
import type { DeclaredReplicas } from "../../../src/jobs/topology/apis/declared-replicas.ts";
import { declaredAnnotation, recordedAnnotation } from "../../../src/jobs/topology/apis/infrastructure.ts";
import type { TopologyReport } from "../../../src/jobs/topology/apis/topology-report.ts";
import type { DeclaredNow, TopologyObserved } from "../../../src/jobs/topology/core/assess.ts";
import { encodeDeclaration, encodeRecorded } from "../../../src/jobs/topology/core/declaration.ts";
import type { TopologyAction, TopologyRules } from "../../../src/jobs/topology/core/plan.ts";
import { planTopology } from "../../../src/jobs/topology/core/plan.ts";
import { controlPlaneNodesReady } from "../../../src/jobs/topology/core/transition.ts";

export const immutable: TopologyRules = {
  rules: "two-modes",
  mutable: false,
  upgradeGate: "ClusterVersion",
  preconditions: [controlPlaneNodesReady],
};
export const mutable: TopologyRules = { ...immutable, mutable: true };

export function declared(replicas: DeclaredReplicas): DeclaredNow {
  return { found: "declared", source: "cluster-config-v1", replicas };
}

export const settledVersion = clusterVersion([{ type: "Progressing", status: "False" }]);

export function clusterVersion(
  conditions: readonly { type: string; status: string }[],
  more: Partial<ClusterVersion> = {},
): ClusterVersion {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
    status: { conditions },
    ...more,
  };
}

export interface Given {
  readonly spec?: string;
  readonly status?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export function infrastructure({
  spec,
  status,
  annotations,
}: Given = {}): NonNullable<TopologyObserved["infrastructure"]> {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster", resourceVersion: "1", ...present({ annotations }) },
    ...(spec === undefined ? {} : { spec: { controlPlaneTopology: spec } }),
    ...present({ status }),
  };
}

export function observed(given: Given | undefined, more: Partial<TopologyObserved> = {}): TopologyObserved {
  return {
    infrastructure: given === undefined ? undefined : infrastructure(given),
    fields: "present",
    report: report(),
    declaredNow: { found: "nothing" },
    seen: "unknown",
    clusterVersion: "absent",
    ...more,
  };
}

export function report(labels?: Readonly<Record<string, string>>): TopologyReport {
  return {
    apiVersion: "topology.mainstay.dev/v1alpha1",
    kind: "TopologyReport",
    metadata: { name: "cluster", uid: "r", ...present({ labels }) },
  };
}

/** What an API server with our definition does with an action. */
export function carryOut(world: TopologyObserved, action: TopologyAction): TopologyObserved {
  const object = world.infrastructure;
  switch (action.kind) {
    case "create-report":
      return {
        ...world,
        report: report({ [markLabel]: "topology" }),
      };
    case "delete-report":
      return { ...world, report: "absent" };
    case "declare":
      return object === undefined
        ? world
        : { ...world, infrastructure: annotate(object, declaredAnnotation, encodeDeclaration(action.declaration)) };
    case "record":
      return object === undefined
        ? world
        : { ...world, infrastructure: annotate(object, recordedAnnotation, encodeRecorded(action)) };
    case "publish": {
      if (object === undefined) return world;
      const { controlPlane, infrastructure: other } = action;
      const status = {
        controlPlaneTopology: "HighlyAvailable",
        infrastructureTopology: "HighlyAvailable",
        ...object.status,
        ...(controlPlane === undefined ? {} : { controlPlaneTopology: controlPlane }),
        ...(other === undefined ? {} : { infrastructureTopology: other }),
      };
      return { ...world, infrastructure: { ...touch(object), status } };
    }
  }
}

type InfrastructureObject = NonNullable<TopologyObserved["infrastructure"]>;

function touch(object: InfrastructureObject): InfrastructureObject {
  return {
    ...object,
    metadata: { ...object.metadata, resourceVersion: String(Number(object.metadata.resourceVersion) + 1) },
  };
}

function annotate(object: InfrastructureObject, name: string, value: string): InfrastructureObject {
  const { metadata } = touch(object);
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [name]: value } } };
}

/** The steps taken until nothing is left to do. */
export function settle(
  start: TopologyObserved,
  rules: TopologyRules,
): { world: TopologyObserved; steps: readonly string[] } {
  let world = start;
  const steps: string[] = [];
  for (let round = 0; round < 8; round += 1) {
    const { actions } = planTopology(world, rules);
    if (actions.length === 0) return { world, steps };
    for (const action of actions) {
      world = carryOut(world, action);
      steps.push(action.kind);
    }
  }
  throw new Error(`still acting after 8 rounds: ${steps.join(", ")}`);
}
