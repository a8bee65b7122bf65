// One condition of an endpoint, and what it is made of.

import type { ReportedCondition } from "../../../../core/conditions.ts";
import type { Lane, Plan } from "../../../../core/plan.ts";
import { factsOf, type Severity, type Word } from "../../../../core/reasons.ts";
import { rootFirst } from "../../../../core/root-cause.ts";
import type { EndpointAction } from "../model/action.ts";
import { credentialsLane } from "../model/lanes.ts";
import { causeOrder } from "./cause-order.ts";

/** What came of actions that failed: the engine's outcomes, as far as they matter here. */
export interface Failure {
  readonly lane?: Lane | undefined;
  readonly reason: Word;
  readonly message: string;
}

/** Nothing waits for it, and nothing else fails because of it. */
export function isOfSecret({ lane }: Pick<Failure, "lane">): boolean {
  return lane?.part === credentialsLane.part;
}

export interface RoundResult {
  readonly plan: Plan<EndpointAction>;
  readonly failures: readonly Failure[];
}

type Truth = ReportedCondition["status"];
export type Part = ReportedCondition & { readonly reason: Word };

/** Several causes as one: all messages, the root's first, under its reason; of equals the most severe counts. */
export function together(all: readonly { readonly reason: Word; readonly message: string }[]): Failure {
  const [root = { reason: "EndpointNotReady" as const }, ...rest] = rootFirst(bySeverity(all), causeOrder);
  const messages = [root, ...rest].flatMap((one) => ("message" in one ? [one.message] : []));
  return { reason: root.reason, message: messages.join("; ") };
}

function bySeverity<T extends { readonly reason: Word }>(all: readonly T[]): readonly T[] {
  const rank = ({ reason }: T) => severities.indexOf(factsOf(reason).severity);
  return all.toSorted((a, b) => rank(a) - rank(b));
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
