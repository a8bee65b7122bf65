// Bounded: whatever is wrong, for however long, nobody hammers at it. Counted for each object, in an hour in which one thing stays wrong.

import { formatRef } from "../../apis/kube/kube-object.ts";
import { describeCall, type PortCall } from "../network/port-call.ts";
import type { Checker } from "./checker.ts";

/**
 * For one object in an hour; Events for one process. About twice the most that was seen in 48 such hours: 53 changes of one kind, 73 status
 * writes, 139 Events. Worlds observe clouds every four seconds at the shortest, in ten calls: at most 7,649 were seen.
 */
const bounds = { changes: 100, looks: 10_000, "status writes": 150, Events: 280 } as const;

interface Counted {
  readonly sort: keyof typeof bounds;
  /** What is counted together, in words. */
  readonly name: string;
}

export const fewTries: Checker = {
  name: "few-tries",
  promise:
    "while one thing stays wrong, changes of one kind, status writes, looks and Events for an object stay below a bound an hour",
  watch: (view, broken) => {
    const counts = new Map<string, number>();
    let countingSinceMs: number | undefined;
    view.on("left", ({ call }) => {
      const sinceMs = view.lastingSinceMs();
      if (sinceMs !== countingSinceMs) counts.clear();
      countingSinceMs = sinceMs;
      const counted = countedAs(call);
      if (sinceMs === undefined || counted === undefined) return;
      const count = (counts.get(counted.name) ?? 0) + 1;
      counts.set(counted.name, count);
      if (count <= bounds[counted.sort]) return;
      const within = `${Math.ceil((view.nowMs() - sinceMs) / 60_000)} minutes`;
      broken(`${counted.name}: more than ${bounds[counted.sort]} within ${within}, such as ${describeCall(call)}`);
    });
  },
};

/** Undefined for what everybody does all the time: the Lease, watches, and what they list. */
function countedAs({ port, write, purpose, actor, process }: PortCall): Counted | undefined {
  if (purpose === "event") return { sort: "Events", name: `${process.name}: Events` };
  if (actor === undefined || purpose === "lease") return undefined;
  const whose = `${actor.feature} ${formatRef(actor.key)}`;
  if (purpose === "status") return { sort: "status writes", name: `${whose}: status writes` };
  if (write) return { sort: "changes", name: `${whose}: changes for ${purpose}` };
  return port === "kube" ? undefined : { sort: "looks", name: `${whose}: looks` };
}
