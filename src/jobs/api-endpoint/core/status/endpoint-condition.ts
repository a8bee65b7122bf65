// One condition of an endpoint, and what it is made of.

import type { ReportedCondition } from "../../../../core/conditions.ts";
import type { Unknown } from "../../../../core/known.ts";
import type { Lane, Plan } from "../../../../core/plan.ts";
import { factsOf, type Severity, type Word } from "../../../../core/reasons.ts";
import type { EndpointAction } from "../model/action.ts";

/** What came of actions that failed: the engine's outcomes, as far as they matter here. */
export interface Failure {
  readonly lane?: Lane | undefined;
  readonly reason: Word;
  readonly message: string;
}

export interface RoundResult {
  readonly plan: Plan<EndpointAction>;
  readonly failures: readonly Failure[];
}

type Truth = ReportedCondition["status"];
export type Part = ReportedCondition & { readonly reason: Word };

/** Several causes as one: all messages, under the reason that is most severe. */
export function together(all: readonly { readonly reason: Word; readonly message: string }[]): Failure {
  const { reason } = mostSevere(all) ?? { reason: "EndpointNotReady" };
  return { reason, message: all.map(({ message }) => message).join("; ") };
}

const severities: readonly Severity[] = ["error", "warning", "info"];

/** Of equally severe ones the first. */
export function mostSevere<T extends { readonly reason: Word }>(all: readonly T[]): T | undefined {
  return severities
    .map((severity) => all.find(({ reason }) => factsOf(reason).severity === severity))
    .find((found) => found !== undefined);
}

export function condition(
  type: string,
  status: Truth,
  { reason, message = "" }: { readonly reason: Word; readonly message?: string },
): Part {
  return { type, status, reason, message };
}

export function asExpected(type: string): Part {
  return { type, status: "True", reason: "AsExpected", message: "" };
}

/** Reasons that say nothing about the request: whoever was asked did not answer it. */
const unansweredReasons: ReadonlySet<Word> = new Set([
  "OpenStackTimeout",
  "OpenStackUnreachable",
  "OpenStackServerError",
  "OpenStackRateLimited",
]);

/** Why something is not known, with who should have said it first. */
export function notAnswered(who: string, { reason, message }: Unknown): Failure {
  return { reason, message: unansweredReasons.has(reason) ? `${who} does not answer: ${message}` : message };
}
