// Whoever writes to the cloud may not live to hear of it: in some worlds, until faults end. What is seldom asked for is survived least, so
// that each kind of work meets each kind of crash although most worlds never do it while faults apply.

import type { CallPlan, PortCall } from "../../../../sim/network/port-call.ts";
import { chance, pick } from "../../../../sim/time/derive-seed.ts";
import type { EndpointStage } from "../endpoint-stage.ts";

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

/** By purpose: how often somebody died of it in this world. */
type Deaths = Map<string, number>;
const deathsIn = new WeakMap<EndpointStage, Deaths>();

export function crashOf(stage: EndpointStage, { write, purpose }: PortCall): CallPlan["crash"] {
  if (!stage.isFatal || !write) return undefined;
  const { random } = stage.world;
  const deaths = deathsIn.get(stage) ?? new Map<string, number>();
  deathsIn.set(stage, deaths);
  const before = deaths.get(purpose) ?? 0;
  const rate = seldom.has(purpose) ? (before < 2 ? 0.7 : 0.1) : before < 2 ? 0.12 : 0.02;
  if (!chance(random, rate)) return undefined;
  deaths.set(purpose, before + 1);
  return pick(random, ["before-effect", "after-effect", "after-reply"] as const);
}
