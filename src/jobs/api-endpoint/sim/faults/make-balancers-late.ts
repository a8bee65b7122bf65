// A cloud that is at times so busy that it takes a create, answers nothing, and makes the balancer when nobody waits for it any more.

import { between, chance } from "../../../../sim/time/derive-seed.ts";
import { lateCreateMs } from "../../core/balancer/late-creates.ts";
import type { EndpointSim } from "../endpoint-sim.ts";
import { callDeadlineMs } from "../openstack-link.ts";

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
