// What is Unknown now was known before, and people want to read that too. Status keeps it (`lastKnownConditions`) for as long as the
// condition is Unknown, so that an outage is told in the same words however long it lasts, and after a restart of the manager.

import type { ReportedCondition } from "../../../../core/conditions.ts";
import { withoutWhoActs } from "../../../../core/who-acts.ts";
import type { KnownCondition } from "../../apis/load-balancer/api-server-load-balancer.ts";

/** What held while a condition was True, behind "when last seen, ". */
const truths: Readonly<Record<string, string>> = {
  Ready: "the API could be reached",
  OpenStackAuthenticationSucceeded: "the credentials were accepted",
  NetworkReady: "every network and subnet was found",
  LoadBalancersReady: "every load balancer was complete",
  MembersHealthy: "every machine answered",
  APIEndpointReady: "the endpoint was complete",
};

/** Of others, such as CAPO before a hand-over, not every condition has a message. */
type SaidBefore = Pick<ReportedCondition, "type" | "status"> & Partial<Pick<ReportedCondition, "message">>;

/** Of every condition the latest that was known: what it says now, or what was kept while it is Unknown. */
export function knownConditions(
  conditions: readonly SaidBefore[],
  kept: readonly KnownCondition[] = [],
): readonly KnownCondition[] {
  return conditions.flatMap(({ type, status, message = "" }) =>
    status === "Unknown"
      ? kept.filter((one) => one.type === type)
      : [{ type, status, message: withoutWhoActs(message) }],
  );
}

/** The cause comes first, then what was last known. */
export function withLastKnown<T extends ReportedCondition>(condition: T, known: readonly KnownCondition[]): T {
  const before = known.find(({ type }) => type === condition.type);
  if (condition.status !== "Unknown" || before === undefined) return condition;
  return { ...condition, message: `${condition.message}; when last seen, ${wordsOf(before)}` };
}

function wordsOf({ type, status, message }: KnownCondition): string {
  if (status === "True") return truths[type] ?? "it was True";
  return message === "" ? "it was False" : `it was False: ${message}`;
}
