// The declaration on an Infrastructure object: what was declared, by which rules, from what kind of source. It stands in
// an annotation because creating an object drops its `status`, and the schema's default would then look like a choice.
//
// `emptyFields` is the proof that tells that default from a value somebody set: it is written only together with an
// object just created, or under a resourceVersion at which those fields were seen empty. Files never carry it.

import { isRecord } from "../../../apis/text/problem.ts";
import { type DeclaredReplicas, type ReplicaSource, replicaSources } from "../apis/declared-replicas.ts";
import {
  declaredAnnotation,
  type Infrastructure,
  isControlPlaneTopology,
  isInfrastructureTopology,
  recordedAnnotation,
  type Topology,
} from "../apis/infrastructure.ts";
import { parseRuleSet, type RuleSet } from "./derive.ts";

export interface Declaration {
  readonly topology: Topology;
  readonly source: ReplicaSource;
  readonly rules: RuleSet;
  /** Absent when the topology itself was declared. */
  readonly replicas?: DeclaredReplicas;
  readonly emptyFields?: readonly TopologyField[];
}

export const topologyFields = ["controlPlane", "infrastructure"] as const;
export type TopologyField = (typeof topologyFields)[number];

export function encodeDeclaration({ topology, source, rules, replicas, emptyFields }: Declaration): string {
  return JSON.stringify({
    controlPlaneTopology: topology.controlPlane,
    infrastructureTopology: topology.infrastructure,
    source,
    rules,
    ...(replicas === undefined ? {} : { replicas }),
    ...(emptyFields === undefined ? {} : { emptyFields }),
  });
}

/** `invalid` when the annotation cannot be understood: then nothing may be concluded from it, not even its absence. */
export function declarationOf(infrastructure: Infrastructure): Declaration | "invalid" | undefined {
  const raw = infrastructure.metadata.annotations?.[declaredAnnotation];
  if (raw === undefined) return undefined;
  const value = parseJson(raw);
  if (!isRecord(value)) return "invalid";
  const topology = topologyIn(value);
  const source = replicaSources.find((known) => known === value["source"]);
  const rules = parseRuleSet(value["rules"]);
  if (topology === undefined || source === undefined || rules === undefined) return "invalid";
  const replicas = replicasIn(value["replicas"]);
  const claimed = value["emptyFields"];
  return {
    topology,
    source,
    rules,
    ...(replicas === undefined ? {} : { replicas }),
    ...(Array.isArray(claimed) ? { emptyFields: topologyFields.filter((field) => claimed.includes(field)) } : {}),
  };
}

export interface RecordedTopology {
  readonly controlPlane?: string;
  readonly infrastructure?: string;
}

export function encodeRecorded({ controlPlane, infrastructure }: RecordedTopology): string {
  return JSON.stringify({ controlPlaneTopology: controlPlane, infrastructureTopology: infrastructure });
}

/** Values we once wrote. Text, not enum: a newer version of Mainstay may have written them. */
export function recordedOf(infrastructure: Infrastructure): RecordedTopology {
  const raw = infrastructure.metadata.annotations?.[recordedAnnotation];
  const value = raw === undefined ? undefined : parseJson(raw);
  if (!isRecord(value)) return {};
  const { controlPlaneTopology: controlPlane, infrastructureTopology } = value;
  return {
    ...(typeof controlPlane === "string" ? { controlPlane } : {}),
    ...(typeof infrastructureTopology === "string" ? { infrastructure: infrastructureTopology } : {}),
  };
}

function topologyIn(value: Readonly<Record<string, unknown>>): Topology | undefined {
  const { controlPlaneTopology: controlPlane, infrastructureTopology: infrastructure } = value;
  return isControlPlaneTopology(controlPlane) && isInfrastructureTopology(infrastructure)
    ? { controlPlane, infrastructure }
    : undefined;
}

function replicasIn(value: unknown): DeclaredReplicas | undefined {
  if (!isRecord(value)) return undefined;
  const { controlPlane, workers, arbiters } = value;
  if (controlPlane !== "external" && typeof controlPlane !== "number") return undefined;
  if (!Array.isArray(workers) || typeof arbiters !== "number") return undefined;
  const pools = workers.filter((pool): pool is number => typeof pool === "number");
  return pools.length === workers.length ? { controlPlane, workers: pools, arbiters } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
