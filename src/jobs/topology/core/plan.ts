// What the topology controller does next: declare, publish, record, one step a round, each bound to the resourceVersion
// it was decided on. Stopping after any step, its answer lost or not, the next round sees where things stand.

import { bearsMarkOf } from "../../../core/ownership.ts";
import type { Action, Plan, Refusal, Wait } from "../../../core/plan.ts";
import { emptyPlan } from "../../../core/plan.ts";
import type { ControlPlaneTopology, InfrastructureTopology } from "../apis/infrastructure.ts";
import { type Assessment, assess, type FieldAssessment, type TopologyObserved } from "./assess.ts";
import { type Declaration, type RecordedTopology, topologyFields } from "./declaration.ts";
import { deriveTopology, type RuleSet } from "./derive.ts";
import { driftOf } from "./drift.ts";
import type { TransitionRules } from "./transition.ts";

export interface TopologyRules extends TransitionRules {
  readonly rules: RuleSet;
}

/** One version of the object: whoever changes it first wins. */
interface OnVersion extends Action {
  readonly name: string;
  readonly resourceVersion: string;
}

export type TopologyAction =
  | (Action & { readonly kind: "create-report"; readonly name: string })
  | (Action & { readonly kind: "delete-report"; readonly name: string; readonly uid: string })
  | (OnVersion & { readonly kind: "declare"; readonly declaration: Declaration })
  | (OnVersion & {
      readonly kind: "publish";
      readonly controlPlane?: ControlPlaneTopology;
      readonly infrastructure?: InfrastructureTopology;
      /** Check again, right before writing, that no upgrade has begun. */
      readonly unlessUpgrading: boolean;
    })
  | (OnVersion & { readonly kind: "record" } & RecordedTopology);

/** The controller's name, and the mark on what it makes. */
export const topologyFeatureName = "topology";

const recheckAfterMs = 30_000;
const statusLane = { part: "status" };
const reportLane = { part: "report" };

export function planTopology(observed: TopologyObserved, rules: TopologyRules): Plan<TopologyAction> {
  const { infrastructure } = observed;
  if (infrastructure === undefined) return planRemoval(observed);
  const assessment = assess(infrastructure, observed, rules);
  const { name, resourceVersion = "" } = infrastructure.metadata;
  const step = nextStep(assessment, observed, rules, { name, resourceVersion });
  const report: TopologyAction[] =
    observed.report === "absent"
      ? [{ kind: "create-report", name, because: "TopologyReportMissing", lane: reportLane }]
      : [];
  return {
    actions: [...report, ...(step === undefined ? [] : [step])],
    waits: waitsOf(assessment),
    refusals: [...refusalsOf(assessment, observed), ...driftRefusals(observed)],
  };
}

function planRemoval({ report }: TopologyObserved): Plan<TopologyAction> {
  if (typeof report === "string" || !bearsMarkOf(topologyFeatureName, report)) return emptyPlan;
  const { name, uid = "" } = report.metadata;
  const removes = `TopologyReport/${name}`;
  return {
    ...emptyPlan,
    actions: [{ kind: "delete-report", name, uid, removes, because: "TopologyReportOrphaned", lane: reportLane }],
  };
}

type Target = Pick<OnVersion, "name" | "resourceVersion" | "lane">;

/** Fill before anything else, and grant a request only when everything before it is settled. */
function nextStep(
  assessment: Assessment,
  observed: TopologyObserved,
  rules: TopologyRules,
  version: Target,
): TopologyAction | undefined {
  const target = { ...version, lane: statusLane };
  const toFill = assessment.fields.filter(({ state }) => state === "fill");
  if (toFill.length > 0) return observed.fields === "absent" ? undefined : fill(toFill, assessment, target);
  return declare(assessment, observed, rules, target) ?? record(assessment, target) ?? grant(assessment, rules, target);
}

function fill(
  toFill: readonly FieldAssessment[],
  { declaration }: Assessment,
  target: Target,
): TopologyAction | undefined {
  if (declaration === undefined || declaration === "invalid") return undefined;
  const values = Object.fromEntries(toFill.map(({ field }) => [field, declaration.topology[field]]));
  return { kind: "publish", ...target, ...values, unlessUpgrading: false, because: "TopologyEmpty" };
}

function declare(
  { fields, declaration }: Assessment,
  { fields: inSchema, declaredNow }: TopologyObserved,
  { rules }: TopologyRules,
  target: Target,
): TopologyAction | undefined {
  const emptyFields = fields.filter(({ value }) => value === "").map(({ field }) => field);
  if (emptyFields.length === 0 || declaration !== undefined || inSchema === "absent") return undefined;
  if (declaredNow.found !== "declared") return undefined;
  const { source, replicas } = declaredNow;
  const { topology } = deriveTopology(replicas, rules);
  return {
    kind: "declare",
    ...target,
    declaration: { topology, source, rules, replicas, emptyFields },
    because: "TopologyEmpty",
  };
}

function record({ fields }: Assessment, target: Target): TopologyAction | undefined {
  const states = fields.map(({ state }) => state);
  if (!states.includes("record") && !states.includes("complete")) return undefined;
  const because = states.includes("complete") ? "TransitionComplete" : "TopologyPublished";
  return { kind: "record", ...target, ...recordOf(fields), because };
}

function grant({ transition }: Assessment, { upgradeGate }: TopologyRules, target: Target): TopologyAction | undefined {
  if (transition.state !== "go") return undefined;
  const unlessUpgrading = upgradeGate === "ClusterVersion";
  return { kind: "publish", ...target, ...transition.target, unlessUpgrading, because: "TransitionRequested" };
}

/** What we record as published after this step: new values where we published, the earlier record where somebody else edited. */
function recordOf(fields: readonly FieldAssessment[]): RecordedTopology {
  const entries = topologyFields.flatMap((field) => {
    const found = fields.find((assessment) => assessment.field === field);
    const ours = found?.state === "record" || found?.state === "complete" || found?.state === "published";
    const value = ours ? found.value : found?.recorded;
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(entries);
}

function waitsOf({ transition }: Assessment): Wait[] {
  if (transition.state !== "waiting") return [];
  const { reason, message } = transition;
  return [{ reason, message, recheckAfterMs, lane: statusLane }];
}

function refusalsOf(assessment: Assessment, observed: TopologyObserved): Refusal[] {
  const { fields, declaration, transition } = assessment;
  const refusals = fields.flatMap(refusalOf);
  const wantsToFill = fields.some(({ state }) => state === "fill" || state === "undeclared");
  if (wantsToFill && observed.fields === "absent") {
    const message = "the definition of infrastructures.config.openshift.io has no status.controlPlaneTopology";
    refusals.push({ reason: "TopologyFieldsUnsupported", message });
  }
  if (declaration === "invalid") {
    refusals.push({
      reason: "TopologySourceInvalid",
      message: "Infrastructure/cluster: the annotation topology.mainstay.dev/declared cannot be understood",
    });
  } else if (wantsToFill && declaration === undefined && observed.declaredNow.found === "invalid") {
    refusals.push({ reason: "TopologySourceInvalid", message: observed.declaredNow.message });
  }
  if (transition.state === "refused") refusals.push({ reason: transition.reason, message: transition.message });
  return refusals;
}

function refusalOf({ field, value, declared, recorded, state }: FieldAssessment): Refusal[] {
  const what = `Infrastructure/cluster: status.${field}Topology is ${value}`;
  switch (state) {
    case "edited":
      return [{ reason: "TopologyEdited", message: `${what}, was published as ${recorded}` }];
    case "already-set":
      return [{ reason: "TopologyAlreadySet", message: `${what}, declared is ${declared}` }];
    case "unknown-value":
      return [{ reason: "TopologyUnknownValue", message: what }];
    default:
      return [];
  }
}

function driftRefusals(observed: TopologyObserved): Refusal[] {
  const drift = driftOf(observed);
  return drift.length === 0
    ? []
    : [{ reason: "TopologyDrift", message: `Infrastructure/cluster: ${drift.join("; ")}` }];
}
