// What people and machines do after a while: at a time that the seed draws.

import { between } from "../../../../sim/time/derive-seed.ts";
import type { EndpointSim } from "../endpoint-sim.ts";

export function later({ world }: EndpointSim, lowMs: number, highMs: number, step: () => Promise<void>): void {
  const { random, network } = world;
  network.scheduler.after(between(random, lowMs, highMs), undefined, () => void step());
}
