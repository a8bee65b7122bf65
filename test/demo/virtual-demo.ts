// The demonstration's world in virtual time, furnished and at work.

import { product } from "../../src/bin/product.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { simulatedJobs } from "../../src/jobs/simulated.ts";
import { createDemoWorld, type DemoWorld } from "../../src/sim/demo/demo-world.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

export interface VirtualDemo extends DemoWorld {
  readonly clock: VirtualClock;
  close(): Promise<void>;
}

export async function startVirtualDemo(): Promise<VirtualDemo> {
  const clock = new VirtualClock();
  const kubeOver = (transport: Parameters<typeof kubeClient>[0]["transport"]) => kubeClient({ transport, clock });
  const world = createDemoWorld({
    product,
    parts: simulatedJobs.flatMap(({ demo }) => demo ?? []),
    clock,
    random: seededRandom(3),
    kubeOver,
  });
  await during(clock, 5_000, world.start());
  await clock.advance(20_000);
  return { ...world, clock, close: () => during(clock, 60_000, world.stop()) };
}

/** What is under way goes on while time passes. */
export async function during<T>(clock: VirtualClock, ms: number, work: Promise<T>): Promise<T> {
  await clock.advance(ms);
  return await work;
}
