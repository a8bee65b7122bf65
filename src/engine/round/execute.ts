// Executes a plan's actions. Within a lane they run in order; lanes run in parallel, a few at a time. The first failure stops its
// lane and backs it off; other lanes go on. It never throws: what happened is in the outcomes, in plan order.

import { describeAction } from "../../core/describe-action.ts";
import { InvariantViolation, MainstayError } from "../../core/errors.ts";
import { type Explanation, explainError } from "../../core/explain.ts";
import { type Action, backoffKey, laneName } from "../../core/plan.ts";
import { present } from "../../core/present.ts";
import type { ActionOutcome, Executors, Writer } from "../feature.ts";
import type { LaneBackoffs } from "./lane-backoffs.ts";
import { untilAborted } from "./until-aborted.ts";

export interface ExecuteInput {
  readonly key: string;
  readonly actions: readonly Action[];
  readonly executors: Executors<Action>;
  /** Its signal ends the round: with `ReconcileDeadlineExceeded` or `LeadershipLost` as its reason. */
  readonly writer: Writer;
  readonly backoffs: LaneBackoffs;
  readonly maxLanes?: number;
}

export interface Executed {
  readonly outcomes: readonly ActionOutcome[];
  /** Executors that went on although their signal aborted: the key must not run again before they end. */
  readonly stragglers: readonly Promise<unknown>[];
  readonly violation: InvariantViolation | undefined;
}

interface LaneRun extends ExecuteInput {
  readonly lane: string;
  readonly stragglers: Promise<unknown>[];
  readonly violations: InvariantViolation[];
}

export async function execute(input: ExecuteInput): Promise<Executed> {
  const stragglers: Promise<unknown>[] = [];
  const violations: InvariantViolation[] = [];
  const outcomes = new Map<Action, ActionOutcome>();
  const lanes = [...byLane(input.actions)].values();
  const work = async (): Promise<void> => {
    for (const [lane, actions] of lanes) {
      const done = await runLane(actions, { ...input, lane, stragglers, violations });
      for (const outcome of done) outcomes.set(outcome.action, outcome);
    }
  };
  await Promise.all(Array.from({ length: input.maxLanes ?? 8 }, work));
  const ordered = input.actions.flatMap((action) => outcomes.get(action) ?? []);
  return { outcomes: ordered, stragglers, violation: violations[0] };
}

async function runLane(actions: readonly Action[], run: LaneRun): Promise<readonly ActionOutcome[]> {
  const held = run.backoffs.heldBy(run.key, run.lane);
  if (held !== undefined) return actions.map((action) => skipped(action, held, "backs off"));
  // Other lanes used up the round's time. That is no failure of this lane: it does not back off and runs in the next round.
  if (run.writer.signal.aborted) return stoppedAt(0, actions, explainError(run.writer.signal.reason));
  for (const [index, action] of actions.entries()) {
    const failure = await attempt(action, run);
    if (failure !== undefined) return stoppedAt(index, actions, failure);
  }
  run.backoffs.succeeded(run.key, run.lane);
  return actions.map((action) => ({ action, result: "done" }));
}

function stoppedAt(failedIndex: number, actions: readonly Action[], failure: Explanation): readonly ActionOutcome[] {
  const { reason, text: message, stack } = failure;
  const failedKind = actions[failedIndex]?.kind ?? "";
  return actions.map((action, index) => {
    if (index < failedIndex) return { action, result: "done" };
    if (index === failedIndex) return { action, result: "failed", reason, message, ...present({ stack }) };
    return skipped(action, failure, `stopped at ${failedKind}`);
  });
}

async function attempt(action: Action, run: LaneRun): Promise<Explanation | undefined> {
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
    if (failure.reason !== "LeadershipLost") {
      backoffs.failed(key, lane, failure, thrown instanceof MainstayError ? thrown.retryAfterMs : undefined);
    }
    return failure;
  }
}

function skipped(action: Action, why: Explanation, because: string): ActionOutcome {
  return {
    action,
    result: "skipped",
    reason: why.reason,
    message: `${describeAction(action)}: lane ${because}: ${why.text}`,
  };
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
