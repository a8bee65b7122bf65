// What to make of each topology field, in one place: plan and report both read this, so that what is done and what is
// said about it cannot differ.
//
//   status    recorded      declared                    state
//   empty     –             something                   fill
//   empty     –             nothing                     undeclared (consumers read HighlyAvailable)
//   v         v             –                           published
//   v         other         –                           edited; complete when it is the transition that was asked for
//   v         –             nothing                     foreign: set before we came, none of our business
//   v         –             v                           record
//   default   –             other, field seen empty     fill: what looks set is the schema's default
//   v         –             other                       already set, left alone
//   unknown   –             –                           unknown value, left alone

import type { ClusterVersion } from "../apis/cluster-version.ts";
import type { DeclaredReplicas, ReplicaSource } from "../apis/declared-replicas.ts";
import {
  defaultTopology,
  type Infrastructure,
  isControlPlaneTopology,
  isInfrastructureTopology,
} from "../apis/infrastructure.ts";
import type { TopologyReport } from "../apis/topology-report.ts";
import { type Declaration, declarationOf, recordedOf, type TopologyField, topologyFields } from "./declaration.ts";
import type { NodesSeen } from "./fit.ts";
import { assessTransition, isSupportedTransition, type TransitionRules, type TransitionState } from "./transition.ts";

export type DeclaredNow =
  | { readonly found: "declared"; readonly source: ReplicaSource; readonly replicas: DeclaredReplicas }
  | { readonly found: "invalid"; readonly message: string }
  | { readonly found: "nothing" }
  | { readonly found: "unknown" };

/** The world as the controller saw it. `unknown` is never taken for absent. */
export interface TopologyObserved {
  readonly infrastructure: Infrastructure | undefined;
  /** Whether the cluster's definition of Infrastructure has the topology fields. */
  readonly fields: "present" | "absent" | "unknown";
  readonly report: TopologyReport | "absent" | "unknown";
  /** Replicas that somebody declares in the cluster today. */
  readonly declaredNow: DeclaredNow;
  readonly seen: NodesSeen | "unknown";
  readonly clusterVersion: ClusterVersion | "absent" | "unknown";
}

export type FieldState =
  | "fill"
  | "undeclared"
  | "published"
  | "complete"
  | "edited"
  | "foreign"
  | "record"
  | "already-set"
  | "unknown-value";

export interface FieldAssessment {
  readonly field: TopologyField;
  /** As it stands in `status`; empty when absent. */
  readonly value: string;
  readonly declared: string | undefined;
  readonly recorded: string | undefined;
  readonly state: FieldState;
}

export interface Assessment {
  readonly fields: readonly FieldAssessment[];
  readonly declaration: Declaration | "invalid" | undefined;
  readonly transition: TransitionState;
}

export function assess(infrastructure: Infrastructure, observed: TopologyObserved, rules: TransitionRules): Assessment {
  const declaration = declarationOf(infrastructure);
  const published = publishedIn(infrastructure);
  const requested = infrastructure.spec?.controlPlaneTopology;
  const recorded = recordedOf(infrastructure);
  const arrived =
    rules.mutable &&
    requested === published.controlPlane &&
    isSupportedTransition(recorded.controlPlane ?? "", published.controlPlane);
  return {
    declaration,
    fields: topologyFields.map((field) => assessField(field, published[field], recorded[field], declaration, arrived)),
    transition: assessTransition(
      {
        requested,
        published,
        clusterVersion: observed.clusterVersion,
        seen: observed.seen,
        replicas: declaredReplicas(observed.declaredNow, declaration),
      },
      rules,
    ),
  };
}

export function publishedIn({ status }: Infrastructure): Readonly<Record<TopologyField, string>> {
  return { controlPlane: status?.controlPlaneTopology ?? "", infrastructure: status?.infrastructureTopology ?? "" };
}

function assessField(
  field: TopologyField,
  value: string,
  recorded: string | undefined,
  declaration: Declaration | "invalid" | undefined,
  arrived: boolean,
): FieldAssessment {
  const usable = declaration === "invalid" ? undefined : declaration;
  const declared = usable?.topology[field];
  const stateOf = (): FieldState => {
    if (value === "") return declared === undefined ? "undeclared" : "fill";
    if (!isKnown(field, value)) return "unknown-value";
    if (recorded !== undefined) return recorded === value ? "published" : arrived ? "complete" : "edited";
    if (declared === undefined) return "foreign";
    if (declared === value) return "record";
    return value === defaultTopology && usable?.emptyFields?.includes(field) ? "fill" : "already-set";
  };
  return { field, value, declared, recorded, state: stateOf() };
}

function isKnown(field: TopologyField, value: string): boolean {
  return field === "controlPlane" ? isControlPlaneTopology(value) : isInfrastructureTopology(value);
}

function declaredReplicas(
  now: DeclaredNow,
  declaration: Declaration | "invalid" | undefined,
): DeclaredReplicas | undefined {
  if (now.found === "declared") return now.replicas;
  return declaration === "invalid" ? undefined : declaration?.replicas;
}
