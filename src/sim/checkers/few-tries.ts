// Bounded: whatever is wrong, for however long, nobody hammers at it. Counted for each object, in an hour in which one thing stays wrong.

import { formatRef } from "../../apis/kube/kube-object.ts";
import { describeCall, type PortCall } from "../network/port-call.ts";
import type { Checker } from "./checker.ts";

/** For one object in an hour; worlds observe clouds every four seconds at the most, in ten calls. Events are those of one process. */
const bounds = { "changes outside": 150, "looks outside": 10_000, "writes to Kubernetes": 150, Events: 150 } as const;
type Counted = keyof typeof bounds;

export const fewTries: Checker = {
  name: "few-tries",
  promise: "while one thing stays wrong, calls and writes for an object stay below a bound an hour",
  watch: (view, broken) => {
    const counts = new Map<string, number>();
    let countingSinceMs: number | undefined;
    view.on("left", ({ call }) => {
      const sinceMs = view.lastingSinceMs();
      if (sinceMs !== countingSinceMs) counts.clear();
      countingSinceMs = sinceMs;
      const what = whatIs(call);
      if (sinceMs === undefined || what === undefined) return;
      const { actor, process } = call;
      const whose = actor === undefined ? process.name : `${actor.feature} ${formatRef(actor.key)}`;
      const name = `${whose}: ${what}`;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      if (count > bounds[what])
        broken(
          `${name}: more than ${bounds[what]} within ${minutes(view.nowMs() - sinceMs)}, such as ${describeCall(call)} for ${call.purpose}`,
        );
    });
  },
};

/** Undefined for what everybody does all the time: the Lease, watches, and what they list. */
function whatIs({ port, write, purpose, actor }: PortCall): Counted | undefined {
  if (purpose === "event") return "Events";
  if (actor === undefined || purpose === "lease") return undefined;
  if (port === "kube") return write ? "writes to Kubernetes" : undefined;
  return write ? "changes outside" : "looks outside";
}

function minutes(ms: number): string {
  return `${Math.ceil(ms / 60_000)} minutes`;
}
