// Plans, log lines and events in words. The `reduced` forms leave out free text: they are for viewers who may not list everything that
// the plan was made from, so that no name of a hidden object reaches them.

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { resourceName } from "../../apis/kube/kube-object.ts";
import { isRecord } from "../../apis/text/problem.ts";
import type { LogRecord, PlanRecord, RecordedAction, RecordedTrouble } from "../plan-record.ts";
import { present } from "../present.ts";
import { factsOf, runbookCommand } from "../reasons.ts";
import { explained, textAt } from "./explained.ts";
import type { EventView, ObjectId, PlanActionView, PlanLogEntry, PlanView } from "./object-view.ts";

const outcomes: Readonly<Record<string, string>> = {
  quiet: "Nothing is left to do.",
  acted: "Changes were made; their effect is observed next.",
  waiting: "Something outside has to happen first.",
  refused: "Everything that is left to do is refused.",
  failed: "The last attempt failed; it is tried again.",
  isolated: "An invariant inside Mainstay was broken; nothing is done for the object until it changes.",
  blind: "A kind of object that is needed cannot be observed.",
};

export function planView(record: PlanRecord): PlanView {
  const { controller, atMs, outcome, actions, waits, refusals, troubles } = record;
  return {
    controller,
    at: isoTime(atMs),
    outcome,
    sentence: outcomes[outcome] ?? "",
    actions: actions.map(actionView),
    waits: waits.map(({ reason, ...wait }) => ({ ...explained(reason), ...wait })),
    refusals: refusals.map(({ reason, ...refusal }) => ({
      ...explained(reason),
      ...refusal,
      ...(factsOf(reason).notice ? { notice: true } : {}),
    })),
    troubles: troubles.map(troubleView),
  };
}

function actionView({ because, failure, ...action }: RecordedAction): PlanActionView {
  return { ...explained(because), ...action, ...(failure === undefined ? {} : { failure: troubleView(failure) }) };
}

function troubleView({ reason, message }: RecordedTrouble) {
  return { ...explained(reason), message };
}

/** The id is the record's own number; the server replaces it by an opaque one before it sends it to viewers. */
export function logEntry({ atMs, kind, key, because, ...record }: LogRecord): PlanLogEntry {
  const { id, controller, action, words, lane, removes, result, message, epoch } = record;
  const runbook = runbookCommand(because);
  return {
    id: String(id),
    time: isoTime(atMs),
    controller,
    object: objectId(kind, key),
    action,
    words,
    because,
    severity: result === "done" ? "info" : factsOf(because).severity,
    ...present({ runbook, lane, removes }),
    result,
    ...present({ message }),
    term: epoch,
  };
}

export function objectId(
  kind: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
    readonly plural: string;
    readonly namespaced: boolean;
  },
  { namespace, name }: { readonly namespace?: string; readonly name: string },
): ObjectId {
  return { resource: resourceName(kind), kind: kind.kind, ...present({ namespace }), name };
}

export function reducedPlan(record: PlanRecord): PlanRecord {
  const bare = ({ reason }: RecordedTrouble): RecordedTrouble => ({ reason, message: factsOf(reason).summary });
  return {
    ...record,
    actions: record.actions.map(({ action, because, result, removes, failure }) => ({
      action,
      words: bareWords(action, because),
      because,
      result,
      ...(removes === undefined ? {} : { removes: hidden }),
      ...(failure === undefined ? {} : { failure: bare(failure) }),
    })),
    waits: record.waits.map((wait) => ({ ...bare(wait), recheckAfterMs: wait.recheckAfterMs })),
    refusals: record.refusals.map(bare),
    troubles: record.troubles.map(bare),
  };
}

export function reducedLog({ lane: _lane, removes, message, words: _words, ...record }: LogRecord): LogRecord {
  const own = ["wait", "refuse", "notice", "reconcile"].includes(record.action);
  return {
    ...record,
    words: own ? factsOf(record.because).summary : bareWords(record.action, record.because),
    ...(removes === undefined ? {} : { removes: hidden }),
    ...(message === undefined ? {} : { message: own ? factsOf(record.because).summary : hidden }),
  };
}

/** Replaces text that may name a hidden object. */
export const hidden = "(not shown: you may not see everything this was decided from)";

function bareWords(action: string, because: string): string {
  return `${action} because ${because}`;
}

export function eventView(event: KubeObject): EventView {
  const fields = event as unknown as Readonly<Record<string, unknown>>;
  const series = isRecord(fields["series"]) ? fields["series"] : {};
  const count = series["count"];
  const firstSeen = textAt(event, "eventTime") || textAt(event, "deprecatedFirstTimestamp");
  return {
    ...explained(textAt(event, "reason")),
    type: textAt(event, "type") === "Warning" ? "Warning" : "Normal",
    action: textAt(event, "action"),
    message: textAt(event, "note"),
    controller: textAt(event, "reportingController"),
    count: typeof count === "number" ? count : 1,
    firstSeen,
    lastSeen: textAt(series, "lastObservedTime") || textAt(event, "deprecatedLastTimestamp") || firstSeen,
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
