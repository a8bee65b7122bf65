// Prints errors for people: what is wrong, every problem, what to do. A stack is printed only for a bug in Mainstay.

import { formatProblem } from "../apis/text/problem.ts";
import { InvariantViolation, MainstayError } from "../core/errors.ts";
import { factsOf, type Reason } from "../core/reasons.ts";
import type { Terminal } from "../ports/terminal.ts";
import { exitCodes } from "./exit-codes.ts";
import { InvalidInput, notUnderstood } from "./invalid-input.ts";

/** Prints the error and answers with the exit code for it. */
export function printError(error: unknown, terminal: Terminal): number {
  if (!(error instanceof MainstayError) || error instanceof InvariantViolation) {
    terminal.err(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    terminal.err("This is a bug in Mainstay. Please report it with the lines above.");
    return exitCodes.unexpected;
  }
  if (error instanceof InvalidInput) return printInvalid(error, terminal);
  terminal.err(`error: ${error.message}`);
  if (error.hint !== undefined) {
    terminal.err(`hint: ${error.hint}`);
  } else {
    terminal.err(`hint: ${factsOf(error.reason).summary} mainstay runbook ${error.reason} says what to do.`);
  }
  return exitCodeOf(error);
}

/** One problem with the command itself is one sentence; several, and those of a file, are a list. */
function printInvalid({ message, problems }: InvalidInput, terminal: Terminal): number {
  const [only, ...more] = problems;
  if (only === undefined || more.length > 0 || message !== notUnderstood) {
    terminal.err(`error: ${message}`);
    for (const problem of problems) terminal.err(`  - ${formatProblem(problem)}`);
  } else {
    terminal.err(`error: ${only.where}: ${only.message}`);
    if (only.hint !== "") terminal.err(`hint: ${only.hint}`);
  }
  return exitCodes.invalid;
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

/** As a command ends that fails with it. */
export function exitCodeOf(error: MainstayError): number {
  if (error.reason === "ObjectNotFound") return exitCodes.notFound;
  if (clusterTrouble.includes(error.reason)) return exitCodes.cluster;
  if (error.reason === "InputInvalid" || error.reason === "ConfigurationInvalid") return exitCodes.invalid;
  return exitCodes.refused;
}
