// Executes a plan's actions. Within a lane they run in order; lanes run in parallel, a few at a time. The first failure stops its
// lane and backs it off; other lanes go on. A lane that is slow is left behind (lanes-under-way.ts), so that it holds up no other; actions
// without a lane are waited for. It never throws: what happened is in the outcomes, in plan order.

import { describeAction } from "../../core/describe-action.ts";
import { InvariantViolation, MainstayError } from "../../core/errors.ts";
import { type Explanation, explainError } from "../../core/explain.ts";
import { type Action, backoffKey, laneName } from "../../core/plan.ts";
import { present } from "../../core/present.ts";
import type { Word } from "../../core/reasons.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ActionOutcome, Executors, Writer } from "../feature.ts";
import { inTime } from "./in-time.ts";
import type { LaneBackoffs } from "./lane-backoffs.ts";
import type { LaneResult, LaneRun, LanesUnderWay } from "./lanes-under-way.ts";
import { heldBack, waitsFor } from "./may-begin.ts";
import { untilAborted } from "./until-aborted.ts";

export interface ExecuteInput {
  readonly key: string;
  readonly actions: readonly Action[];
  readonly executors: Executors<Action>;
  /** Its signal ends the round: with `ReconcileDeadlineExceeded` or `LeadershipLost` as its reason. */
  readonly writer: Writer;
  readonly backoffs: LaneBackoffs;
  readonly clock: Clock;
  readonly lanes: LanesUnderWay;
  /** What was under way before the world was observed: the plan may not have seen its effect, also when it has ended since. */
  readonly underWay: readonly Action[];
  /** How many lanes are waited for at once. */
  readonly maxLanes?: number;
}

export interface Executed {
  readonly outcomes: readonly ActionOutcome[];
  /** Lanes that were left: they need the writer until these settle. */
  readonly left: readonly Promise<unknown>[];
  /** Executors without a lane that went on although their signal aborted: the key must not run again before they end. */
  readonly stragglers: readonly Promise<unknown>[];
  readonly violation: InvariantViolation | undefined;
}

interface Running extends ExecuteInput {
  readonly lane: string;
  readonly actions: readonly Action[];
  readonly begun: Action[];
  readonly stragglers: Promise<unknown>[];
  readonly violations: InvariantViolation[];
  isLeft: boolean;
}

export async function execute(input: ExecuteInput): Promise<Executed> {
  const executed = { left: [] as Promise<unknown>[], stragglers: [] as Promise<unknown>[] };
  const results: LaneResult[] = [];
  const lanes = [...byLane(input.actions)].values();
  const work = async (): Promise<void> => {
    for (const [lane, actions] of lanes) {
      const run = startLane(lane, actions, input);
      results.push(
        await (actions[0]?.lane === undefined ? waitedFor(run, executed) : leftIfSlow(run, input, executed)),
      );
    }
  };
  await Promise.all(Array.from({ length: input.maxLanes ?? 8 }, work));
  const outcomes = new Map(results.flatMap((result) => result.outcomes).map((outcome) => [outcome.action, outcome]));
  const ordered = input.actions.flatMap((action) => outcomes.get(action) ?? []);
  return { ...executed, outcomes: ordered, violation: results.find(({ violation }) => violation)?.violation };
}

async function waitedFor(
  run: LaneRun,
  { stragglers }: { readonly stragglers: Promise<unknown>[] },
): Promise<LaneResult> {
  const result = await run.result;
  stragglers.push(...run.stragglers);
  return result;
}

async function leftIfSlow(
  run: StartedLane,
  input: ExecuteInput,
  { left }: { readonly left: Promise<unknown>[] },
): Promise<LaneResult> {
  const { key, clock, lanes } = input;
  const ended = await inTime(run.result, clock);
  if (ended !== undefined) {
    lanes.ended(key, run);
    return ended.value;
  }
  lanes.leave(key, run);
  left.push(run.result);
  const current = run.begun.at(-1);
  if (current === undefined) return { outcomes: [] };
  const rest = [current, ...run.actions.slice(run.begun.length)];
  return { outcomes: rest.map((action) => waiting(action, current, input)) };
}

/** For an answer. Where the last one was a failure, nothing has become better yet. */
function waiting(action: Action, other: Action, { key, backoffs }: ExecuteInput): ActionOutcome {
  const failure = backoffs.lastFailure(key, backoffKey(action));
  return failure === undefined ? heldBack(action, other) : { action, result: "skipped", ...said(failure) };
}

type StartedLane = LaneRun & Pick<Running, "actions">;

function startLane(lane: string, actions: readonly Action[], input: ExecuteInput): StartedLane {
  const run: Running = { ...input, lane, actions, begun: [], stragglers: [], violations: [], isLeft: false };
  const { begun, stragglers } = run;
  const result = runLane(run).then((outcomes) => ({ outcomes, violation: run.violations[0] }));
  return { actions, begun, stragglers, result, leave: () => void (run.isLeft = true) };
}

async function runLane(run: Running): Promise<readonly ActionOutcome[]> {
  const { actions, begun } = run;
  const isLater = actions.some(({ notNow }) => notNow);
  const held =
    run.backoffs.heldBy(run.key, run.lane) ?? (isLater ? run.backoffs.lastFailure(run.key, run.lane) : undefined);
  // In the words of the failure itself: while it lasts people read the same, whether or not it is being tried.
  if (held !== undefined) return actions.map((action) => ({ action, result: "skipped", ...said(held) }));
  // Other lanes used up the round's time. That is no failure of this lane: it does not back off and runs in the next round.
  if (run.writer.signal.aborted) return stoppedAt(0, actions, explainError(run.writer.signal.reason));
  for (const [index, action] of actions.entries()) {
    // Nobody has looked at the world since: a later round does.
    if (run.isLeft || action.notNow) return begun.map(done);
    const other = waitsFor(action, run.underWay);
    if (other !== undefined)
      return [...begun.map(done), ...actions.slice(index).map((one) => waiting(one, other, run))];
    begun.push(action);
    const failure = await attempt(action, run);
    if (failure !== undefined) return stoppedAt(index, run.isLeft ? begun : actions, failure);
  }
  run.backoffs.succeeded(run.key, run.lane);
  return actions.map(done);
}

function done(action: Action): ActionOutcome {
  return { action, result: "done" };
}

function stoppedAt(failedIndex: number, actions: readonly Action[], failure: Failure): readonly ActionOutcome[] {
  const { reason, text, stack, isLasting } = failure;
  const failedKind = actions[failedIndex]?.kind ?? "";
  return actions.map((action, index) => {
    if (index < failedIndex) return done(action);
    if (index === failedIndex)
      return { action, result: "failed", ...said(failure), ...present({ stack, isLasting: isLasting || undefined }) };
    const message = `${describeAction(action)}: stopped at ${failedKind}: ${text}`;
    return { action, result: "skipped", reason, message };
  });
}

function said({ reason, text }: Explanation): { readonly reason: Word; readonly message: string } {
  return { reason, message: text };
}

interface Failure extends Explanation {
  readonly isLasting?: boolean;
}

async function attempt(action: Action, run: Running): Promise<Failure | undefined> {
  const { writer, executors, backoffs, key, lane, stragglers, violations } = run;
  try {
    writer.signal.throwIfAborted();
    const executor = executors[action.kind];
    if (executor === undefined) throw new InvariantViolation(`no executor for action ${action.kind}`);
    await untilAborted(executor(action, writer), writer.signal, (straggler) => stragglers.push(straggler));
    writer.log.info("action done", actionData(action));
    return undefined;
  } catch (thrown) {
    if (thrown instanceof InvariantViolation) violations.push(thrown);
    // An executor that throws because its signal aborted failed for the signal's reason, whatever it throws.
    const ended =
      writer.signal.aborted && writer.signal.reason instanceof MainstayError && !(thrown instanceof InvariantViolation);
    const failure = explainError(ended ? writer.signal.reason : thrown);
    if (failure.reason === "LeadershipLost") return failure;
    const retryAfterMs = thrown instanceof MainstayError ? thrown.retryAfterMs : undefined;
    return { ...failure, isLasting: backoffs.failed(key, lane, failure, retryAfterMs) };
  }
}

export function actionData(action: Action): Readonly<Record<string, unknown>> {
  const lane = action.lane === undefined ? {} : { lane: laneName(action.lane) };
  return { action: action.kind, ...lane, because: action.because, what: describeAction(action) };
}

function byLane(actions: readonly Action[]): ReadonlyMap<string, readonly Action[]> {
  const lanes = new Map<string, Action[]>();
  for (const action of actions) {
    const lane = backoffKey(action);
    const known = lanes.get(lane);
    if (known === undefined) lanes.set(lane, [action]);
    else known.push(action);
  }
  return lanes;
}
