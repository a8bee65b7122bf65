import { beforeEach, describe, expect, test } from "vitest";
import { mainstay } from "../world/endpoint-commands.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };
const observeAgainMs = 30_000;
let world: EndpointWorld;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
});

function callsTo(service: string): number {
  return [...world.lab.fake.counts()].reduce((sum, [call, count]) => (call.startsWith(service) ? sum + count : sum), 0);
}

async function settled(zones: readonly string[], additionalPorts: readonly number[] = []): Promise<void> {
  const apiServerLoadBalancer = { ...world.zones(zones), additionalPorts };
  await world.cluster("blue", { spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer } });
  for (const zone of zones) await world.machine("blue", zone);
  await world.clock.advance(300_000);
}

describe("looking at the cloud", () => {
  test("an undisturbed cluster costs one Octavia call for all its zones each time, and one Neutron call every fourth time", async () => {
    const { manager } = world.work();
    await settled(["az1", "az2", "az3"], [8132]);
    world.lab.fake.resetCounts();
    await world.clock.advance(4 * observeAgainMs);
    expect({ octavia: callsTo("octavia"), neutron: callsTo("neutron") }).toEqual({ octavia: 4, neutron: 1 });
    await manager.stop();
  });

  test.each([
    [["az1"], []],
    [["az1", "az2", "az3"], []],
    [
      ["az1", "az2", "az3"],
      [8132, 9345],
    ],
  ] as const)(
    "observing zones %j with additional ports %j in full takes at most 2 + 2A Octavia calls",
    async (zones, ports) => {
      const { manager } = world.work();
      await settled(zones, ports);
      // A member that is down makes its balancer DEGRADED or ERROR, and from then on every look is a full one.
      for (const { address } of world.lab.fake.cloud.tables.members.all().slice(0, 1))
        world.lab.fake.faults.setMemberDown(address, true);
      await world.clock.advance(2 * observeAgainMs);
      world.lab.fake.resetCounts();
      await world.clock.advance(observeAgainMs);
      expect(callsTo("octavia")).toBeGreaterThan(1);
      expect(callsTo("octavia")).toBeLessThanOrEqual(2 + 2 * zones.length);
      await manager.stop();
    },
  );

  test.each([
    [["az1"], 1],
    [["az1", "az2"], 1],
    [["az1", "az2", "az3"], 1],
    [["az1", "az2", "az3"], 2],
    [["az1", "az2", "az3"], 3],
  ] as const)(
    "observing zones %j of which %i cannot be made in full takes at most 2 + 2A Octavia calls",
    async (zones, missing) => {
      const { manager } = world.work();
      const { fake, projectId } = world.lab;
      fake.faults.setQuota(projectId, "load_balancer", zones.length - missing);
      await settled(zones);
      expect(fake.cloud.tables.loadbalancers.all()).toHaveLength(zones.length - missing);
      await manager.stop();
      // The command knows nothing of earlier looks, and looks once into everything.
      fake.resetCounts();
      await mainstay(world, ["plan", `openstackcluster/${namespace}/blue`]);
      const looks = [...fake.counts()].filter(([call]) => /balancer|listener|pool|monitor|member|tree/.test(call));
      const calls = looks.reduce((sum, [, count]) => sum + count, 0);
      expect(calls).toBeGreaterThan(1);
      expect(calls).toBeLessThanOrEqual(2 + 2 * zones.length);
    },
  );

  test("three zones from nothing to healthy members take one observation for each step, and no call twice at one moment", async () => {
    const { manager } = world.work();
    await settled(["az1", "az2", "az3"]);
    const counts = world.lab.fake.counts();
    const writes = [...counts].filter(([call]) => /^octavia (create|merge|update|delete)/.test(call));
    expect(Object.fromEntries(writes)).toEqual({
      "octavia create load balancer": 3,
      "octavia create listener": 3,
      "octavia create pool": 3,
      "octavia create health monitor": 3,
      "octavia merge members": 3,
    });
    // Five steps, then the members' health, the age of its stamp, and one list at every look since.
    expect(counts.get("octavia get status tree")).toBeLessThanOrEqual(3 * 8);
    expect(counts.get("octavia list listeners")).toBeLessThanOrEqual(8);
    await manager.stop();
  });

  test.each(["create", "update"] as const)(
    "a balancer that is PENDING for minutes, on %s, is only glanced at",
    async (slow) => {
      const { settings } = world.lab.fake;
      const usual = settings.phaseMs;
      settings.phaseMs = (phase) => (phase === slow ? 300_000 : usual(phase));
      const { manager } = world.work();
      const apiServerLoadBalancer = world.zones(["az1", "az2", "az3"]);
      await world.cluster("blue", { spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer } });
      await world.clock.advance(30_000);
      world.lab.fake.resetCounts();
      await world.clock.advance(60_000);
      const looks = world.lab.fake.counts().get("octavia list load balancers") ?? 0;
      expect(looks).toBeGreaterThanOrEqual(15);
      // Beside the glances two looks into all three, with listeners and monitors: health is never older than half a minute.
      expect(callsTo("octavia")).toBeLessThanOrEqual(looks + 2 * 5);
      await manager.stop();
    },
  );

  test("a disturbed zone costs no calls for the others", async () => {
    const { manager } = world.work();
    await settled(["az1", "az2", "az3"]);
    const [member] = world.lab.fake.cloud.tables.members.all();
    world.lab.fake.faults.setMemberDown(member?.address ?? "", true);
    await world.clock.advance(2 * observeAgainMs);
    world.lab.fake.resetCounts();
    await world.clock.advance(2 * observeAgainMs);
    expect(world.lab.fake.counts().get("octavia get status tree")).toBe(2);
    await manager.stop();
  });

  test("a member that fails while its balancer is PENDING over something else is seen within a minute", async () => {
    const { manager } = world.work();
    await settled(["az1", "az2"]);
    const { fake } = world.lab;
    fake.settings.phaseMs = () => 600_000;
    const [balancer] = await world.balancers();
    const changed = world.cloud.octavia.updateLoadBalancer(balancer?.id ?? "", { description: "by hand" });
    await world.clock.advance(20_000);
    await changed;
    const ofIt = fake.cloud.tables.members.find(`balancer:${balancer?.id ?? ""}`);
    for (const { address } of ofIt) fake.faults.setMemberDown(address, true);
    await world.clock.advance(60_000);
    const { conditions = [] } = (await world.read("blue")).status ?? {};
    expect(conditions.find(({ type }) => type === "MembersHealthy")).toMatchObject({ status: "False" });
    await manager.stop();
  });

  test("a balancer that somebody deleted by hand is noticed in the next round and made again with its address", async () => {
    const { manager } = world.work();
    await settled(["az1", "az2"]);
    const [first] = await world.balancers();
    const gone = world.cloud.octavia.deleteLoadBalancer(first?.id ?? "");
    await world.clock.advance(120_000);
    await gone;
    const [again] = await world.balancers();
    expect(again).toMatchObject({ name: first?.name, vipAddress: first?.vipAddress, provisioningStatus: "ACTIVE" });
    expect(again?.id).not.toBe(first?.id);
    await manager.stop();
  });
});
