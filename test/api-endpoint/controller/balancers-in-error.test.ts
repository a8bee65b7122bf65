// Balancers in ERROR that still serve, where status proves nothing: after a hand-over from CAPO, a move, or a restore.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { capoBalancer } from "../world/capo-balancer.ts";
import { balancerNamed, balancerNames } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const ref = { name: "green", namespace };
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

test("a status that is lost while two of three balancers are in ERROR costs neither before the other is back", async () => {
  running = world.work();
  const controlPlaneEndpoint = { host: "api.green.example.com", port: 6443 };
  await world.cluster("green", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones() } });
  await world.clock.advance(30_000);
  for (const zone of ["az1", "az2", "az3"]) await world.machine("green", zone);
  await world.clock.advance(60_000);
  let fewest = 3;
  world.lab.fake.onChange(({ kind }) => {
    const { loadbalancers } = world.lab.fake.cloud.tables;
    const standing = loadbalancers.all().filter(({ provisioningStatus }) => !/DELETE|CREATE/.test(provisioningStatus));
    if (kind === "loadbalancers") fewest = Math.min(fewest, standing.length);
  });
  const broken = ["az1", "az2"].map((zone) => balancerNamed(world, zone).id);
  await running.manager.stop();
  for (const id of broken) fail(id);
  await patchStatus(null);
  running = world.work();
  await world.clock.advance(600_000);
  expect(fewest).toBe(2);
  expect(balancerNames(world)).toHaveLength(3);
  for (const zone of ["az1", "az2", "az3"])
    expect(balancerNamed(world, zone)).toMatchObject({ provisioningStatus: "ACTIVE" });
  expect(broken).not.toContain(balancerNamed(world, "az1").id);
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
