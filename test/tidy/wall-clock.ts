// The wall clock is set back and forward by hours. Whoever remembers something from one round to the next counts its age on the monotonic
// clock; this finds the places in engine and controllers that read the wall clock, and each has to be named here with its reason.

import { child, lineOf, type Node, type Source, visit } from "./source.ts";

export const wallClockLayers: readonly string[] = ["engine", "controllers"];

/** Path → what for. */
export const wallClockReaders: Readonly<Record<string, string>> = {
  "src/engine/controller.ts": "conditions and the journal, for people",
  "src/engine/lease/leader-lease.ts": "what the Lease says, for people",
  "src/engine/lease/leader-term.ts":
    "a monotonic clock may stand still while a machine sleeps: this one only shortens a term",
  "src/engine/lease/lease-record.ts": "what the Lease says, for people",
  "src/engine/report/apply-status.ts": "transition times of conditions",
  "src/engine/report/atomic-conditions.ts": "transition times of conditions",
  "src/engine/report/events.ts": "times of Events",
  "src/engine/report/failed-rounds.ts": "transition times of conditions",
  "src/engine/report/plan-journal.ts": "when a round was, for people",
  "src/engine/round/observe-once.ts": "a planner compares it with what status and clouds say",
  "src/engine/round/plan-once.ts": "a planner compares it with what status and clouds say",
  "src/engine/round/reconcile.ts": "a planner compares it with what status and clouds say",
  "src/jobs/api-endpoint/controller/endpoint-plans.ts": "a planner compares it with what status and clouds say",
  "src/jobs/api-endpoint/controller/observe-at-rest.ts": "a planner compares it with what status and clouds say",
  "src/jobs/api-endpoint/controller/observe.ts": "the API server's stamp of a deletion, at first sight",
  "src/jobs/api-endpoint/controller/report.ts": "times in status",
  "src/jobs/gateway/controller/feed/gateway-client.ts": "tokens say until when they are good, to another machine",
};

export function wallClockReads(source: Source): readonly string[] {
  const found: string[] = [];
  visit(source.program, (node, ancestors) => {
    const parent = ancestors.at(-1);
    if (node.type !== "Identifier" || node["name"] !== "nowMs" || parent === undefined) return;
    if (isRead(node, parent, ancestors.at(-2)))
      found.push(`${source.path}:${lineOf(source, node)}: reads the wall clock; ages are counted on the monotonic one`);
  });
  return found;
}

/** `clock.nowMs()`, `reader.nowMs`, `const { nowMs } = reader`; not a name of one's own for a number. */
function isRead(node: Node, parent: Node, around: Node | undefined): boolean {
  if (parent.type === "MemberExpression") return child(parent, "property") === node && parent["computed"] !== true;
  return parent.type === "Property" && around?.type === "ObjectPattern" && child(parent, "key") === node;
}
