// Plans what becomes of a call: the seed's own small delays, and what the faults of this moment do to it.

import type { Random } from "../../ports/random.ts";
import type { PlanCall } from "../network/network.ts";
import type { CallPlan, PortCall } from "../network/port-call.ts";
import { type Counts, count } from "../run/coverage.ts";
import { between, chance, streamOf } from "../time/derive-seed.ts";
import { faultNamed } from "./all-faults.ts";
import type { DrawnFault } from "./fault.ts";

export interface CallPlannerOptions {
  readonly seed: number;
  readonly faults: readonly DrawnFault[];
  readonly schedule: Random;
  readonly nowMs: () => number;
  readonly onFault: (fault: string, call: PortCall) => void;
}

export function callPlanner({ seed, faults, schedule, nowMs, onFault }: CallPlannerOptions): PlanCall {
  const callFaults = faults.flatMap((drawn) => {
    const fault = faultNamed(drawn.name)?.call;
    return fault === undefined ? [] : [{ ...drawn, fault, stream: streamOf(seed, `fault ${drawn.name}`) }];
  });
  const calls: Counts = {};
  return (call) => {
    const callsBefore = calls[call.purpose] ?? 0;
    count(calls, call.purpose);
    const callPlan: CallPlan = {
      leavesAfterMs: chance(schedule, 0.1) ? between(schedule, 1, 30) : 0,
      thereMs: between(schedule, 1, 5),
      backMs: between(schedule, 1, 5),
    };
    const atMs = nowMs();
    for (const { name, fromMs, toMs, rate, fault, stream } of callFaults) {
      if (atMs < fromMs || atMs >= toMs || fault.affects?.(call) === false) continue;
      if (!chance(stream, rate * (fault.weight?.(call, callsBefore) ?? 1))) continue;
      fault.apply(callPlan, stream);
      // A crash counts when it happens: the call may be turned away first.
      if (callPlan.crash === undefined || !name.startsWith("crash-")) onFault(name, call);
    }
    return callPlan;
  };
}
