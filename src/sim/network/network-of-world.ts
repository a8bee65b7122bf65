// The network of a world: calls on their way may end or stop the process that sent them, and be raced by somebody else's write.

import { racingWrite } from "../faults/racing-write.ts";
import type { World } from "../run/world.ts";
import type { Network } from "./network.ts";

export function networkOfWorld(world: World): Network {
  const { scheduler, trace, events, onTheWay } = world;
  return {
    scheduler,
    trace,
    events,
    onTheWay,
    isAway: (port) => (world.awayUntilMs.get(port) ?? 0) > scheduler.nowMs,
    kill: (call, fault) => {
      if (!call.process.alive) return;
      world.countFault(fault, [call]);
      world.fleet.kill(call.process, `${fault} of ${call.verb} ${call.target} for ${call.purpose}`);
    },
    stop: ({ process }, ms) => world.fleet.pause(process, ms),
    racingWrite: async (call) => {
      if (!world.healed) await racingWrite(world.kube, trace, call);
    },
  };
}
