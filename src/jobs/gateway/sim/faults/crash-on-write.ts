// In some worlds, until faults end, a process often crashes as it writes, most often with what is seldom done: so each operation of the
// specification meets each kind of crash.

import type { CallPlan, PortCall } from "../../../../sim/network/port-call.ts";
import { chance, pick } from "../../../../sim/time/derive-seed.ts";
import type { GatewaySim } from "../gateway-sim.ts";

const often = new Set(["push-document", "set-address-pairs", "status", "event"]);

const crashesIn = new WeakMap<GatewaySim, Map<string, number>>();

export function planCallTo(sim: GatewaySim, call: PortCall): CallPlan {
  const planned = sim.world.planCall(call);
  const crash = planned.crash ?? crashOnWrite(sim, call);
  return crash === undefined ? planned : { ...planned, crash };
}

function crashOnWrite(sim: GatewaySim, { write, purpose }: PortCall): CallPlan["crash"] {
  if (!sim.crashesOnWrite || !write) return undefined;
  const { random } = sim.world;
  const crashes = crashesIn.get(sim) ?? new Map<string, number>();
  crashesIn.set(sim, crashes);
  const before = crashes.get(purpose) ?? 0;
  if (!chance(random, often.has(purpose) ? 0.05 : before < 2 ? 0.5 : 0.05)) return undefined;
  crashes.set(purpose, before + 1);
  return pick(random, ["before-effect", "after-effect", "after-reply"] as const);
}
