// Faults of single calls: turned away, lost, slow, late, raced.

import type { PortCall } from "../network/port-call.ts";
import { between, chance } from "../time/derive-seed.ts";
import type { Fault } from "./fault.ts";

export const callFaults: readonly Fault[] = [
  {
    name: "call-refused",
    does: "a call fails before its effect: no connection",
    call: { rate: [0.02, 0.2], apply: (callPlan) => void (callPlan.turnedAway = { how: "connection" }) },
  },
  {
    name: "call-server-error",
    does: "a call fails before its effect: 500 or 503",
    call: {
      rate: [0.02, 0.2],
      apply: (callPlan, random) =>
        void (callPlan.turnedAway = { how: "status", status: chance(random, 0.5) ? 500 : 503 }),
    },
  },
  {
    name: "rate-limited",
    does: "a call is turned away with 429",
    call: { rate: [0.05, 0.3], apply: (callPlan) => void (callPlan.turnedAway = { how: "status", status: 429 }) },
  },
  {
    name: "reply-lost",
    does: "a call has its effect, and its answer is lost",
    call: {
      rate: [0.05, 0.3],
      affects: (call) => call.purpose !== "watch",
      apply: (callPlan, random) => void (callPlan.replyLost = chance(random, 0.6) ? "broken" : "silence"),
    },
  },
  {
    name: "slow-call",
    does: "a call or its answer takes seconds",
    call: {
      rate: [0.05, 0.4],
      apply: (callPlan, random) => {
        callPlan.thereMs += between(random, 0, 6_000);
        callPlan.backMs += between(random, 0, 6_000);
      },
    },
  },
  {
    name: "late-arrival",
    does: "a write arrives long after its caller gave up",
    call: {
      rate: [0.05, 0.3],
      affects: isWrite,
      apply: (callPlan, random) => void (callPlan.thereMs += between(random, 10_000, 50_000)),
    },
  },
  {
    name: "raced-write",
    does: "somebody else changes the object right before our write arrives",
    call: {
      rate: [0.1, 0.5],
      affects: (call) => isWrite(call) && call.port === "kube",
      apply: (callPlan) => void (callPlan.racingWrite = true),
    },
  },
  {
    name: "stopped-before-sending",
    does: "the process is stopped between deciding on a write and sending it, longer than its lease lasts",
    likely: 2,
    call: {
      rate: [0.02, 0.25],
      affects: isWrite,
      apply: (callPlan, random) =>
        void (callPlan.stoppedMs = chance(random, 0.5)
          ? between(random, 4_000, 9_000)
          : between(random, 3_000, 30_000)),
    },
  },
];

export function isWrite(call: PortCall): boolean {
  return call.write && call.purpose !== "lease";
}
