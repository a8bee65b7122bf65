// Whether a requested control-plane topology may be published now. Every "no" has a reason; nothing that could not be
// read counts as a yes. Availability is never lowered.

import type { Reason } from "../../../core/reasons.ts";
import type { ClusterVersion } from "../apis/cluster-version.ts";
import { type DeclaredReplicas, workerCount } from "../apis/declared-replicas.ts";
import {
  defaultTopology,
  isControlPlaneTopology,
  isInfrastructureTopology,
  type Topology,
} from "../apis/infrastructure.ts";
import type { NodesSeen } from "./fit.ts";

/** All changes there are. */
const supported: readonly (readonly [from: string, to: string])[] = [["SingleReplica", "HighlyAvailable"]];

export interface TransitionFacts {
  readonly requested: string | undefined;
  readonly published: { readonly controlPlane: string; readonly infrastructure: string };
  readonly clusterVersion: ClusterVersion | "absent" | "unknown";
  readonly seen: NodesSeen | "unknown";
  readonly replicas: DeclaredReplicas | undefined;
}

/** Something that must hold before the topology changes. Undefined: it holds. Otherwise what is missing, for people. */
export interface Precondition {
  readonly name: string;
  readonly missing: (facts: TransitionFacts) => string | undefined;
}

export interface TransitionRules {
  /** The feature gate MutableTopology. */
  readonly mutable: boolean;
  /** `none` is for clusters that have no ClusterVersion: then nobody waits for upgrades. */
  readonly upgradeGate: "ClusterVersion" | "none";
  readonly preconditions: readonly Precondition[];
}

export type TransitionState =
  | { readonly state: "none" }
  | { readonly state: "refused"; readonly reason: Reason; readonly message: string }
  | { readonly state: "waiting"; readonly reason: Reason; readonly message: string }
  | { readonly state: "go"; readonly target: Topology };

export function isSupportedTransition(from: string, to: string): boolean {
  return supported.some(([a, b]) => a === from && b === to);
}

export function assessTransition(facts: TransitionFacts, rules: TransitionRules): TransitionState {
  const { requested, published } = facts;
  const from = published.controlPlane === "" ? defaultTopology : published.controlPlane;
  if (requested === undefined || requested === "" || requested === from) return { state: "none" };
  const asked = `spec.controlPlaneTopology asks for ${requested}, status.controlPlaneTopology is ${from}`;
  if (!rules.mutable) return refused("TopologyImmutable", asked);
  if (!isControlPlaneTopology(requested) || !isControlPlaneTopology(from))
    return refused("TopologyUnknownValue", asked);
  if (!isSupportedTransition(from, requested)) return refused("TransitionUnsupported", asked);
  const upgrade = rules.upgradeGate === "none" ? undefined : upgradeUnderWay(facts.clusterVersion);
  if (upgrade !== undefined) return { state: "waiting", ...upgrade };
  const infrastructure = infrastructureAfter(facts, requested);
  const missing = [
    ...(infrastructure === undefined ? ["no declaration tells whether there are dedicated workers"] : []),
    ...rules.preconditions.flatMap(({ name, missing }) => {
      const lack = missing(facts);
      return lack === undefined ? [] : [`${name}: ${lack}`];
    }),
  ];
  if (infrastructure === undefined || missing.length > 0) {
    return { state: "waiting", reason: "TransitionPreconditionFailed", message: `${asked}; ${missing.join("; ")}` };
  }
  return { state: "go", target: { controlPlane: requested, infrastructure } };
}

/** Undefined: no upgrade is under way, and we know it. */
export function upgradeUnderWay(
  clusterVersion: ClusterVersion | "absent" | "unknown",
): { readonly reason: Reason; readonly message: string } | undefined {
  if (typeof clusterVersion === "string") {
    const how =
      clusterVersion === "absent" ? "there is no ClusterVersion/version" : "ClusterVersion/version cannot be read";
    return { reason: "ClusterVersionUnknown", message: how };
  }
  const { spec, status, metadata } = clusterVersion;
  const progressing = status?.conditions?.find(({ type }) => type === "Progressing")?.status;
  if (progressing === undefined || progressing === "Unknown") {
    return {
      reason: "ClusterVersionUnknown",
      message: `ClusterVersion/version: Progressing is ${progressing ?? "not reported"}`,
    };
  }
  if (progressing !== "False")
    return { reason: "ClusterVersionProgressing", message: "ClusterVersion/version: Progressing is True" };
  const wanted = spec?.desiredUpdate;
  const { version, image } = status?.desired ?? {};
  const isNews = (asked: string | undefined, current: string | undefined) =>
    asked !== undefined && asked !== "" && asked !== current;
  if (wanted && (isNews(wanted.version, version) || isNews(wanted.image, image))) {
    return {
      reason: "ClusterVersionProgressing",
      message: `ClusterVersion/version: update to ${wanted.version ?? wanted.image} is requested`,
    };
  }
  if (status?.observedGeneration !== undefined && status.observedGeneration < (metadata.generation ?? 0)) {
    return {
      reason: "ClusterVersionProgressing",
      message: "ClusterVersion/version: its newest spec has not been looked at",
    };
  }
  return undefined;
}

/** With dedicated workers the control plane's change is none of theirs; without, its nodes do their work. */
function infrastructureAfter({ replicas, published }: TransitionFacts, target: "HighlyAvailable" | string) {
  if (replicas === undefined) return undefined;
  const before = published.infrastructure === "" ? defaultTopology : published.infrastructure;
  const after = workerCount(replicas) === 0 ? target : before;
  return isInfrastructureTopology(after) ? after : undefined;
}

/** Three control-plane nodes that take Pods: without them the operands could not be spread, nor etcd keep a quorum. */
export const controlPlaneNodesReady: Precondition = {
  name: "ControlPlaneNodesReady",
  missing: ({ seen }) => {
    if (seen === "unknown") return "Nodes cannot be read";
    return seen.readyControlPlane >= 3
      ? undefined
      : `${seen.readyControlPlane} of 3 control-plane nodes are ready and schedulable`;
  },
};

function refused(reason: Reason, message: string): TransitionState {
  return { state: "refused", reason, message };
}
