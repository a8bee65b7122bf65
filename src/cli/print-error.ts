// Errors as people want to read them: what is wrong, every problem, what to do. A stack appears only for a fault of ours.

import { formatProblem } from "../apis/problem.ts";
import { InvariantViolation, MainstayError } from "../core/errors.ts";
import { type Reason, reasons, runbookPage } from "../core/reasons.ts";
import type { Terminal } from "../ports/terminal.ts";
import { exitCodes } from "./exit-codes.ts";
import { InvalidInput } from "./invalid-input.ts";

/** Prints the error and answers with the exit code for it. */
export function printError(error: unknown, terminal: Terminal): number {
  if (!(error instanceof MainstayError) || error instanceof InvariantViolation) {
    terminal.err(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    terminal.err("This is a fault in Mainstay. Please report it with the lines above.");
    return exitCodes.unexpected;
  }
  terminal.err(`error: ${error.message}`);
  if (error instanceof InvalidInput) {
    for (const problem of error.problems) terminal.err(`  - ${formatProblem(problem)}`);
  } else if (error.hint !== undefined) {
    terminal.err(`hint: ${error.hint}`);
  } else {
    terminal.err(`hint: ${reasons[error.reason].summary} See ${runbookPage(error.reason)}.`);
  }
  return exitCodeOf(error);
}

const clusterTrouble: readonly Reason[] = [
  "ApiRateLimited",
  "ApiServerError",
  "ApiTimeout",
  "ApiUnreachable",
  "KindNotServed",
  "NotAuthenticated",
  "PermissionDenied",
];

function exitCodeOf(error: MainstayError): number {
  if (clusterTrouble.includes(error.reason)) return exitCodes.cluster;
  if (error.reason === "InputInvalid" || error.reason === "ConfigurationInvalid") return exitCodes.invalid;
  return exitCodes.refused;
}
