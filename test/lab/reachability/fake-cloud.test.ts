// Clients of a cluster on the fake cloud: as on the real one, in virtual time, and what is too rare or too slow to try there.

import { afterEach, describe, expect, test } from "vitest";
import { labDns, labRequired } from "../../lab.ts";
import { openFakeTarget } from "./fake-target.ts";
import { bindServer, tableServer } from "./name-server.ts";
import { ReachWorld } from "./reach-world.ts";
import { reachabilityStory } from "./story.ts";

const dns = await labDns();
if (!dns.available && labRequired()) throw new Error(`LAB=required, but ${dns.why}; to get it: ${dns.how}`);
const names = dns.available ? "with BIND" : `with a table of names, since ${dns.why}; to get it: ${dns.how}`;
const zone = dns.available ? dns.zone : "lab.test";
const nameServer = () => (dns.available ? bindServer(dns) : tableServer());

describe(`a cluster on a fake cloud is reachable, ${names}`, () => {
  reachabilityStory(async () => await ReachWorld.open(await openFakeTarget(), nameServer(), zone));
});

describe("hard cases", () => {
  let world: ReachWorld;
  const begin = async (options?: Parameters<typeof openFakeTarget>[0]) => {
    world = await ReachWorld.open(await openFakeTarget(options), nameServer(), zone);
    await world.begin();
  };
  afterEach(() => world.close());
  const unserved = async (happens: () => Promise<void>) => {
    const { fresh, caching } = await world.during(happens);
    return [...fresh.failures, ...caching.failures];
  };

  test("a legacy balancer that no zone can take serves on until the zones do", async () => {
    await begin({ legacySubnet: 2 });
    const failures = await unserved(async () => {
      await world.target.patch(world.target.zones("az1", "az2"));
      await world.addMachine("cp-2", "az2");
      await world.untilServed({ single: ["cp-1", "cp-2"], az1: ["cp-1"], az2: ["cp-2"] });
      await world.untilPublished(2);
    });
    expect(failures).toEqual([]);
  });

  test("zones are given up while the first one is dark", async () => {
    await begin();
    await world.addMachine("cp-2", "az2");
    await world.target.patch(world.target.zones("az1", "az2"));
    await world.untilServed({ az1: ["cp-1"], az2: ["cp-2"] });
    await world.untilPublished(2);
    await world.untilEverybodyKnows();
    const failures = await unserved(async () => {
      await world.untilPublished(1, () => world.setMachineDown("cp-1", true));
      await world.target.patch({ availabilityZoneSubnets: null, network: null });
      await world.untilServed({ single: ["cp-2"] });
    });
    expect(failures).toEqual([]);
  });

  test("the only machine is asked to go before its successor answers", async () => {
    await begin();
    const failures = await unserved(async () => {
      await world.target.deleteMachine("cp-1");
      await world.pass(60);
      await world.addMachine("cp-2", "az1");
      await world.untilServed({ single: ["cp-2"] });
      await world.machineIsGone("cp-1");
    });
    expect(failures).toEqual([]);
  });

  test("one zone takes the place of the other, also for those who remember the answer from before", async () => {
    await begin();
    await world.target.patch(world.target.zones("az1"));
    await world.untilServed({ az1: ["cp-1"] });
    await world.untilEverybodyKnows();
    const failures = await unserved(async () => {
      await world.addMachine("cp-2", "az2");
      await world.target.patch(world.target.zones("az2"));
      await world.untilServed({ az2: ["cp-2"] });
    });
    expect(failures).toEqual([]);
  });

  test("machines go back to their zones while one of them is dead: through every zone all the time", async () => {
    await begin();
    await world.addMachine("cp-2", "az2");
    await world.target.patch({ ...world.target.zones("az1", "az2"), allowCrossAZLoadBalancerMembers: true });
    const all = ["cp-1", "cp-2"];
    await world.untilServed({ az1: all, az2: all });
    await world.setMachineDown("cp-1", true);
    await world.untilServed({ az1: ["cp-2"], az2: ["cp-2"] });
    const { fresh } = await world.during(async () => {
      await world.target.patch({ allowCrossAZLoadBalancerMembers: false });
      await world.pass(120);
      await world.setMachineDown("cp-1", false);
      await world.untilServed({ az1: ["cp-1"], az2: ["cp-2"] });
    });
    expect([fresh.failures, fresh.silent]).toEqual([[], []]);
  });
});
