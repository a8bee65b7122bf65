// A removal that fails, or does not help, backs off. Other zones are read again for it when it is about to be tried, and not at every round
// in between: what that costs is bounded by its tries.

import { afterEach, beforeEach, expect, test } from "vitest";
import { machines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import type { CloudCall } from "../../../src/sim/fakes/openstack/call-handler.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const halfHourMs = 1_800_000;
/** Until the pauses between tries have grown to their longest. */
const grownMs = 1_200_000;
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  await world.clock.advance(100);
  running = world.work();
});
afterEach(async () => {
  const stopped = running.manager.stop();
  await world.clock.advance(60_000);
  await stopped;
});

async function blue(): Promise<void> {
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  const zones = ["az1", "az2", "az3"];
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(zones) } });
  for (const zone of zones) await world.machine("blue", zone);
  await world.clock.advance(600_000);
}

const fail = () =>
  world.lab.fake.faults.setStatus("loadbalancers", balancerNamed(world, "az1").id, { provisioning: "ERROR" });

async function drain(): Promise<void> {
  const ref = { name: "blue-az1", namespace };
  await world.kube.patch(machines, ref, { type: "merge", body: { metadata: { finalizers: ["test/stays"] } } });
  await world.kube.delete(machines, ref);
}

const refuse = (operation: string, status: number) =>
  world.lab.fake.addCallPlan((call) => (call.operation === operation ? { turnAway: { status } } : undefined));

/** Octavia takes the deletion, and it ends in ERROR again. */
function undoDeletions(): void {
  const { cloud, faults } = world.lab.fake;
  world.lab.fake.onChange(() => {
    for (const { id, provisioningStatus } of cloud.tables.loadbalancers.all())
      if (provisioningStatus === "PENDING_DELETE") faults.setStatus("loadbalancers", id, { provisioning: "ERROR" });
  });
}

/** How often each of these is asked for in half an hour. */
async function halfHourOf(counted: Readonly<Record<string, (call: CloudCall) => boolean>>) {
  const counts = Object.fromEntries(Object.keys(counted).map((name) => [name, 0]));
  const end = world.lab.fake.addCallPlan((call) => {
    for (const [name, is] of Object.entries(counted)) if (is(call)) counts[name] = (counts[name] ?? 0) + 1;
    return undefined;
  });
  await world.clock.advance(halfHourMs);
  end();
  return counts;
}

const treeOf = (zone: string) => (call: CloudCall) => call.operation === "get status tree" && call.zone === zone;
const tryTo = (operation: string) => (call: CloudCall) => call.operation === operation;

const unmap = () => world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az2", "az3"]) } });

test.each<readonly [string, string, () => unknown, () => unknown]>([
  [
    "a balancer in ERROR that the cloud refuses to delete",
    "delete load balancer",
    () => refuse("delete load balancer", 403),
    fail,
  ],
  ["one that is busy for good", "delete load balancer", () => refuse("delete load balancer", 409), fail],
  ["one whose deletion ends in ERROR each time", "delete load balancer", undoDeletions, fail],
  [
    "the balancer of a zone that left the spec",
    "delete load balancer",
    () => refuse("delete load balancer", 503),
    unmap,
  ],
  ["the last member of its zone", "delete member", () => refuse("delete member", 403), drain],
])("%s: others are read once for each try, and the tries become few", async (what, operation, obstruct, happen) => {
  await blue();
  obstruct();
  await happen();
  await world.clock.advance(grownMs);
  const {
    tries = 0,
    az2 = 0,
    az3 = 0,
  } = await halfHourOf({ tries: tryTo(operation), az2: treeOf("az2"), az3: treeOf("az3") });
  expect(tries).toBeGreaterThan(0);
  expect(tries).toBeLessThanOrEqual(9);
  // One may be due by itself. After a conflict nothing that was observed is trusted, and all is observed anew.
  expect(Math.max(az2, az3)).toBeLessThanOrEqual((what.includes("busy") ? 3 : 1) * tries + 2);
});

test("what the cloud takes again at last goes, on health that was read for it", async () => {
  await blue();
  const allow = refuse("delete load balancer", 403);
  const { id } = balancerNamed(world, "az1");
  fail();
  await world.clock.advance(grownMs);
  allow();
  let readMs = 0;
  const deletedAt: number[] = [];
  world.lab.fake.addCallPlan((call) => {
    if (treeOf("az2")(call)) readMs = world.clock.monotonicMs();
    if (tryTo("delete load balancer")(call)) deletedAt.push(world.clock.monotonicMs() - readMs);
    return undefined;
  });
  await world.clock.advance(1_200_000);
  expect(balancerNamed(world, "az1")).toMatchObject({ provisioningStatus: "ACTIVE" });
  expect(balancerNamed(world, "az1").id).not.toBe(id);
  expect(deletedAt).toHaveLength(1);
  expect(deletedAt[0]).toBeLessThan(60_000);
});

test("a zone that died while the removal backed off keeps it from being tried at all", async () => {
  await blue();
  refuse("delete load balancer", 503);
  await unmap();
  await world.clock.advance(grownMs);
  const { cloud, faults } = world.lab.fake;
  for (const zone of ["az2", "az3"])
    for (const member of cloud.tables.members.find(`balancer:${balancerNamed(world, zone).id}`))
      faults.setStatus("members", member.id, { operating: "ERROR" });
  const { tries } = await halfHourOf({ tries: tryTo("delete load balancer") });
  expect(tries).toBe(0);
  expect(membersOf(world, "az1")).toHaveLength(1);
});

test("why it fails is said all the time, in the same words", async () => {
  await blue();
  refuse("delete load balancer", 403);
  fail();
  await world.clock.advance(grownMs);
  const said = async () =>
    (await world.read("blue")).status?.conditions?.find(({ type }) => type === "LoadBalancersReady")?.message;
  const before = await said();
  expect(before).toContain("turned away");
  for (let minutes = 0; minutes < 30; minutes += 1) {
    await world.clock.advance(60_000);
    expect(await said()).toBe(before);
  }
});
