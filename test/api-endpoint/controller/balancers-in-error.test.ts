// Balancers in ERROR that still serve, where status proves nothing: after a hand-over from CAPO, a move, or a restore.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { capoBalancer } from "../world/capo-balancer.ts";
import { balancerNamed, balancerNames } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const ref = { name: "green", namespace };
const allZones = ["az1", "az2", "az3"] as const;
let world: EndpointWorld;
let running: TestManager | undefined;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
});

afterEach(async () => {
  await running?.manager.stop();
});

const fail = (id: string) => world.lab.fake.faults.setStatus("loadbalancers", id, { provisioning: "ERROR" });

async function patchStatus(status: object | null): Promise<void> {
  const change = { type: "merge", body: { status } } as const;
  await world.kube.patch(openStackClusters, ref, change, { subresource: "status" });
}

describe("CAPO's balancer in ERROR is handed over and stays, until somebody agrees", () => {
  test.each([
    ["without a status", undefined],
    ["with ready alone", { ready: true }],
  ])("%s", async (_how, status) => {
    const address = await world.machine("green", "az1");
    const { id, vipAddress, floatingAddress } = await capoBalancer(world, "green", {
      members: { "green-az1": address },
    });
    await world.cluster("green", {
      spec: {
        apiServerLoadBalancer: { enabled: true },
        controlPlaneEndpoint: { host: floatingAddress, port: 6443 },
      },
    });
    if (status !== undefined) await patchStatus(status);
    fail(id);
    running = world.work();
    await world.clock.advance(600_000);
    expect(balancerNamed(world, "green")).toMatchObject({ id, provisioningStatus: "ERROR" });
    expect(await world.notes()).toContainEqual(expect.stringContaining("annotate mainstay.dev/repair=true to agree"));
    await world.patch("green", { metadata: { annotations: { "mainstay.dev/repair": "true" } } });
    await world.clock.advance(180_000);
    expect(balancerNamed(world, "green")).toMatchObject({ vipAddress, provisioningStatus: "ACTIVE" });
  });
});

/** Balancers of the cluster through which somebody comes: listener, pool and a member that answers. In ERROR they may forward all the same. */
function serving(): readonly string[] {
  const { loadbalancers, listeners, members } = world.lab.fake.cloud.tables;
  return loadbalancers
    .all()
    .filter(({ id, provisioningStatus }) => {
      if (/DELETE|CREATE/.test(provisioningStatus)) return false;
      const pools = listeners.find(`balancer:${id}`).map(({ defaultPoolId }) => defaultPoolId);
      return members
        .find(`balancer:${id}`)
        .some(({ poolId, operatingStatus }) => pools.includes(poolId) && operatingStatus === "ONLINE");
    })
    .map(({ name }) => name);
}

/** How many served when the fewest did, from now on. */
function countFewest(): () => number {
  let fewest = serving().length;
  world.lab.fake.onChange(() => {
    fewest = Math.min(fewest, serving().length);
  });
  return () => fewest;
}

async function threeZones(): Promise<void> {
  running = world.work();
  const controlPlaneEndpoint = { host: "api.green.example.com", port: 6443 };
  await world.cluster("green", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones() } });
  await world.clock.advance(30_000);
  for (const zone of allZones) await world.machine("green", zone);
  await world.clock.advance(120_000);
  expect(serving()).toHaveLength(3);
}

const failZones = (zones: readonly string[]) => {
  for (const zone of zones) fail(balancerNamed(world, zone).id);
};
const agree = () => world.patch("green", { metadata: { annotations: { "mainstay.dev/repair": "true" } } });
const refuse = (operation: string, status: number) =>
  world.lab.fake.addCallPlan((call) => (call.operation === operation ? { turnAway: { status } } : undefined));

describe("of three zones, one is rebuilt at a time: the next waits until people come through the first again", () => {
  test.each([
    ["two in ERROR", ["az1", "az2"], false],
    ["two in ERROR, with consent", ["az1", "az2"], true],
    ["all in ERROR, with consent", ["az1", "az2", "az3"], true],
  ])("%s", async (_how, broken, isAgreed) => {
    await threeZones();
    const ids = broken.map((zone) => balancerNamed(world, zone).id);
    const fewest = countFewest();
    failZones(broken);
    if (isAgreed) await agree();
    await world.clock.advance(900_000);
    expect(fewest()).toBe(2);
    expect(serving()).toHaveLength(3);
    for (const zone of broken) expect(ids).not.toContain(balancerNamed(world, zone).id);
  });

  test.each([false, true])("also when the first never gets its listener (consent: %s)", async (isAgreed) => {
    await threeZones();
    const fewest = countFewest();
    refuse("create listener", 403);
    failZones(["az1", "az2"]);
    if (isAgreed) await agree();
    await world.clock.advance(600_000);
    expect(fewest()).toBe(2);
  });

  test.each([false, true])(
    "also when the first cannot be made and the status is lost meanwhile (consent: %s)",
    async (isAgreed) => {
      await threeZones();
      const fewest = countFewest();
      refuse("create load balancer", 503);
      failZones(["az1", "az2"]);
      if (isAgreed) await agree();
      await world.clock.advance(180_000);
      await running?.manager.stop();
      await patchStatus(null);
      running = world.work();
      await world.clock.advance(180_000);
      expect(fewest()).toBe(2);
    },
  );

  test("also when the status is lost while two are in ERROR", async () => {
    await threeZones();
    const fewest = countFewest();
    await running?.manager.stop();
    failZones(["az1", "az2"]);
    await patchStatus(null);
    running = world.work();
    await world.clock.advance(900_000);
    expect(fewest()).toBe(2);
    expect(balancerNames(world)).toHaveLength(3);
    for (const zone of allZones) expect(balancerNamed(world, zone)).toMatchObject({ provisioningStatus: "ACTIVE" });
  });
});

test("Events name the consent by which the last balancer goes, and the consent that is left behind", async () => {
  await threeZones();
  failZones(allZones);
  await agree();
  const said = allZones.map(
    (zone) =>
      `${balancerNamed(world, zone).name}: in ERROR, and rebuilt although people may depend on it, because annotation mainstay.dev/repair=true agrees`,
  );
  await world.clock.advance(10_000);
  const notes = await world.notes();
  expect(said.filter((one) => notes.includes(one))).toEqual(said.slice(0, 1));
  const left =
    "annotation mainstay.dev/repair=true: nothing is to be repaired now; left in place it agrees to later repairs; take it off";
  expect(await world.notes()).not.toContain(left);
  await world.clock.advance(900_000);
  expect(await world.notes()).toContain(left);
});

test("failovers go one at a time, and never to the last balancer that may serve", async () => {
  await threeZones();
  const asked: string[] = [];
  world.lab.fake.addCallPlan((call) => {
    if (call.operation === "failover load balancer") asked.push(`${world.clock.nowMs()}`);
    return undefined;
  });
  failZones(allZones);
  await world.clock.advance(120_000);
  expect(asked).toEqual([]);
  await agree();
  await world.clock.advance(1_000);
  // The cloud forbids it, and is not asked for each of the others.
  expect(asked).toHaveLength(1);
});

test.each(["amphora", "ovn"])(
  "a health monitor that ended in ERROR is said and made again, on %s",
  async (provider) => {
    running = world.work();
    const controlPlaneEndpoint = { host: "api.green.example.com", port: 6443 };
    const apiServerLoadBalancer = { ...world.zones(["az1", "az2"]), provider };
    await world.cluster("green", { spec: { controlPlaneEndpoint, apiServerLoadBalancer } });
    await world.clock.advance(30_000);
    for (const zone of ["az1", "az2"]) await world.machine("green", zone);
    await world.clock.advance(120_000);
    const { fake } = world.lab;
    const { id } = balancerNamed(world, "az2");
    const [monitor] = fake.cloud.tables.healthmonitors.find(`balancer:${id}`);
    fake.faults.setStatus("healthmonitors", monitor?.id ?? "", { provisioning: "ERROR" });
    // A change that ends so stamps its balancer, too.
    fake.faults.setStatus("loadbalancers", id, { provisioning: "ACTIVE" });
    await world.patch("green", { metadata: { annotations: { look: "now" } } });
    await world.clock.advance(5_000);
    const conditions = async () =>
      Object.fromEntries(
        ((await world.read("green")).status?.conditions ?? []).map(({ type, status }) => [type, status]),
      );
    expect(await conditions()).toMatchObject({
      LoadBalancersReady: "False",
      MembersHealthy: "Unknown",
    });
    await world.clock.advance(120_000);
    expect(await conditions()).toMatchObject({ Ready: "True", LoadBalancersReady: "True", MembersHealthy: "True" });
    const after = fake.cloud.tables.healthmonitors.find(`balancer:${id}`);
    expect(after.map(({ provisioningStatus }) => provisioningStatus)).toEqual(["ACTIVE"]);
    expect(after[0]?.id).not.toBe(monitor?.id);
  },
);
