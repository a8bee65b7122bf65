// The process dies at a call: before its effect, after it, or after its answer. It is started again after a while, as somebody else.
// Every call can be the last; writes are it more often, for that is where half-done work comes from. Crashes are drawn more often than other
// faults, and what is done for the first time meets them most: each kind of action is to meet each of them, also what is done once in a world.

import type { CallPlan, PortCall } from "../network/port-call.ts";
import { isWrite } from "./call-faults.ts";
import type { Fault } from "./fault.ts";

export const crashFaults: readonly Fault[] = [
  crash("crash-before-effect", "the process dies as a call leaves", "before-effect"),
  crash("crash-after-effect", "the process dies after a call had its effect, before the answer", "after-effect"),
  crash("crash-after-reply", "the process dies right after it got the answer of a call", "after-reply"),
];

function crash(name: string, does: string, when: NonNullable<CallPlan["crash"]>): Fault {
  const apply = (callPlan: CallPlan): void => void (callPlan.crash ??= when);
  return { name, does, likely: 2, call: { rate: [0.05, 0.5], weight, apply } };
}

function weight(call: PortCall, callsBefore: number): number {
  // Of a cloud that does not report its changes there are so many that hardly a process would live to write.
  if (call.purpose === "observe-again") return 0.002;
  if (!isWrite(call)) return 0.03;
  if (call.purpose === "event" || call.purpose === "status") return 0.2;
  return callsBefore < 2 ? 3 : 1;
}
