// What the controllers of one object would do now. Reads only.

import { resourceName } from "../../apis/kube/kube-object.ts";
import { describeAction } from "../../core/describe-action.ts";
import { allGuards, type Guard } from "../../core/guards.ts";
import { type Lane, laneName, type Plan, type Refusal } from "../../core/plan.ts";
import { present } from "../../core/present.ts";
import { factsOf, runbookCommand, type Word } from "../../core/reasons.ts";
import { type PlannedOnce, planOnce } from "../../engine/round/plan-once.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KubeReader } from "../../ports/kube.ts";
import { guardOf } from "../configuration/configuration.ts";
import { linesByLane } from "./by-lane.ts";
import { inColourOf } from "./health-word.ts";
import type { Managed, NamedObject } from "./managed-kinds.ts";

export interface ObjectPlan {
  readonly controller: string;
  /** Guards in force, by name. */
  readonly guards: readonly string[];
  readonly planned: PlannedOnce;
}

export interface PlanInput {
  readonly kube: KubeReader;
  readonly clock: Clock;
  readonly managed: Managed;
  readonly named: NamedObject;
  /** Beside the configuration's. */
  readonly guards?: readonly { readonly name: string; readonly guard: Guard }[];
}

/** A report is planned with the object that it speaks of. */
export async function planObject({
  kube,
  clock,
  managed,
  named,
  guards = [],
}: PlanInput): Promise<readonly ObjectPlan[]> {
  const { configuration, features } = managed;
  const root = resourceName(named.shown.reportOf ?? named.shown.kind);
  const plans: ObjectPlan[] = [];
  for (const feature of features.filter((one) => resourceName(one.root) === root)) {
    const guard = allGuards([guardOf(configuration, feature.name), ...guards.map((one) => one.guard)]);
    const names = [
      ...configuration.guards,
      ...(configuration.controllers[feature.name]?.guards ?? []),
      ...guards.map((one) => one.name),
    ];
    const { namespace, watchFilter } = configuration;
    const scope = {
      ...present({ namespace, watchFilter }),
    };
    const planned = await planOnce(feature, named.ref, { kube, clock, guard, scope });
    plans.push({ controller: feature.name, guards: names, planned });
  }
  return plans;
}

export function planTexts(plans: readonly ObjectPlan[], inColour: boolean): readonly string[] {
  if (plans.length === 0) return ["No controller that is turned on manages this kind: nothing is done."];
  return plans.map((one) => planText(one, inColour));
}

function planText({ controller, guards, planned }: ObjectPlan, inColour: boolean): string {
  const head = `${controller}${guards.length === 0 ? "" : ` (guards: ${guards.join(", ")})`}`;
  if (planned.found === "gone")
    return `${head}: it does not manage this object, or the object is gone; there is nothing to do for it.`;
  if (planned.found === "unclaimed") return `${head}: does not manage this object: ${stopped(planned.why)}`;
  if (planned.found === "blind")
    return [`${head}: cannot plan.`, ...planned.missing.map((line) => `  - ${line}`)].join("\n");
  const rights = missingRights(planned.plan);
  const lines = linesByLane(withoutMissingRights(planned.plan), (part) => planLines(part, inColour));
  if (cannotPlan({ controller, guards, planned }))
    return [`${head}: cannot plan with your rights.`, ...rights.map((line) => `  - ${line}`)].join("\n");
  const said = lines.length === 0 ? [`${head}: there is nothing to do.`] : [`${head}:`, ...lines];
  const unread = [...rights.map((line) => `you lack a right: ${line}`), ...planned.unread];
  return [...said, ...unread.map((line) => `  note: ${line}; planned without it`)].join("\n");
}

/** Nothing can be said of what would be done. */
export function cannotPlan({ planned }: ObjectPlan): boolean {
  if (planned.found === "blind") return true;
  if (planned.found !== "plan" || missingRights(planned.plan).length === 0) return false;
  const { actions, waits, refusals } = withoutMissingRights(planned.plan);
  return actions.length + waits.length + refusals.length === 0;
}

/** A command reads with the rights of whoever runs it: what is forbidden here says nothing about the manager or the object. */
function missingRights({ waits, refusals }: Plan): readonly string[] {
  return [...waits, ...refusals].filter(isForbidden).map(({ message, reason }) => message ?? factsOf(reason).summary);
}

export function withoutMissingRights<P extends Plan>(plan: P): P {
  const isElse = (one: { readonly reason: Word }) => !isForbidden(one);
  return { ...plan, waits: plan.waits.filter(isElse), refusals: plan.refusals.filter(isElse) };
}

function isForbidden({ reason }: { readonly reason: Word }): boolean {
  return reason === "PermissionDenied";
}

function planLines({ actions, waits, refusals }: Plan, inColour: boolean): readonly string[] {
  return [
    ...actions.map((action) => `  would ${describeAction(action)}`),
    ...waits.map(
      ({ reason, message, recheckAfterMs }) =>
        `  ${inColourOf("progressing", "waits", inColour)} (${reason}): ${stopped(message ?? factsOf(reason).summary)} Checks again every ${seconds(recheckAfterMs)} s.${seePage(reason)}`,
    ),
    ...refusals.map(
      ({ reason, message }) =>
        `  ${factsOf(reason).notice ? "notes" : inColourOf("refused", "refuses", inColour)} (${reason}): ${stopped(message)}${seePage(reason)}`,
    ),
  ];
}

/** Causes have no page. */
function seePage(word: Word): string {
  const command = runbookCommand(word);
  return command === undefined ? "" : ` See: ${command}`;
}

/** Nobody waits for thousandths; what is nearly due is not due. */
function seconds(ms: number): number {
  return ms < 10_000 ? Math.max(0.1, Math.round(ms / 100) / 10) : Math.round(ms / 1_000);
}

/** Some messages end with a full stop of their own. */
function stopped(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function laneInWords<T extends { readonly lane?: Lane }>({ lane, ...rest }: T) {
  return lane === undefined ? rest : { ...rest, lane: laneName(lane) };
}

function refusalData({ messageInPart: _, ...refusal }: Refusal) {
  return laneInWords(refusal);
}

/** For programs: without the objects that actions carry. */
export function planData({ controller, guards, planned }: ObjectPlan) {
  if (planned.found !== "plan") return { controller, guards, ...planned };
  const { plan, wanted, unread } = planned;
  const actions = (given: Plan) =>
    given.actions.map((action) => {
      const { kind, because, lane, removes } = action;
      return {
        kind,
        because,
        words: describeAction(action),
        lane: lane === undefined ? null : laneName(lane),
        removes: removes ?? null,
      };
    });
  return {
    controller,
    guards,
    found: planned.found,
    actions: actions(plan),
    waits: plan.waits.map(laneInWords),
    refusals: plan.refusals.map(refusalData),
    withoutGuards: { actions: actions(wanted), refusals: wanted.refusals.map(refusalData) },
    unread,
  };
}
