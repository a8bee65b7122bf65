// A cluster's clients through everything that can be done to it, from one balancer to three and back: whoever tries every address of the
// answer is served, each time. The same story on the fake cloud and on the real one.

import { afterAll, beforeAll, expect, test } from "vitest";
import { testPatienceMs } from "../until.ts";
import type { Outcome } from "./client.ts";
import type { ReachWorld } from "./reach-world.ts";

const timeout = testPatienceMs;
const fewest = 20;

export function reachabilityStory(open: () => Promise<ReachWorld>): void {
  let world: ReachWorld;

  beforeAll(async () => {
    world = await open();
    await world.begin();
  }, timeout);
  afterAll(() => world?.close(), timeout);

  /** Nobody went away unserved, neither with a new answer nor with one from a cache. */
  const served = async (happens: () => Promise<void>): Promise<Outcome> => {
    const { fresh, caching } = await world.during(happens);
    expect(fresh.attempts).toBeGreaterThanOrEqual(fewest);
    expect(caching.attempts).toBeGreaterThanOrEqual(fewest);
    expect([...fresh.failures, ...caching.failures]).toEqual([]);
    return fresh;
  };
  const apart = { az1: ["cp-1"], az2: ["cp-2"], az3: ["cp-3"] };

  test("with one balancer", { timeout }, async () => {
    expect((await served(async () => {})).silent).toEqual([]);
  });

  test("while it becomes one balancer per zone", { timeout }, async () => {
    await served(async () => {
      await world.addMachine("cp-2", "az2");
      await world.addMachine("cp-3", "az3");
      await world.target.patch(world.target.zones("az1", "az2", "az3"));
      await world.untilServed(apart);
      await world.untilPublished(3);
    });
  });

  test("with three zones, through every one of them", { timeout }, async () => {
    expect((await served(async () => {})).silent).toEqual([]);
  });

  test("while every machine comes behind every balancer, and goes back, through every zone all the time", {
    timeout,
  }, async () => {
    const { silent } = await served(async () => {
      const all = ["cp-1", "cp-2", "cp-3"];
      await world.target.patch({ allowCrossAZLoadBalancerMembers: true });
      await world.untilServed({ az1: all, az2: all, az3: all });
      await world.target.patch({ allowCrossAZLoadBalancerMembers: false });
      await world.untilServed(apart);
    });
    expect(silent).toEqual([]);
  });

  test("while a zone's machine dies, then its balancer, and both come back", { timeout }, async () => {
    await world.untilEverybodyKnows();
    await served(async () => {
      const down = (isDown: boolean) => async () => await world.setMachineDown("cp-1", isDown);
      await world.untilPublished(2, down(true));
      world.freeze();
      await world.target.breakBalancer("az1");
      await world.untilBroken("az1");
      await world.untilServed(apart, down(false));
      await world.untilPublished(3);
    });
  });

  test("while a zone's machine is replaced, through every zone all the time", { timeout }, async () => {
    const { silent } = await served(async () => {
      await world.addMachine("cp-4", "az2");
      await world.untilServed({ ...apart, az2: ["cp-2", "cp-4"] });
      await world.target.deleteMachine("cp-2");
      await world.untilServed({ ...apart, az2: ["cp-4"] });
      await world.machineIsGone("cp-2");
    });
    expect(silent).toEqual([]);
  });

  test("while a zone goes", { timeout }, async () => {
    await served(async () => {
      await world.target.patch(world.target.zones("az1", "az2"));
      await world.untilServed({ az1: ["cp-1"], az2: ["cp-4"] });
      await world.untilPublished(2);
    });
  });

  test("while it goes back to one balancer; but not those whose records stopped following", { timeout }, async () => {
    const { stale } = await world.during(async () => {});
    // Its answer leads to az2 and to the zone that is gone.
    expect([stale.failures, stale.silent.length]).toEqual([[], 1]);
    const outcomes = await world.during(async () => {
      await world.target.patch({ availabilityZoneSubnets: null, network: null });
      await world.untilServed({ single: ["cp-1", "cp-3", "cp-4"] });
      await world.untilPublished(1);
    });
    expect([...outcomes.fresh.failures, ...outcomes.caching.failures]).toEqual([]);
    expect(outcomes.fresh.attempts).toBeGreaterThanOrEqual(fewest);
    expect(outcomes.stale.failures.length).toBeGreaterThanOrEqual(fewest);
  });
}
