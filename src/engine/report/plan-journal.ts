// Keeps the latest plan of each key with the results of its actions, and a bounded log of everything done, refused or waited for.
// The controller records every outcome here. Planners never read it.

import { formatRef, type Kind, type ObjectRef, resourceName } from "../../apis/kube/kube-object.ts";
import { describeAction } from "../../core/describe-action.ts";
import { type Action, emptyPlan, type Lane, laneName } from "../../core/plan.ts";
import type { LogRecord, PlanRecord, RecordedAction, RecordedTrouble } from "../../core/plan-record.ts";
import { present } from "../../core/present.ts";
import { factsOf } from "../../core/reasons.ts";
import type { JournalChange, PlanJournalReader } from "../../ports/insight.ts";
import type { ActionOutcome } from "../feature.ts";
import { isTransient, type Outcome } from "../round/outcome.ts";

export interface JournalInput {
  readonly controller: string;
  readonly kind: Kind;
  readonly key: ObjectRef;
  readonly epoch: number;
  readonly nowMs: number;
  readonly outcome: Outcome;
}

export interface PlanJournalOptions {
  /** Lines of the log. */
  readonly logLimit?: number;
  /** Keys whose latest round is kept; the one that has not changed for longest is dropped first. */
  readonly keyLimit?: number;
}

export class PlanJournal implements PlanJournalReader {
  readonly #logLimit: number;
  readonly #keyLimit: number;
  /** By key, in the order of their last change; of each key by controller. */
  readonly #plans = new Map<string, ReadonlyMap<string, PlanRecord>>();
  readonly #log: LogRecord[] = [];
  readonly #listeners = new Set<(change: JournalChange) => void>();
  #lastId = 0;
  #revision = 0;

  constructor({ logLimit = 2_000, keyLimit = 5_000 }: PlanJournalOptions = {}) {
    this.#logLimit = logLimit;
    this.#keyLimit = keyLimit;
  }

  plansFor(kind: Kind, key: ObjectRef): readonly PlanRecord[] {
    return [...(this.#plans.get(keyText(kind, key))?.values() ?? [])];
  }

  /** Oldest first. */
  get log(): readonly LogRecord[] {
    return this.#log;
  }

  subscribe(listener: (change: JournalChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  record(input: JournalInput): void {
    const { controller, kind, key, outcome } = input;
    if (isTransient(outcome)) return;
    const before = this.#plans.get(keyText(kind, key))?.get(controller);
    if (outcome.name === "gone") {
      this.#keep(keyText(kind, key), controller, undefined);
      if (before !== undefined) this.#notify({ kind, key, logged: [] });
      return;
    }
    const record = Object.freeze({ ...recordOf(input), revision: this.#revision + 1 });
    const logged = newLines(record, before).map((line) => this.#append(line, record));
    if (logged.length === 0 && before !== undefined && contentOf(before) === contentOf(record)) return;
    this.#revision += 1;
    this.#keep(keyText(kind, key), controller, record);
    this.#notify({ kind, key, logged });
  }

  #keep(key: string, controller: string, record: PlanRecord | undefined): void {
    const others = [...(this.#plans.get(key) ?? [])].filter(([name]) => name !== controller);
    this.#plans.delete(key);
    if (record !== undefined) this.#plans.set(key, new Map([...others, [controller, record]]));
    else if (others.length > 0) this.#plans.set(key, new Map(others));
    const oldest = this.#plans.keys().next();
    if (this.#plans.size > this.#keyLimit && oldest.done !== true) this.#plans.delete(oldest.value);
  }

  #append(line: Line, { controller, kind, key, atMs, epoch }: PlanRecord): LogRecord {
    this.#lastId += 1;
    const entry = Object.freeze({ id: this.#lastId, atMs, epoch, controller, kind, key, ...line });
    this.#log.push(entry);
    if (this.#log.length > this.#logLimit) this.#log.splice(0, this.#log.length - this.#logLimit);
    return entry;
  }

  #notify(change: JournalChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

function keyText(kind: Kind, key: ObjectRef): string {
  return `${resourceName(kind)}/${formatRef(key)}`;
}

function recordOf({ controller, kind, key, epoch, nowMs, outcome }: JournalInput): Omit<PlanRecord, "revision"> {
  const { plan = emptyPlan, outcomes = [] } = outcome.round ?? {};
  const byAction = new Map<Action, ActionOutcome>(outcomes.map((done) => [done.action, done]));
  return {
    controller,
    kind,
    key,
    atMs: nowMs,
    epoch,
    outcome: outcome.name,
    actions: plan.actions.map((action) => recordedAction(action, byAction.get(action))),
    waits: plan.waits.map(({ reason, message, recheckAfterMs, lane }) => ({
      reason,
      message: message ?? factsOf(reason).summary,
      recheckAfterMs,
      ...named(lane),
    })),
    refusals: plan.refusals.map(({ reason, message, lane }) => ({
      reason,
      message,
      ...named(lane),
    })),
    troubles: outcome.round === undefined ? outcome.why.map(({ reason, text }) => ({ reason, message: text })) : [],
  };
}

function recordedAction(action: Action, outcome: ActionOutcome | undefined): RecordedAction {
  const { kind, because, lane, removes } = action;
  return {
    action: kind,
    words: describeAction(action),
    because,
    ...named(lane),
    ...present({ removes }),
    result: outcome?.result ?? "planned",
    ...(outcome === undefined || outcome.result === "done"
      ? {}
      : { failure: { reason: outcome.reason, message: outcome.message } }),
  };
}

function named(lane: Lane | undefined): { readonly lane?: string } {
  return lane === undefined ? {} : { lane: laneName(lane) };
}

type Line = Pick<LogRecord, "action" | "words" | "because" | "result"> &
  Partial<Pick<LogRecord, "lane" | "removes" | "message">>;

/** Every action done or tried; what is skipped, waited for or refused only when it is new, so that a converged system logs nothing. */
function newLines(record: PlanRecord, before: PlanRecord | undefined): readonly Line[] {
  const known = new Set(before === undefined ? [] : [...unfinished(before)].map((line) => JSON.stringify(line)));
  const acted = record.actions.filter(({ result }) => result === "done" || result === "failed").map(actionLine);
  return [...acted, ...unfinished(record).filter((line) => !known.has(JSON.stringify(line)))];
}

function unfinished({ actions, waits, refusals, troubles }: PlanRecord): readonly Line[] {
  const trouble = (action: string, result: Line["result"], { reason, message, ...rest }: RecordedTrouble): Line => ({
    action,
    words: message,
    because: reason,
    result,
    message,
    ...("lane" in rest && typeof rest.lane === "string" ? { lane: rest.lane } : {}),
  });
  return [
    ...actions.filter(({ result }) => result === "skipped").map(actionLine),
    ...troubles.map((why) => trouble("reconcile", "failed", why)),
    ...refusals.map((why) =>
      factsOf(why.reason).notice ? trouble("notice", "noticed", why) : trouble("refuse", "refused", why),
    ),
    ...waits.map((why) => trouble("wait", "waiting", why)),
  ];
}

function actionLine({ action, words, because, lane, removes, result, failure }: RecordedAction): Line {
  return {
    action,
    words,
    because,
    ...present({ lane, removes }),
    result: result === "planned" ? "skipped" : result,
    ...(failure === undefined ? {} : { message: failure.message }),
  };
}

/** All but times and counts. */
function contentOf({ atMs: _at, revision: _revision, kind: _kind, ...content }: PlanRecord): string {
  return JSON.stringify(content);
}
