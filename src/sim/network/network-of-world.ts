// What calls on their way may do to the world they cross: end or stop the process that sent them, meet somebody who meddles.

import { meddle } from "../faults/racing-write.ts";
import type { World } from "../run/world.ts";
import type { Airspace } from "./deliver-call.ts";

export function airspaceOfWorld(world: World): Airspace {
  const { scheduler, trace, board, onTheWay } = world;
  return {
    scheduler,
    trace,
    board,
    onTheWay,
    isAway: (port) => (world.awayUntilMs.get(port) ?? 0) > scheduler.nowMs,
    kill: (call, fault) => {
      if (!call.process.alive) return;
      world.struck(fault, [call]);
      world.fleet.kill(call.process, `${fault} of ${call.verb} ${call.target} for ${call.purpose}`);
    },
    stop: ({ process }, ms) => world.fleet.pause(process, ms),
    meddle: async (call) => {
      if (!world.healed) await meddle(world.kube, trace, call);
    },
  };
}
