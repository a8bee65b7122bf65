// The one rule for "we did this, and it did not help". A step that is planned again after it was done was undone, or brought nothing. The
// first few times it is done again at once, because worlds race; then it waits, longer and longer up to minutes, and people are told once.
// It counts on the monotonic clock, so that a wrong wall clock changes nothing. What a restart forgets, `Action.restMs` may still tell.
// Status that somebody overwrites is under the same rule: report/overwritten-status.ts.
//
//   after it was done, the step …                                 then
//   is planned again                                              it is done at once, or waits and is told
//   is not, and its lane is at rest for longer than it waited     it helped: forgotten
//   is not, and nobody may have looked since (`unseenMs`)         it may have been undone: remembered, and told on
//   is not, and its lane is busy                                  it may still come again: remembered for an hour
//   is planned with other parts, for the same target              that is done once at once, and waits with it from then on

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { type Action, backoffKey, laneKey, type Plan, type Wait } from "../../core/plan.ts";
import { repeatedStepMessage, stepIdentity } from "../../core/same-step.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { ActionOutcome } from "../feature.ts";
import {
  isFollowing,
  type KeySteps,
  type KnownStep,
  repeatedIn,
  repeatedSiblings,
  versionForPeople,
} from "./known-step.ts";
import { eagerTimes, firstWaitMs, helpedAfterMs, longestWaitMs, repeatWaitMs } from "./repeat-wait.ts";

export interface RepeatedStepsOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** How long nobody may have looked at what this action did: see `Feature.unseenMs`. */
  readonly unseenMs?: ((action: Action) => number) | undefined;
}

const forgetAfterMs = 3_600_000;

export class RepeatedSteps {
  readonly #options: RepeatedStepsOptions;
  readonly #byKey = new Map<string, KeySteps>();

  constructor(options: RepeatedStepsOptions) {
    this.#options = options;
  }

  /** Without the steps that have to wait, and what comes after them in their lanes; each lane with such steps is among the waits. */
  hold(key: string, plan: Plan, object: KubeObject): Plan {
    if (!this.#byKey.has(key) && !plan.actions.some(({ restMs = 0 }) => restMs > 0)) return plan;
    const known = this.#stepsOf(key);
    this.#releaseIfChanged(known, object);
    const planned = this.#notePlanned(known, plan);
    this.#forgetWhatHelped(key, known, plan, planned);
    const held = new Set<string>();
    const actions = plan.actions.filter((action) => {
      const step = planned.get(action);
      const isDue = this.#leftMs(step) === 0 || isFollowing(step, known);
      if (!isDue || (action.notNow && step?.repeatedSinceMs !== undefined)) held.add(backoffKey(action));
      return !held.has(backoffKey(action));
    });
    return { ...plan, actions, waits: [...this.#waits(known, held), ...plan.waits] };
  }

  done(key: string, outcomes: readonly ActionOutcome[]): void {
    for (const { action, result } of outcomes) if (result === "done") this.#noteDone(key, action);
  }

  /** Steps that do not help, by `backoffKey`, each with the time until it may be done again. */
  retryDelays(key: string): ReadonlyMap<string, number> {
    return new Map(repeatedIn(this.#byKey.get(key)).map((step) => [backoffKey(step.action), this.#leftMs(step)]));
  }

  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }

  #stepsOf(key: string): KeySteps {
    const known = this.#byKey.get(key) ?? {
      steps: new Map(),
      version: undefined,
      releasedMs: Number.NEGATIVE_INFINITY,
    };
    this.#byKey.set(key, known);
    return known;
  }

  #noteDone(key: string, action: Action): void {
    const { steps } = this.#stepsOf(key);
    const identity = stepIdentity(action);
    const siblings = repeatedSiblings(action, steps);
    const { times: before = 0, repeatedSinceMs = siblings.length === 0 ? undefined : this.#nowMs() } =
      steps.get(identity) ?? {};
    const times = Math.max(before, ...siblings.map((sibling) => sibling.times)) + 1;
    const doneMs = this.#nowMs();
    const notBeforeMs = doneMs + repeatWaitMs(times, this.#options.random);
    steps.set(identity, { action, times, doneMs, notBeforeMs, repeatedSinceMs });
    for (const sibling of siblings) Object.assign(sibling, { times, doneMs, notBeforeMs });
  }

  /** A person's change has steps tried at once, but no more often than they come by themselves: our own change may be what is undone. */
  #releaseIfChanged(known: KeySteps, object: KubeObject): void {
    const version = versionForPeople(object);
    const isChanged = known.version !== undefined && known.version !== version;
    known.version = version;
    if (!isChanged || this.#nowMs() - known.releasedMs < longestWaitMs) return;
    known.releasedMs = this.#nowMs();
    for (const step of known.steps.values()) step.notBeforeMs = this.#nowMs();
  }

  #notePlanned({ steps }: KeySteps, { actions }: Plan): ReadonlyMap<Action, KnownStep> {
    const planned = new Map<Action, KnownStep>();
    for (const action of actions) {
      const identity = stepIdentity(action);
      const step = this.#rememberedStep(steps.get(identity)) ?? this.#stepBeforeRestart(action);
      if (step === undefined) continue;
      steps.set(identity, step);
      step.action = action;
      if (step.times >= eagerTimes) step.repeatedSinceMs ??= this.#nowMs();
      planned.set(action, step);
    }
    return planned;
  }

  #rememberedStep(step: KnownStep | undefined): KnownStep | undefined {
    return step === undefined || this.#nowMs() - step.doneMs > forgetAfterMs ? undefined : step;
  }

  /** Done by a manager that is gone, as the world itself tells. */
  #stepBeforeRestart(action: Action): KnownStep | undefined {
    const { restMs = 0 } = action;
    if (restMs <= 0) return undefined;
    const doublings = Math.max(0, Math.ceil(Math.log2(restMs / firstWaitMs)));
    const nowMs = this.#nowMs();
    const notBeforeMs = nowMs + Math.min(restMs, longestWaitMs);
    return { action, times: eagerTimes + doublings, doneMs: nowMs, notBeforeMs, repeatedSinceMs: nowMs };
  }

  #forgetWhatHelped(key: string, { steps }: KeySteps, plan: Plan, planned: ReadonlyMap<Action, KnownStep>): void {
    const busy = new Set([...plan.actions, ...plan.waits, ...plan.refusals].map(({ lane }) => laneKey(lane)));
    const again = new Set(planned.values());
    for (const [identity, step] of steps) {
      if (again.has(step)) continue;
      const { action, doneMs, notBeforeMs } = step;
      const isBusy = busy.has(laneKey(action.lane));
      const unseenMs = this.#options.unseenMs?.(action) ?? 0;
      if (!isBusy && this.#nowMs() - doneMs > unseenMs) step.repeatedSinceMs = undefined;
      const quietMs = Math.max(helpedAfterMs, 3 * (notBeforeMs - doneMs)) + unseenMs;
      const rememberedMs = isBusy ? forgetAfterMs : quietMs;
      if (this.#nowMs() - doneMs > rememberedMs) steps.delete(identity);
    }
    if (steps.size === 0) this.#byKey.delete(key);
  }

  /**
   * One for each lane, of the step that came back first: what is made again after it was taken away does not have to be said twice. Also
   * while a try is under way, so that what people read stays the same meanwhile.
   */
  #waits(known: KeySteps, held: ReadonlySet<string>): readonly Wait[] {
    const byLane = new Map<string, KnownStep[]>();
    for (const step of repeatedIn(known)) {
      const lane = laneKey(step.action.lane);
      byLane.set(lane, [...(byLane.get(lane) ?? []), step]);
    }
    return [...byLane.values()].flatMap((steps) => {
      const [first] = steps.toSorted((a, b) => (a.repeatedSinceMs ?? 0) - (b.repeatedSinceMs ?? 0));
      if (first === undefined) return [];
      const { lane } = first.action;
      const left = steps.filter(({ action }) => held.has(backoffKey(action))).map((step) => this.#leftMs(step));
      const recheckAfterMs = Math.min(longestWaitMs, ...left.filter((ms) => ms > 0));
      const wait = { reason: "StepRepeated", message: repeatedStepMessage(first.action), recheckAfterMs } as const;
      return [lane === undefined ? wait : { ...wait, lane }];
    });
  }

  #leftMs(step: KnownStep | undefined): number {
    return step === undefined ? 0 : Math.max(0, step.notBeforeMs - this.#nowMs());
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }
}
