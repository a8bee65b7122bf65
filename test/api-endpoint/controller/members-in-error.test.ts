// Members that Octavia could not set up and calls ERROR. The machine behind one may answer all the same, so it is written again where it stands.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed } from "../world/cloud-contents.ts";
import { EndpointWorld } from "../world/endpoint-world.ts";

const allZones = ["az1", "az2", "az3"] as const;
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
  const controlPlaneEndpoint = { host: "api.green.example.com", port: 6443 };
  await world.cluster("green", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(allZones) } });
  await world.clock.advance(30_000);
  for (const zone of allZones) await world.machine("green", zone);
  await world.clock.advance(180_000);
});

afterEach(async () => {
  await running.manager.stop();
});

const membersIn = (zone: string) =>
  world.lab.fake.cloud.tables.members.find(`balancer:${balancerNamed(world, zone).id}`);
const statuses = () => allZones.flatMap((zone) => membersIn(zone).map((member) => member.provisioningStatus));

/** Zones where somebody stands behind the balancer and answers, whatever Octavia calls his provisioning. */
function answering(): readonly string[] {
  return allZones.filter((zone) => membersIn(zone).some(({ operatingStatus }) => operatingStatus === "ONLINE"));
}

function breakMembers(zones: readonly string[] = allZones): void {
  const { faults } = world.lab.fake;
  for (const zone of zones) {
    for (const { id } of membersIn(zone)) faults.setStatus("members", id, { provisioning: "ERROR" });
    // Whatever failed was a change of its balancer.
    faults.setStatus("loadbalancers", balancerNamed(world, zone).id, { provisioning: "ACTIVE" });
  }
}

/** Zones that lost everybody at some time from now on. */
function emptied(): () => readonly string[] {
  const found = new Set<string>();
  world.lab.fake.onChange(() => {
    const now = answering();
    for (const zone of allZones) if (!now.includes(zone)) found.add(zone);
  });
  return () => [...found];
}

const condition = async (type: string) =>
  (await world.read("green")).status?.conditions?.find((one: { type: string }) => one.type === type);

describe("members in ERROR that answer, in all three zones", () => {
  test("are ACTIVE again, and no zone loses anybody meanwhile", async () => {
    expect(answering()).toEqual(allZones);
    const lost = emptied();
    breakMembers();
    await world.clock.advance(180_000);
    expect(statuses()).toEqual(["ACTIVE", "ACTIVE", "ACTIVE"]);
    expect(lost()).toEqual([]);
    expect(await condition("LoadBalancersReady")).toMatchObject({ status: "True" });
  });

  test("stay and serve while the cloud refuses to change members, and that is said", async () => {
    world.lab.fake.addCallPlan(({ operation }) =>
      /^(create|merge|update).*member/.test(operation) ? { turnAway: { status: 403 } } : undefined,
    );
    const lost = emptied();
    breakMembers();
    await world.clock.advance(600_000);
    expect(lost()).toEqual([]);
    expect(answering()).toEqual(allZones);
    expect(await condition("LoadBalancersReady")).toMatchObject({
      status: "False",
      message: expect.stringContaining("member"),
    });
  });

  test("stay and serve although each try ends in ERROR again, with pauses that grow", async () => {
    const { fake } = world.lab;
    const lost = emptied();
    breakMembers();
    fake.onChange(({ kind, id, after }) => {
      if (
        kind === "members" &&
        after !== undefined &&
        "provisioningStatus" in after &&
        after.provisioningStatus === "ACTIVE"
      )
        fake.faults.setStatus("members", id, { provisioning: "ERROR" });
    });
    await world.clock.advance(600_000);
    const tries = () =>
      [...fake.counts()].filter(([call]) => /merge members/.test(call)).reduce((sum, [, n]) => sum + n, 0);
    fake.resetCounts();
    await world.clock.advance(3_600_000);
    expect(lost()).toEqual([]);
    expect(tries()).toBeGreaterThan(3);
    expect(tries()).toBeLessThanOrEqual(3 * 14);
  });
});

test("one in ERROR that does not answer is taken away and made again", async () => {
  const [before] = membersIn("az1");
  if (before === undefined) throw new Error("no member");
  world.lab.fake.faults.setMemberDown(before.address, true);
  breakMembers(["az1"]);
  await world.clock.advance(120_000);
  world.lab.fake.faults.setMemberDown(before.address, false);
  await world.clock.advance(60_000);
  expect(membersIn("az1")).toMatchObject([
    { address: before.address, provisioningStatus: "ACTIVE", operatingStatus: "ONLINE" },
  ]);
  expect(membersIn("az1").map(({ id }) => id)).not.toEqual([before.id]);
});
