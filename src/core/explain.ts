// The one place where a reason and its message become text: condition, event and log line are made from the same explanation, so that
// they always agree.

import type { ChangeReason } from "./change-reasons.ts";
import { describeDone } from "./describe-action.ts";
import { MainstayError } from "./errors.ts";
import type { Action } from "./plan.ts";
import { present } from "./present.ts";
import { factsOf, runbookCommand, type Severity, type Word } from "./reasons.ts";

export interface Explanation {
  readonly reason: Word;
  readonly severity: Severity;
  /** Names the object, then the offending value, then what to do; ends without a full stop of its own making. */
  readonly text: string;
  /** Kubernetes has only two types of Events. */
  readonly eventType: "Normal" | "Warning";
  readonly logLevel: "info" | "warn" | "error";
  /** Absent for a cause: there is nothing to do about it. */
  readonly runbook?: string;
  /** The stack of an unexpected error, for the log only. */
  readonly stack?: string;
}

const logLevels: Readonly<Record<Severity, Explanation["logLevel"]>> = {
  info: "info",
  warning: "warn",
  error: "error",
};

export function explain(reason: Word, message?: string, hint?: string): Explanation {
  const { severity, summary } = factsOf(reason);
  const runbook = runbookCommand(reason);
  const what = message === undefined || message === "" ? summary : message;
  return {
    reason,
    severity,
    text: hint === undefined || hint === "" ? what : `${what} (${hint})`,
    eventType: severity === "info" ? "Normal" : "Warning",
    logLevel: logLevels[severity],
    ...present({ runbook }),
  };
}

/** Whatever was thrown, as a reason of the table: anything but a MainstayError is `UnexpectedError`. */
export function explainError(error: unknown): Explanation {
  if (error instanceof MainstayError) return explain(error.reason, error.message, error.hint);
  if (!(error instanceof Error)) return explain("UnexpectedError", String(error));
  const explanation = explain("UnexpectedError", `${error.name}: ${error.message}`);
  return error.stack === undefined ? explanation : { ...explanation, stack: error.stack };
}

/** Of what usually goes away by itself, and has not: from now on people are told. */
export function explainLasting(explanation: Explanation): Explanation {
  if (explanation.severity !== "info") return explanation;
  return { ...explanation, severity: "warning", eventType: "Warning", logLevel: logLevels.warning };
}

/** What an Event says. */
export interface EventWords extends Pick<Explanation, "text" | "eventType"> {
  readonly reason: Word | ChangeReason;
}

/** A change that was made, and why: always normal, whatever made it necessary. */
export function explainDone(reason: ChangeReason, action: Action): EventWords {
  return { reason, text: `${describeDone(action)}. Cause: ${causeInWords(action.because)}`, eventType: "Normal" };
}

/** The fact alone, without what Mainstay does about it: the Event is about that. */
function causeInWords(because: Word): string {
  const { summary } = factsOf(because);
  return summary.replace(/\.$/, "").replace(/[;:,] (so )?Mainstay [^;:]*$/, "");
}
