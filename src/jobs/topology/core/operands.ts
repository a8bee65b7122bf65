// Ready answers for operator authors: what an operand should look like under a topology. Pure data in, plain Kubernetes
// fields out. Choose the scope by where the operand runs: control-plane nodes, or anything else.

import type { Topology } from "../apis/infrastructure.ts";

export type Scope = "controlPlane" | "infrastructure";

export interface ReplicaOptions {
  /** Replicas on a highly available cluster. */
  readonly highlyAvailable?: number;
  /** A supported setting of the operator itself; it wins over the cluster's topology. */
  readonly operatorSetting?: number | undefined;
}

export interface DesiredReplicas {
  readonly replicas: number;
  /** False: this cluster has no control-plane nodes to run the operand on. */
  readonly schedulable: boolean;
  readonly because: string;
}

/** How many Pods of one operand can be on different nodes: where the operand runs, and for whom. */
export function desiredReplicas(scope: Scope, topology: Topology, options: ReplicaOptions = {}): DesiredReplicas {
  const { highlyAvailable = 2, operatorSetting } = options;
  const mode = topology[scope];
  if (mode === "External") {
    return { replicas: 0, schedulable: false, because: "the control plane runs outside this cluster" };
  }
  if (operatorSetting !== undefined) {
    return { replicas: operatorSetting, schedulable: true, because: "set on the operator" };
  }
  return {
    replicas: Math.min(highlyAvailable, nodesFor(mode)),
    schedulable: true,
    because: `${scope} topology is ${mode}`,
  };
}

// Two nodes carry operands in DualReplica; with an arbiter as well, for it runs nothing but quorum.
function nodesFor(mode: "HighlyAvailable" | "HighlyAvailableArbiter" | "SingleReplica" | "DualReplica"): number {
  if (mode === "SingleReplica") return 1;
  return mode === "HighlyAvailable" ? Number.POSITIVE_INFINITY : 2;
}

export interface LeaderElection {
  readonly leaseSeconds: number;
  readonly renewSeconds: number;
  readonly retrySeconds: number;
}

// Default: outlives an API outage of 78 s and 30 s of clock skew, worst hand-over 163 s. With a single replica nobody
// waits to take over and the API server restarts slowly: outlives 180 s, worst 330 s, and asks less often.
const patient: LeaderElection = { leaseSeconds: 137, renewSeconds: 107, retrySeconds: 26 };
const alone: LeaderElection = { leaseSeconds: 270, renewSeconds: 240, retrySeconds: 60 };

/** Timings for an operator's own lease. Whatever was set explicitly stays. */
export function leaderElectionFor(topology: Topology, explicit: Partial<LeaderElection> = {}): LeaderElection {
  return { ...(topology.controlPlane === "SingleReplica" ? alone : patient), ...explicit };
}

/** Empty: any node will do. */
export function nodeSelectorFor(scope: Scope, topology: Topology): Readonly<Record<string, string>> {
  if (scope === "infrastructure" || topology.controlPlane === "External") return {};
  return { "node-role.kubernetes.io/control-plane": "" };
}

export interface SettingChoices<T> {
  /** A supported API of the operator: wins. */
  readonly supported?: T | undefined;
  /** An unsupported override, such as a flag that switches high availability off: loses, with a warning. */
  readonly unsupported?: T | undefined;
  /** What the cluster's topology asks for. */
  readonly cluster?: T | undefined;
  readonly fallback: T;
}

export interface EffectiveSetting<T> {
  readonly value: T;
  readonly source: "operator" | "cluster" | "default";
  readonly because: string;
  readonly warning?: string;
}

/** Supported setting of the operator, else the cluster's topology, else the default. */
export function effectiveSetting<T>({
  supported,
  unsupported,
  cluster,
  fallback,
}: SettingChoices<T>): EffectiveSetting<T> {
  const chosen: EffectiveSetting<T> =
    supported !== undefined
      ? { value: supported, source: "operator", because: "set by a supported API of the operator" }
      : cluster !== undefined
        ? { value: cluster, source: "cluster", because: "set by the topology of the cluster" }
        : { value: fallback, source: "default", because: "nothing is set" };
  if (unsupported === undefined || unsupported === chosen.value) return chosen;
  const warning = `the unsupported override ${JSON.stringify(unsupported)} is not used: ${chosen.because}, ${JSON.stringify(chosen.value)}`;
  return { ...chosen, warning };
}
