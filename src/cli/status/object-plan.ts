// What the controllers of one object would do now. Reads only.

import { resourceName } from "../../apis/kube/kube-object.ts";
import { describeAction } from "../../core/describe-action.ts";
import { allGuards, type Guard } from "../../core/guards.ts";
import { type Lane, laneName, type Plan, type Refusal } from "../../core/plan.ts";
import { present } from "../../core/present.ts";
import { factsOf, runbookPage, type Word } from "../../core/reasons.ts";
import { type PlannedOnce, planOnce } from "../../engine/round/plan-once.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KubeReader } from "../../ports/kube.ts";
import { guardOf } from "../configuration/configuration.ts";
import { linesByLane } from "./by-lane.ts";
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

export function planText({ controller, guards, planned }: ObjectPlan): string {
  const head = `${controller}${guards.length === 0 ? "" : ` (guards: ${guards.join(", ")})`}`;
  if (planned.found === "gone")
    return `${head}: it does not manage this object, or the object is gone; there is nothing to do for it.`;
  if (planned.found === "unclaimed") return `${head}: does not manage this object: ${stopped(planned.why)}`;
  if (planned.found === "blind")
    return [`${head}: cannot plan.`, ...planned.missing.map((line) => `  - ${line}`)].join("\n");
  const lines = linesByLane(planned.plan, planLines);
  const said = lines.length === 0 ? [`${head}: there is nothing to do.`] : [`${head}:`, ...lines];
  return [...said, ...planned.unread.map((line) => `  note: ${line}; planned without it`)].join("\n");
}

function planLines({ actions, waits, refusals }: Plan): readonly string[] {
  return [
    ...actions.map((action) => `  would ${describeAction(action)}`),
    ...waits.map(
      ({ reason, message, recheckAfterMs }) =>
        `  waits (${reason}): ${stopped(message ?? factsOf(reason).summary)} Checks again after ${seconds(recheckAfterMs)} s.${seePage(reason)}`,
    ),
    ...refusals.map(
      ({ reason, message }) =>
        `  ${factsOf(reason).notice ? "notes" : "refuses"} (${reason}): ${stopped(message)}${seePage(reason)}`,
    ),
  ];
}

/** Causes have no page. */
function seePage(word: Word): string {
  const page = runbookPage(word);
  return page === undefined ? "" : ` See ${page}`;
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
