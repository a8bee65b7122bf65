// The one place where a reason and its message become text: condition, event and log line are made from the same explanation, so that
// they always agree.

import { MainstayError } from "./errors.ts";
import { present } from "./present.ts";
import { factsOf, runbookPage, type Severity, type Word } from "./reasons.ts";

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
  const runbook = runbookPage(reason);
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

/** A change that was made: always of severity `info`, whatever made it necessary. */
export function explainDone(because: Word, what: string): Explanation {
  return { ...explain(because, `done: ${what}`), severity: "info", eventType: "Normal", logLevel: "info" };
}
