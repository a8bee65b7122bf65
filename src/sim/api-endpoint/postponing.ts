// A cloud that is so busy that it takes a create, answers nothing, and makes the balancer when nobody waits for it any more. It is then the
// cloud's doing, at a time of its own, and no deed of a process.

import { lateCreateMs } from "../../core/api-endpoint/late-creates.ts";
import type { LoadBalancer } from "../../core/openstack/octavia-objects.ts";
import { isOpenStackError } from "../../core/openstack/openstack-error.ts";
import { between, chance } from "../derive-seed.ts";
import { describeCall, type PortCall } from "../port-call.ts";
import type { EndpointStage } from "./endpoint-stage.ts";

export function postponing(stage: EndpointStage): (call: PortCall, effect: () => Promise<unknown>) => boolean {
  const { world, late } = stage;
  const { random, space } = world;
  return (call, effect) => {
    if (stage.mood !== "makes-late" || call.verb !== "createLoadBalancer" || !chance(random, 0.3)) return false;
    late.calls.add(call);
    space.scheduler.after(between(random, 1_000, lateCreateMs), undefined, () => void carryOut(stage, call, effect));
    return true;
  };
}

/** What it would have refused then, it refuses now, and nobody hears of that either. */
async function carryOut(
  { world: { space }, late }: EndpointStage,
  call: PortCall,
  effect: () => Promise<unknown>,
): Promise<void> {
  try {
    const { id } = (await effect()) as LoadBalancer;
    late.balancers.add(id);
    space.trace.say("cloud", `${describeCall(call)} of ${call.process.name} carried out late: ${id}`);
  } catch (error) {
    if (!isOpenStackError(error)) throw error;
  } finally {
    late.calls.delete(call);
  }
}
