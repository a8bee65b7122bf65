// In some worlds, until faults end, a process often crashes as it writes to the cloud; most often with writes that are seldom needed, so that
// each kind of action meets each kind of crash although most worlds never do it while there are faults.

import type { CallPlan, PortCall } from "../../../../sim/network/port-call.ts";
import { chance, pick } from "../../../../sim/time/derive-seed.ts";
import type { EndpointSim } from "../endpoint-sim.ts";

const seldom = new Set([
  "attach-floating-ip",
  "delete-floating-ip",
  "delete-listener",
  "delete-monitor",
  "delete-pool",
  "detach-floating-ip",
  "failover-load-balancer",
  "remove-member",
  "update-listener",
  "update-load-balancer",
  "update-monitor",
  "update-pool",
]);

/** By purpose: how often a process crashed with it in this world. */
type Crashes = Map<string, number>;
const crashesIn = new WeakMap<EndpointSim, Crashes>();

export function crashOnWrite(sim: EndpointSim, { write, purpose }: PortCall): CallPlan["crash"] {
  if (!sim.crashesOnWrite || !write) return undefined;
  const { random } = sim.world;
  const crashes = crashesIn.get(sim) ?? new Map<string, number>();
  crashesIn.set(sim, crashes);
  const before = crashes.get(purpose) ?? 0;
  const rate = seldom.has(purpose) ? (before < 2 ? 0.7 : 0.1) : before < 2 ? 0.12 : 0.02;
  if (!chance(random, rate)) return undefined;
  crashes.set(purpose, before + 1);
  return pick(random, ["before-effect", "after-effect", "after-reply"] as const);
}
