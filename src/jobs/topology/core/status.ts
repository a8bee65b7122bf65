// What the TopologyReport says. Computed from the same assessment as the plan.

import type { Condition } from "../../../apis/kube/kube-object.ts";
import type { Word } from "../../../core/reasons.ts";
import { rootCause } from "../../../core/root-cause.ts";
import { explained } from "../../../core/views/explained.ts";
import type { TopologyText } from "../apis/topology-report.ts";
import {
  type Assessment,
  assess,
  type FieldAssessment,
  type FieldState,
  publishedIn,
  type TopologyObserved,
} from "./assess.ts";
import { topologyCauseOrder } from "./cause-order.ts";
import { driftOf } from "./drift.ts";
import { noneSeen } from "./fit.ts";
import type { TransitionRules } from "./transition.ts";

type PendingCondition = Omit<Condition, "lastTransitionTime">;

export interface TopologyStatus {
  readonly status: Readonly<Record<string, unknown>>;
  readonly conditions: readonly PendingCondition[];
}

export function topologyStatus(observed: TopologyObserved, rules: TransitionRules): TopologyStatus | undefined {
  const { infrastructure } = observed;
  if (infrastructure === undefined) return undefined;
  const assessment = assess(infrastructure, observed, rules);
  const { declaration } = assessment;
  const { seen } = observed;
  const declared =
    declaration === undefined || declaration === "invalid"
      ? {}
      : { declared: { ...texts(declaration.topology), source: declaration.source, rules: declaration.rules } };
  const nodes =
    seen === "unknown"
      ? {}
      : { seen: { controlPlaneNodes: seen.controlPlane, workerNodes: seen.workers, arbiterNodes: seen.arbiters } };
  return {
    status: { published: texts(publishedIn(infrastructure)), ...declared, ...nodes },
    conditions: withReady([
      publishedCondition(assessment, observed),
      unalteredCondition(assessment),
      matchesCondition(observed),
      settledCondition(assessment, infrastructure),
    ]),
  };
}

/** Sums the others up, for readers of one condition: kubectl's columns, and every headline. */
function withReady(promises: readonly PendingCondition[]): readonly PendingCondition[] {
  const open = promises.filter(({ status }) => status !== "True");
  const root = rootCause(open, topologyCauseOrder);
  if (root === undefined) return [asExpected("Ready"), ...promises];
  const status = open.some((promise) => promise.status === "False") ? "False" : "Unknown";
  // Condition Published lists values, which tell nobody what is wrong.
  const message = root.type === "Published" || root.message === "" ? explained(root.reason).summary : root.message;
  return [{ type: "Ready", status, reason: root.reason, message }, ...promises];
}

const publishedReasons: Readonly<Record<FieldState, Word>> = {
  fill: "TopologyEmpty",
  undeclared: "TopologyUndeclared",
  published: "TopologyPublished",
  complete: "TopologyPublished",
  edited: "TopologyPublished",
  foreign: "TopologyPublished",
  record: "TopologyPublished",
  "already-set": "TopologyAlreadySet",
  "unknown-value": "TopologyUnknownValue",
};

function publishedCondition({ fields, declaration }: Assessment, observed: TopologyObserved): PendingCondition {
  const reasonFor = ({ state }: FieldAssessment): Word => {
    const isEmpty = state === "fill" || state === "undeclared";
    if (isEmpty && observed.fields === "absent") return "TopologyFieldsUnsupported";
    if (isEmpty && (declaration === "invalid" || observed.declaredNow.found === "invalid"))
      return "TopologySourceInvalid";
    return publishedReasons[state];
  };
  const open = fields.find((field) => reasonFor(field) !== "TopologyPublished");
  const values = fields.map(({ field, value }) => `${field} ${value === "" ? "empty" : value}`).join(", ");
  return open === undefined
    ? { type: "Published", status: "True", reason: "TopologyPublished", message: values }
    : {
        type: "Published",
        status: isUnread(open, observed) ? "Unknown" : "False",
        reason: reasonFor(open),
        message: values,
      };
}

/** Whether something was declared cannot be told: the place to look may not be read. */
function isUnread({ state }: FieldAssessment, { declaredNow }: TopologyObserved): boolean {
  return state === "undeclared" && declaredNow.found === "unknown";
}

function unalteredCondition({ fields }: Assessment): PendingCondition {
  const edited = fields.filter(({ state }) => state === "edited");
  const message = edited
    .map(({ field, value, recorded }) => `somebody changed status.${field}Topology from ${recorded} to ${value}`)
    .join("; ");
  return edited.length === 0
    ? asExpected("Unaltered")
    : { type: "Unaltered", status: "False", reason: "TopologyEdited", message };
}

function matchesCondition(observed: TopologyObserved): PendingCondition {
  const drift = driftOf(observed);
  if (drift.length > 0)
    return { type: "MatchesCluster", status: "False", reason: "TopologyDrift", message: drift.join("; ") };
  const { seen } = observed;
  const unknown = { type: "MatchesCluster", status: "Unknown" } as const;
  if (seen === "unknown") return { ...unknown, reason: "PermissionDenied", message: "Nodes cannot be read" };
  if (noneSeen(seen)) return { ...unknown, reason: "ObjectNotFound", message: "there are no Nodes yet" };
  return asExpected("MatchesCluster");
}

function settledCondition(
  { transition }: Assessment,
  { spec }: { readonly spec?: { readonly controlPlaneTopology?: string } },
): PendingCondition {
  if (transition.state === "none") {
    return spec?.controlPlaneTopology
      ? { ...asExpected("Settled"), reason: "TransitionComplete" }
      : asExpected("Settled");
  }
  if (transition.state === "go") {
    return {
      type: "Settled",
      status: "False",
      reason: "TransitionRequested",
      message: `${transition.target.controlPlane} is about to be published`,
    };
  }
  return { type: "Settled", status: "False", reason: transition.reason, message: transition.message };
}

function asExpected(type: string): PendingCondition {
  return { type, status: "True", reason: "AsExpected", message: "" };
}

function texts({
  controlPlane,
  infrastructure,
}: {
  readonly controlPlane: string;
  readonly infrastructure: string;
}): TopologyText {
  return {
    ...(controlPlane === "" ? {} : { controlPlaneTopology: controlPlane }),
    ...(infrastructure === "" ? {} : { infrastructureTopology: infrastructure }),
  };
}
