// What is taken away because other zones serve goes only when they have just been seen to. At rest nobody reads what is below a balancer for up
// to an hour, and its row in Octavia's list may say ONLINE while nobody answers behind it any more.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { machines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import type { CloudCallPlan } from "../../../src/sim/fakes/openstack/call-handler.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, balancerNames, floatingIps, membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  await world.kube.create(customResourceDefinitions, openCrd(dnsEndpoints));
  await world.clock.advance(100);
  running = world.work();
});
afterEach(async () => {
  const stopped = running.manager.stop();
  await world.clock.advance(60_000);
  await stopped;
});

/** At rest for ten minutes: what is below its balancers was read long ago. */
async function blue(zones: readonly string[], annotations: Readonly<Record<string, string>> = {}): Promise<void> {
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  const apiServerLoadBalancer = world.zones(zones);
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer }, annotations });
  for (const zone of zones) await world.machine("blue", zone);
  await world.clock.advance(600_000);
}

/** Nobody answers in the zone, and the row of its balancer does not say so yet. */
function die(zone: string): void {
  const { cloud, faults } = world.lab.fake;
  const { id } = balancerNamed(world, zone);
  for (const member of cloud.tables.members.find(`balancer:${id}`))
    faults.setStatus("members", member.id, { operating: "ERROR" });
  expect(balancerNamed(world, zone).operatingStatus).toBe("ONLINE");
}

function fail(zone: string): void {
  world.lab.fake.faults.setStatus("loadbalancers", balancerNamed(world, zone).id, { provisioning: "ERROR" });
}

/** Of what is below the balancer of a zone: answers with how many were asked for. */
function whileTreesAre(zone: string, callPlan: CloudCallPlan): () => number {
  let calls = 0;
  world.lab.fake.addCallPlan((call) => {
    if (call.zone !== zone || call.write) return undefined;
    calls += 1;
    return callPlan;
  });
  return () => calls;
}

const publish = { "mainstay.dev/publish-dns": "true" };
const addressOf = (zone: string) =>
  floatingIps(world).find(({ tags }) => tags.includes(`mainstay-zone=${zone}`))?.address;
const published = async () => {
  const { spec } = await world.kube.get(dnsEndpoints, { name: "blue", namespace });
  return (spec?.endpoints ?? []).flatMap(({ targets }) => targets);
};

const mapZones = (zones: readonly string[]) =>
  world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(zones) } });

describe("zone az2 died after it was last looked into", () => {
  test("a balancer in ERROR that may serve is not taken down for it", async () => {
    await blue(["az1", "az2"]);
    const { id } = balancerNamed(world, "az1");
    die("az2");
    fail("az1");
    await world.clock.advance(300_000);
    expect(balancerNamed(world, "az1")).toMatchObject({ id, provisioningStatus: "ERROR" });
    expect(await world.notes()).toContainEqual(expect.stringContaining("no other way in is healthy"));
  });

  test("a pool in ERROR on the API port is not made again for it", async () => {
    await blue(["az1", "az2"]);
    const { cloud, faults } = world.lab.fake;
    const { id } = balancerNamed(world, "az1");
    const [pool] = cloud.tables.pools.find(`balancer:${id}`);
    die("az2");
    faults.setStatus("pools", pool?.id ?? "", { provisioning: "ERROR" });
    faults.setStatus("loadbalancers", id, { provisioning: "ACTIVE" });
    await world.clock.advance(300_000);
    expect(cloud.tables.pools.find(`balancer:${id}`)).toMatchObject([{ id: pool?.id }]);
  });

  test("a zone that left the spec keeps its balancer", async () => {
    await blue(["az1", "az2"]);
    const { id } = balancerNamed(world, "az1");
    die("az2");
    await mapZones(["az2"]);
    await world.clock.advance(300_000);
    expect(balancerNamed(world, "az1")).toMatchObject({ id, provisioningStatus: "ACTIVE" });
  });

  test("the last member that answers stays while its machine is being deleted", async () => {
    await blue(["az1", "az2"]);
    const ref = { name: "blue-az1", namespace };
    await world.kube.patch(machines, ref, { type: "merge", body: { metadata: { finalizers: ["test/stays"] } } });
    const members = membersOf(world, "az1");
    die("az2");
    await world.kube.delete(machines, ref);
    await world.clock.advance(120_000);
    expect(membersOf(world, "az1")).toEqual(members);
  });
});

test("the last member that people have an address of stays, although a zone without one has just been seen to serve", async () => {
  await blue(["az1", "az2"]);
  world.lab.fake.addCallPlan(({ operation }) =>
    operation === "create floating ip" ? { turnAway: { status: 403, message: "policy" } } : undefined,
  );
  await mapZones(["az1", "az2", "az3"]);
  await world.machine("blue", "az3");
  await world.clock.advance(200_000);
  await world.machine("blue", "az3", "new-az3");
  await world.clock.advance(15_000);
  expect(membersOf(world, "az3")).toHaveLength(2);
  expect(floatingIps(world)).toHaveLength(2);
  const members = membersOf(world, "az1");
  const ref = { name: "blue-az1", namespace };
  await world.kube.patch(machines, ref, { type: "merge", body: { metadata: { finalizers: ["test/stays"] } } });
  die("az2");
  await world.kube.delete(machines, ref);
  await world.clock.advance(20_000);
  expect(membersOf(world, "az1")).toEqual(members);
});

describe("the DNS records, after zone az2 died", () => {
  const failPool = async () => {
    const { cloud, faults } = world.lab.fake;
    const { id } = balancerNamed(world, "az1");
    faults.setStatus("pools", cloud.tables.pools.find(`balancer:${id}`)[0]?.id ?? "", { provisioning: "ERROR" });
    faults.setStatus("loadbalancers", id, { provisioning: "ACTIVE" });
  };

  test.each([
    ["leaves the mapping", () => mapZones(["az2"])],
    ["is in ERROR", async () => fail("az1")],
    ["has its API pool in ERROR", failPool],
  ])("go on to name az1, the only one that serves, when it %s", async (_what, happen) => {
    await blue(["az1", "az2"], publish);
    const address = addressOf("az1");
    expect(await published()).toHaveLength(2);
    die("az2");
    await happen();
    for (let seconds = 0; seconds < 180; seconds += 2) {
      await world.clock.advance(2_000);
      expect(await published()).toContain(address);
    }
  });

  test("lose az1 when it leaves the mapping and az3, read again, serves", async () => {
    await blue(["az1", "az2", "az3"], publish);
    const address = addressOf("az1");
    die("az2");
    await mapZones(["az2", "az3"]);
    await world.clock.advance(10_000);
    expect(await published()).not.toContain(address);
    expect(await published()).toContain(addressOf("az3"));
  });
});

test("the DNS records lose a zone that dies, while the record of one that left the mapping waits for a zone that is read slowly", async () => {
  await blue(["az1", "az2", "az3"], publish);
  const [az1, az2] = ["az1", "az2"].map(addressOf);
  whileTreesAre("az2", { delayMs: 29_000 });
  die("az3");
  world.lab.fake.faults.setStatus("loadbalancers", balancerNamed(world, "az3").id, { operating: "ERROR" });
  await mapZones(["az2", "az3"]);
  await world.clock.advance(25_000);
  expect(await published()).toEqual([az1, az2].toSorted());
});

describe("zone az2 serves", () => {
  test("what is to go goes on without delay: it is read again in the same round", async () => {
    await blue(["az1", "az2"]);
    const { id } = balancerNamed(world, "az1");
    fail("az1");
    await world.patch("blue", { metadata: { annotations: { look: "now" } } });
    await world.clock.advance(3_000);
    expect(world.lab.fake.cloud.tables.loadbalancers.get(id)?.provisioningStatus).not.toBe("ERROR");
  });

  test("and is answered late: what is to go waits for that, and nothing else does", async () => {
    await blue(["az1", "az2", "az3"]);
    const { id } = balancerNamed(world, "az1");
    whileTreesAre("az2", { delayMs: 29_000 });
    fail("az1");
    await world.patch("blue", { metadata: { annotations: { look: "now" } } });
    await world.clock.advance(5_000);
    const address = await world.machine("blue", "az3", "new-az3");
    const other = await world.machine("blue", "az2", "new-az2");
    await world.clock.advance(8_000);
    expect(membersOf(world, "az3")).toContain(address);
    expect(membersOf(world, "az2")).toContain(other);
    expect(balancerNamed(world, "az1")).toMatchObject({ id, provisioningStatus: "ERROR" });
    await world.clock.advance(600_000);
    expect(balancerNamed(world, "az1")).toMatchObject({ provisioningStatus: "ACTIVE" });
    expect(balancerNamed(world, "az1").id).not.toBe(id);
  });
});

describe("what is below the balancer of az2 cannot be read", () => {
  test.each([
    ["is refused", { turnAway: { status: 503 } }],
    ["is never answered", { delayMs: Number.POSITIVE_INFINITY }],
  ] as const)("%s: what is to go stays, at few calls", async (_how, callPlan) => {
    await blue(["az1", "az2"]);
    const { id } = balancerNamed(world, "az1");
    const calls = whileTreesAre("az2", callPlan);
    fail("az1");
    const before = running.writes.length;
    await world.clock.advance(3_600_000);
    expect(balancerNamed(world, "az1")).toMatchObject({ id, provisioningStatus: "ERROR" });
    expect(calls()).toBeLessThan(250);
    expect(running.writes.length - before).toBeLessThan(10);
  });

  test("a third zone that was just seen to serve is enough for a member", async () => {
    await blue(["az1", "az2", "az3"]);
    whileTreesAre("az2", { delayMs: Number.POSITIVE_INFINITY });
    await world.kube.delete(machines, { name: "blue-az1", namespace });
    await world.clock.advance(10_000);
    expect(membersOf(world, "az1")).toEqual([]);
    expect(balancerNames(world)).toHaveLength(3);
  });
});

describe("every read takes 29 s", () => {
  const slow = () => world.lab.fake.addCallPlan(({ write }) => (write ? undefined : { delayMs: 29_000 }));

  test("the member of a machine that is being deleted leaves all the same", async () => {
    await blue(["az1", "az2", "az3"]);
    slow();
    const ref = { name: "blue-az1", namespace };
    await world.kube.patch(machines, ref, { type: "merge", body: { metadata: { finalizers: ["test/stays"] } } });
    await world.kube.delete(machines, ref);
    await world.clock.advance(600_000);
    expect(membersOf(world, "az1")).toEqual([]);
  });

  test.each([
    ["without", undefined],
    ["with", "az1"],
  ])("a balancer in ERROR is made again, %s consent", async (_how, consent) => {
    await blue(["az1", "az2", "az3"], consent === undefined ? {} : { "mainstay.dev/repair": consent });
    const { id } = balancerNamed(world, "az1");
    slow();
    fail("az1");
    await world.clock.advance(600_000);
    expect(world.lab.fake.cloud.tables.loadbalancers.get(id)?.provisioningStatus).not.toBe("ERROR");
  });
});
