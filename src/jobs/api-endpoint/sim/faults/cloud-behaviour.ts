// How the cloud of a seed answers: it loses answers to creates, stops whoever writes, or is at times so busy that it takes a create,
// answers nothing, and makes the balancer when nobody waits for it any more.

import type { CallPlan, PortCall } from "../../../../sim/network/port-call.ts";
import { callDeadlineMs } from "../../../../sim/openstack/openstack-link.ts";
import { between, chance } from "../../../../sim/time/derive-seed.ts";
import { lateCreateMs } from "../../core/balancer/late-creates.ts";
import type { EndpointSim } from "../endpoint-sim.ts";
import { crashOnWrite } from "./crash-on-write.ts";
import { mutedCall } from "./dark-zone.ts";

/** What the seed's faults make of a call, and this cloud's own. */
export function planCallTo(sim: EndpointSim, call: PortCall): CallPlan {
  const { world, cloudBehaviour } = sim;
  const { random } = world;
  const planned = world.planCall(call);
  const crash = planned.crash ?? crashOnWrite(sim, call);
  const callPlan: CallPlan = crash === undefined ? planned : { ...planned, crash };
  const muted = mutedCall(sim, call, callPlan);
  if (muted !== callPlan) return muted;
  if (cloudBehaviour === "loses-answers" && call.verb.startsWith("create") && chance(random, 0.2))
    return { ...callPlan, replyLost: "broken" };
  // As long as it takes for another to lead, and no longer than the call may take.
  if (cloudBehaviour === "stops-writers" && call.write && chance(random, 0.16)) return stoppedIn(sim, call, callPlan);
  return callPlan;
}

function stoppedIn({ world }: EndpointSim, call: PortCall, callPlan: CallPlan): CallPlan {
  const { random, network } = world;
  const ms = between(random, 5_000, 11_000);
  if (chance(random, 0.5)) return { ...callPlan, stoppedMs: ms };
  const sentMs = callPlan.leavesAfterMs + 1;
  network.scheduler.after(sentMs, undefined, () => network.stop(call, ms));
  return { ...callPlan, thereMs: ms + sentMs };
}

export function makeBalancersLate(sim: EndpointSim): void {
  const { fake, effects, world } = sim;
  const { random, network } = world;
  fake.addCallPlan(({ operation }) => {
    if (sim.cloudBehaviour !== "makes-late" || operation !== "create load balancer" || !effects.isUnderWay)
      return undefined;
    // As late as it may be after the caller gave up.
    return chance(random, 0.5) ? { lateMs: between(random, 5_000, callDeadlineMs + lateCreateMs) } : undefined;
  });
  fake.onChange(({ kind, id, before, after }) => {
    if (kind === "loadbalancers" && before === undefined && after !== undefined && !effects.isUnderWay)
      network.trace.write("cloud", `load balancer ${id} was made by nobody who waits for it`);
  });
}
