// A fence cannot keep a write that left in time from arriving late. Then it has to be bound to the state it was decided on.

import { isRecord } from "../../apis/text/problem.ts";
import { describeCall, type PortCall } from "../network/port-call.ts";
import type { Checker } from "./checker.ts";

export const lateWritesHarmless: Checker = {
  name: "late-writes-harmless",
  promise: "every write is bound to one version or one uid, or is a create; elsewhere none arrives once another leads",
  watch: (view, broken) => {
    view.on("left", ({ call }) => {
      const exempt = call.purpose === "lease" || call.purpose === "event" || call.verb === "POST";
      if (call.write && call.port === "kube" && !exempt && !isBound(call))
        broken(
          `${describeCall(call)} of ${call.process.name} is bound to nothing: late, it would undo what others did`,
        );
    });
    view.on("arrived", ({ call, status }) => {
      if (!call.write || call.port === "kube" || status >= 300) return;
      const holder = view.leading();
      if (holder !== undefined && holder !== call.process.identity)
        broken(`${describeCall(call)} of ${call.process.name} arrived while the Lease was held by ${holder}`);
    });
  },
};

function isBound({ verb, body }: PortCall): boolean {
  const parsed: unknown = body === "" ? {} : JSON.parse(body);
  const guard = isRecord(parsed) ? parsed[verb === "DELETE" ? "preconditions" : "metadata"] : undefined;
  if (!isRecord(guard)) return false;
  return typeof guard["resourceVersion"] === "string" || (verb === "DELETE" && typeof guard["uid"] === "string");
}
