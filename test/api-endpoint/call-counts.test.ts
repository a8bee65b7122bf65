import { beforeEach, describe, expect, test } from "vitest";
import { EndpointWorld } from "./endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };
const relookMs = 30_000;
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
  test("an undisturbed cluster costs one Octavia call and one Neutron call for all its zones", async () => {
    const { manager } = world.work();
    await settled(["az1", "az2", "az3"], [8132]);
    world.lab.fake.resetCounts();
    await world.clock.advance(4 * relookMs);
    expect({ octavia: callsTo("octavia"), neutron: callsTo("neutron") }).toEqual({ octavia: 4, neutron: 4 });
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
    "a full look at zones %j with additional ports %j takes at most 2 + 2A Octavia calls",
    async (zones, ports) => {
      const { manager } = world.work();
      await settled(zones, ports);
      // A member that is down makes its balancer DEGRADED or ERROR, and from then on every look is a full one.
      for (const { address } of world.lab.fake.cloud.tables.members.all().slice(0, 1))
        world.lab.fake.faults.setMemberDown(address, true);
      await world.clock.advance(2 * relookMs);
      world.lab.fake.resetCounts();
      await world.clock.advance(relookMs);
      expect(callsTo("octavia")).toBeGreaterThan(1);
      expect(callsTo("octavia")).toBeLessThanOrEqual(2 + 2 * zones.length);
      await manager.stop();
    },
  );

  test("a balancer that somebody deleted by hand is noticed at the next look and made again with its address", async () => {
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
