// The Infrastructure singleton of config.openshift.io: the one place where operators read how hard to work for
// high availability. Only the fields Mainstay reads or writes are typed; the rest stays on the object untouched.

import type { Kind, KubeObject } from "../../../apis/kube/kube-object.ts";

/** Every value known today, for operands that normally run on control-plane nodes. */
export const controlPlaneTopologies = [
  "HighlyAvailable",
  "HighlyAvailableArbiter",
  "SingleReplica",
  "DualReplica",
  "External",
] as const;
export type ControlPlaneTopology = (typeof controlPlaneTopologies)[number];

/** For operands that normally run on any other node. */
export const infrastructureTopologies = ["HighlyAvailable", "SingleReplica"] as const;
export type InfrastructureTopology = (typeof infrastructureTopologies)[number];

/** What a consumer assumes when a field is empty, and what the schema fills in. */
export const defaultTopology = "HighlyAvailable";

export interface Topology {
  readonly controlPlane: ControlPlaneTopology;
  readonly infrastructure: InfrastructureTopology;
}

export interface InfrastructureStatus {
  /** Any string: the cluster may be newer than this program. */
  readonly controlPlaneTopology?: string;
  readonly infrastructureTopology?: string;
  readonly [other: string]: unknown;
}

export interface Infrastructure extends KubeObject {
  readonly spec?: { readonly controlPlaneTopology?: string; readonly [other: string]: unknown };
  readonly status?: InfrastructureStatus;
}

export const infrastructures: Kind<Infrastructure> = {
  group: "config.openshift.io",
  version: "v1",
  kind: "Infrastructure",
  plural: "infrastructures",
  namespaced: false,
};

/** The only object of its kind that anybody reads. */
export const infrastructureName = "cluster";

/** What was declared, as JSON; see core/declaration.ts of this job. It stands on the object before `status` is written. */
export const declaredAnnotation = "topology.mainstay.dev/declared";
/** What Mainstay last wrote to `status`, as JSON: a value that differs from it was edited by somebody else. */
export const recordedAnnotation = "topology.mainstay.dev/recorded";

export function isControlPlaneTopology(value: unknown): value is ControlPlaneTopology {
  return (controlPlaneTopologies as readonly unknown[]).includes(value);
}

export function isInfrastructureTopology(value: unknown): value is InfrastructureTopology {
  return (infrastructureTopologies as readonly unknown[]).includes(value);
}
