// Something about places is wrong for hours: a zone is mapped to a subnet that is not there, or Neutron refuses a read. It costs little more
// than a quiet cluster does, and what was missing is found soon after it is there.

import { afterEach, beforeEach, expect, test } from "vitest";
import { addSubnet } from "../../../src/sim/fakes/openstack/cloud-setup.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { EndpointWorld } from "../world/endpoint-world.ts";

const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
const nowhere = "00000000-0000-4000-8000-000000000000";
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A quiet cluster costs about 180. */
const mostCallsAnHour = 500;
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
});
afterEach(() => running.manager.stop());

async function want(over: object = {}): Promise<void> {
  const spec = { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(), ...over };
  await world.cluster("blue", { spec });
  await world.clock.advance(minuteMs / 2);
  for (const zone of ["az1", "az2", "az3"]) await world.machine("blue", zone);
  await world.clock.advance(2 * minuteMs);
}

type Subnet = { readonly id: string } | { readonly filter: { readonly name: string } };

async function mapFourthZone(subnet: Subnet): Promise<void> {
  const { availabilityZoneSubnets = [], ...rest } = world.zones();
  const mapping = [...availabilityZoneSubnets, { availabilityZone: "az4", subnet }];
  await world.patch("blue", { spec: { apiServerLoadBalancer: { ...rest, availabilityZoneSubnets: mapping } } });
}

/** The first hour may cost more: it has the change in it. */
async function callsInThirdHour(): Promise<number> {
  await world.clock.advance(2 * hourMs);
  world.lab.fake.resetCounts();
  await world.clock.advance(hourMs);
  return [...world.lab.fake.counts().values()].reduce((sum, count) => sum + count, 0);
}

const networkReady = async () =>
  ((await world.read("blue")).status?.conditions ?? []).find(({ type }) => type === "NetworkReady");

const makeSubnet = (name: string) =>
  addSubnet(world.lab.fake.cloud, {
    name,
    networkId: world.lab.networkId,
    projectId: world.lab.projectId,
    cidr: "10.0.4.0/24",
    gatewayIp: "10.0.4.1",
  });

test.each<readonly [string, Subnet]>([
  ["an id", { id: nowhere }],
  ["a filter", { filter: { name: "mistyped" } }],
])("an extra zone is mapped to no subnet by %s: few calls", async (_, subnet) => {
  await want();
  await mapFourthZone(subnet);
  expect(await callsInThirdHour()).toBeLessThan(mostCallsAnHour);
  expect(await networkReady()).toMatchObject({ status: "False", reason: "SubnetUnresolved" });
});

test.each<readonly [string, object]>([
  ["the external network", { externalNetwork: { id: nowhere } }],
  ["a subnet of the machines", { subnets: [{ id: nowhere }] }],
])("%s is not found: few calls", async (_, spec) => {
  await want(spec);
  expect(await callsInThirdHour()).toBeLessThan(mostCallsAnHour);
  expect(await networkReady()).toMatchObject({ status: "False" });
});

test.each([
  ["get subnet", 403],
  ["get subnet", 503],
  ["get network", 503],
  ["list networks", 403],
  ["list subnets", 403],
  ["list ports", 403],
  ["list routers", 403],
] as const)("Neutron answers %s with %i: few calls", async (operation, status) => {
  await want();
  world.lab.fake.addCallPlan((call) => (call.operation === operation ? { turnAway: { status } } : undefined));
  await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az1", "az2"]) } });
  expect(await callsInThirdHour()).toBeLessThan(mostCallsAnHour);
  expect(await networkReady()).toMatchObject({ status: "Unknown" });
});

test("a mapping that is corrected is followed at once, however long it was wrong", async () => {
  const { id } = makeSubnet("fourth");
  await want();
  await mapFourthZone({ id: nowhere });
  await world.clock.advance(3 * hourMs);
  await mapFourthZone({ id });
  await world.clock.advance(5_000);
  expect(await networkReady()).toMatchObject({ status: "True" });
});

test("a subnet that is created hours after a zone was mapped to it is found within five minutes", async () => {
  await want();
  await mapFourthZone({ filter: { name: "fourth" } });
  await world.clock.advance(3 * hourMs);
  makeSubnet("fourth");
  await world.clock.advance(5 * minuteMs);
  expect(await networkReady()).toMatchObject({ status: "True" });
});
