// One condition of an endpoint, and what it is made of.

import type { ReportedCondition } from "../../../../core/conditions.ts";
import type { Lane, Plan } from "../../../../core/plan.ts";
import type { Word } from "../../../../core/reasons.ts";
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
/** Of those that say whether the endpoint works. */
export type Part = ReportedCondition & { readonly reason: Word };

export function together(all: readonly { readonly reason: Word; readonly message: string }[]): Failure {
  return { reason: all[0]?.reason ?? "EndpointNotReady", message: all.map(({ message }) => message).join("; ") };
}

export function condition(
  type: string,
  status: Truth,
  { reason, message = "" }: { readonly reason: Word; readonly message?: string },
) {
  return { type, status, reason, message };
}

export function asExpected(type: string): Part {
  return { type, status: "True", reason: "AsExpected", message: "" };
}
