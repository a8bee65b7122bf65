import { afterEach, describe, expect, test } from "vitest";
import { machines, openStackMachines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import type { ApiServerLoadBalancer } from "../../../src/jobs/api-endpoint/apis/load-balancer/api-server-load-balancer.ts";
import {
  type OpenStackCluster,
  openStackClusters,
} from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { addSubnet } from "../../../src/sim/fakes/openstack/cloud-setup.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, countsByKind, floatingIps, listenersOf, membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace, type WorldOptions } from "../world/endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };
let world: EndpointWorld;
let running: TestManager | undefined;

afterEach(async () => {
  await running?.manager.stop();
});

async function start(options: WorldOptions = {}): Promise<void> {
  world = new EndpointWorld(options);
  await world.furnish();
  running = world.work();
}

async function oneZone(block: ApiServerLoadBalancer = {}, spec: OpenStackCluster["spec"] = {}): Promise<string> {
  const apiServerLoadBalancer = { ...world.zones(["az1"]), ...block };
  await world.cluster("blue", { spec: { controlPlaneEndpoint: endpoint, ...spec, apiServerLoadBalancer } });
  await world.clock.advance(30_000);
  const address = await world.machine("blue", "az1");
  await world.clock.advance(30_000);
  return address;
}

async function change(block: object): Promise<void> {
  await world.patch("blue", { spec: { apiServerLoadBalancer: block } });
  await world.clock.advance(60_000);
}

describe("what somebody changes by hand in the cloud", () => {
  test("in a pool is seen and put right, and a member in ERROR is made again", async () => {
    await start();
    await oneZone({ additionalPorts: [9345] });
    await world.clock.advance(120_000);
    const { tables } = world.lab.fake.cloud;
    const { octavia } = world.cloud;
    const [pool] = tables.pools.all();
    const changes = octavia.updatePool(pool?.id ?? "", { algorithm: "SOURCE_IP", tags: ["mine"] });
    await world.clock.advance(20_000);
    await changes;
    await world.clock.advance(180_000);
    const { algorithm, tags = [] } = tables.pools.get(pool?.id ?? "") ?? {};
    expect([algorithm, tags.length]).toEqual(["ROUND_ROBIN", 3]);
    for (const { id } of tables.members.all().filter(({ port }) => port === 9345))
      world.lab.fake.faults.setStatus("members", id, { provisioning: "ERROR" });
    await world.clock.advance(4_000_000);
    expect(tables.members.all().map(({ provisioningStatus }) => provisioningStatus)).toEqual(["ACTIVE", "ACTIVE"]);
  });

  test("to starve the API is undone: a listener's connection limit, a member's weight of 0", async () => {
    await start();
    world.lab.fake.cloud.settings.healthMs = 10_000;
    await oneZone({ additionalPorts: [9345] });
    await world.clock.advance(120_000);
    const { tables } = world.lab.fake.cloud;
    const { octavia } = world.cloud;
    const [listener] = tables.listeners.all();
    const limiting = octavia.updateListener(listener?.id ?? "", { connectionLimit: 1 });
    await world.clock.advance(120_000);
    await limiting;
    expect(tables.listeners.all().map(({ connectionLimit }) => connectionLimit)).toEqual([-1, -1]);
    const [member] = tables.members.all();
    const draining = octavia.updateMember(member?.poolId ?? "", member?.id ?? "", { weight: 0 });
    await world.clock.advance(180_000);
    await draining;
    expect(tables.members.all().map(({ weight, operatingStatus }) => [weight, operatingStatus])).toEqual([
      [1, "ONLINE"],
      [1, "ONLINE"],
    ]);
    world.lab.fake.resetCounts();
    await world.clock.advance(3_000_000);
    expect([...world.lab.fake.counts().keys()].filter((call) => /update|create|delete|merge/.test(call))).toEqual([]);
  });

  test("does not cost more than 2 + 2A calls in the first round of a manager either", async () => {
    await start();
    await oneZone({ additionalPorts: [9345] });
    await world.clock.advance(120_000);
    await running?.manager.stop();
    world.lab.fake.resetCounts();
    running = world.work();
    await world.clock.advance(10_000);
    const below = [...world.lab.fake.counts()].filter(([call]) =>
      /balancer|listener|pool|monitor|member|tree/i.test(call),
    );
    const calls = below.reduce((sum, [, count]) => sum + count, 0);
    expect(calls).toBeGreaterThan(1);
    expect(calls).toBeLessThanOrEqual(4);
  });
});

describe("ports that are added later with OVN", () => {
  test("are served, and nobody hangs: monitors go for a moment and come back, members stay", async () => {
    await start({ cloud: { defaultProvider: "ovn" } });
    const address = await oneZone({ additionalPorts: [9345] });
    await world.clock.advance(60_000);
    expect(countsByKind(world)).toMatchObject({ listeners: 2, pools: 2, healthmonitors: 2, members: 2 });
    let fewest = 2;
    world.lab.fake.onChange(() => {
      fewest = Math.min(fewest, world.lab.fake.cloud.tables.members.all().length);
    });
    await change({ additionalPorts: [8132, 9345] });
    await world.clock.advance(120_000);
    expect(balancerNamed(world, "az1").provisioningStatus).toBe("ACTIVE");
    expect(countsByKind(world)).toMatchObject({ listeners: 3, pools: 3, healthmonitors: 3, members: 3 });
    expect(membersOf(world, "az1", 8132)).toEqual([address]);
    expect(fewest).toBe(2);
    const pending = world.lab.fake.cloud.tables.pools.all().filter((pool) => pool.provisioningStatus !== "ACTIVE");
    expect(pending).toEqual([]);
  });
});

describe("allowed CIDRs", () => {
  test("are put on every listener, canonical, with node subnets and router; changed and cleared with the spec", async () => {
    await start();
    await oneZone({ allowedCIDRs: ["192.0.2.7/24", "198.51.100.9"], additionalPorts: [9345] });
    const router = world.lab.fake.cloud.tables.routers.all()[0]?.externalAddresses[0] ?? "";
    const own = ["10.0.1.0/24", "10.0.2.0/24", "10.0.3.0/24", `${router}/32`];
    const lists = () => listenersOf(world, "az1").map(({ allowedCidrs }) => allowedCidrs?.toSorted());
    const first = [...own, "192.0.2.0/24", "198.51.100.9/32"].toSorted();
    expect(lists()).toEqual([first, first]);
    expect((await world.read("blue")).status?.apiServerLoadBalancers?.[0]?.allowedCIDRs?.toSorted()).toEqual(first);
    await change({ allowedCIDRs: ["198.51.100.0/24"] });
    expect(lists()).toEqual([0, 1].map(() => [...own, "198.51.100.0/24"].toSorted()));
    await change({ allowedCIDRs: null });
    expect(lists()).toEqual([[], []]);
  });

  test("let the bastion that status names in", async () => {
    await start();
    await oneZone({ allowedCIDRs: ["192.0.2.0/24"] });
    const body = { status: { bastion: { ip: "10.0.1.200", floatingIP: "203.0.113.200" } } };
    const ref = { name: "blue", namespace };
    await world.kube.patch(openStackClusters, ref, { type: "merge", body }, { subresource: "status" });
    await world.clock.advance(60_000);
    expect(listenersOf(world, "az1")[0]?.allowedCidrs).toEqual(
      expect.arrayContaining(["10.0.1.200/32", "203.0.113.200/32"]),
    );
  });

  test("an undisturbed list is written once: host bits that Octavia masks are no drift", async () => {
    await start();
    await oneZone({ allowedCIDRs: ["192.0.2.7/24"] });
    world.lab.fake.resetCounts();
    await world.clock.advance(600_000);
    expect([...world.lab.fake.counts().keys()].filter((call) => /update|create|delete/.test(call))).toEqual([]);
  });

  test("where the provider has none: nothing is sent, and one warning says that everybody may connect", async () => {
    await start({ cloud: { octaviaMinor: 11 } });
    await oneZone({ allowedCIDRs: ["192.0.2.0/24"] });
    await world.clock.advance(300_000);
    expect(listenersOf(world, "az1")[0]?.allowedCidrs ?? []).toEqual([]);
    expect((await world.notes()).filter((note) => note.includes("everybody may connect"))).toHaveLength(1);
  });
});

describe("a provider that answers 501", () => {
  const list = ["10.0.0.0/16", "192.0.2.0/24"];
  const asked = { client: 1_800_000, cidrs: expect.arrayContaining(list) };
  const nothing = { client: 50_000, cidrs: [] };

  test.each([
    ["timeouts alone keeps its access list", "untimed", { ...asked, client: nothing.client }],
    ["access lists alone keeps its timeouts", "unlisted", { ...asked, cidrs: nothing.cidrs }],
    ["both has neither", "sparse", nothing],
    ["neither has both", "amphora", asked],
  ] as const)("to %s, and everything else", async (_what, behaviour, has) => {
    await start({ cloud: { providers: { amphora: behaviour } } });
    const address = await oneZone({ allowedCIDRs: list });
    await world.clock.advance(120_000);
    const shown = () =>
      listenersOf(world, "az1").map((one) => ({ client: one.clientTimeoutMs, cidrs: one.allowedCidrs ?? [] }));
    expect(shown()).toEqual([has]);
    expect(membersOf(world, "az1")).toEqual([address]);
    const everybody = (await world.notes()).filter((note) => note.includes("everybody may connect"));
    expect(new Set(everybody).size).toBe(has.cidrs === nothing.cidrs ? 1 : 0);
    await change({ additionalPorts: [9345] });
    await world.clock.advance(120_000);
    expect(shown()).toEqual([has, has]);
  });

  test("to timeouts never serves the API without its access list, not for a moment", async () => {
    await start({ cloud: { providers: { amphora: "untimed" } } });
    let open = 0;
    world.lab.fake.onChange(() => {
      open += world.lab.fake.cloud.tables.listeners.all().filter((one) => (one.allowedCidrs ?? []).length === 0).length;
    });
    await oneZone({ allowedCIDRs: list });
    await world.clock.advance(7_200_000);
    expect(listenersOf(world, "az1")).toHaveLength(1);
    expect(open).toBe(0);
  });
});

describe("a zone hint that is a bad request although Octavia lists the zone", () => {
  test("is left out after asking again, with a warning, for that zone and provider alone", async () => {
    await start({ cloud: { providers: { other: "misplaced", amphora: "amphora" }, defaultProvider: "amphora" } });
    await oneZone({ provider: "other" });
    await world.clock.advance(300_000);
    expect(balancerNamed(world, "az1")).toMatchObject({ provider: "other", provisioningStatus: "ACTIVE" });
    expect(balancerNamed(world, "az1").availabilityZone).toBeUndefined();
    expect((await world.read("blue")).status?.ready).toBe(true);
    expect(await world.notes()).toContainEqual(expect.stringContaining("zone az1"));
    const spec = { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones(["az1"]) };
    await world.cluster("green", { spec });
    await world.clock.advance(120_000);
    expect(balancerNamed(world, "green")).toMatchObject({ provider: "amphora", availabilityZone: "az1" });
  });
});

describe("additional ports", () => {
  test("added: listener, pool, monitor and members; removed: all of these, and the API port stays", async () => {
    await start();
    const address = await oneZone();
    await change({ additionalPorts: [9345, 8132] });
    expect(listenersOf(world, "az1").map(({ port }) => port)).toEqual([6443, 8132, 9345]);
    expect([8132, 9345].map((port) => membersOf(world, "az1", port))).toEqual([[address], [address]]);
    expect(countsByKind(world)).toMatchObject({ listeners: 3, pools: 3, healthmonitors: 3, members: 3 });
    await change({ additionalPorts: [8132] });
    await change({ additionalPorts: null });
    expect(countsByKind(world)).toMatchObject({ listeners: 1, pools: 1, healthmonitors: 1, members: 1 });
    expect(membersOf(world, "az1")).toEqual([address]);
  });
});

describe("health monitors", () => {
  test("are made with the values of the spec, follow it, and go back to the defaults with the block", async () => {
    await start();
    await oneZone({ monitor: { delay: 7, timeout: 3, maxRetries: 2, maxRetriesDown: 4 } });
    const shown = () => {
      const [monitor] = world.lab.fake.cloud.tables.healthmonitors.all();
      return [
        monitor?.type,
        monitor?.delaySeconds,
        monitor?.timeoutSeconds,
        monitor?.maxRetries,
        monitor?.maxRetriesDown,
      ];
    };
    expect(shown()).toEqual(["TCP", 7, 3, 2, 4]);
    await change({ monitor: { delay: 9 } });
    expect(shown()).toEqual(["TCP", 9, 3, 2, 4]);
    await change({ monitor: null });
    expect(shown()).toEqual(["TCP", 10, 5, 5, 3]);
  });
});

describe("what the cloud has not", () => {
  test("an unknown provider or flavor is left out, with one warning each", async () => {
    await start();
    await oneZone({ provider: "f5", flavor: "huge" });
    await world.clock.advance(300_000);
    expect(balancerNamed(world, "az1")).toMatchObject({ provider: "amphora", provisioningStatus: "ACTIVE" });
    expect(balancerNamed(world, "az1").flavorId).toBeUndefined();
    for (const words of ["provider f5", "flavor huge"])
      expect((await world.notes()).filter((note) => note.includes(words))).toHaveLength(1);
  });

  test("a known flavor is passed by its id", async () => {
    await start();
    await oneZone({ flavor: world.lab.flavor.name });
    expect(balancerNamed(world, "az1").flavorId).toBe(world.lab.flavor.id);
  });

  test("on OVN: SOURCE_IP_PORT, members with their subnet, no zone, no list; it comes to rest all the same", async () => {
    await start();
    const address = await oneZone({ provider: "ovn", allowedCIDRs: ["192.0.2.0/24"] });
    const { tables } = world.lab.fake.cloud;
    expect(balancerNamed(world, "az1")).toMatchObject({ provider: "ovn", provisioningStatus: "ACTIVE" });
    expect(balancerNamed(world, "az1").availabilityZone).toBeUndefined();
    expect(tables.pools.all().map(({ algorithm }) => algorithm)).toEqual(["SOURCE_IP_PORT"]);
    expect(tables.members.all().map((member) => [member.address, member.subnetId])).toEqual([
      [address, world.lab.subnetIds[0]],
    ]);
    expect(listenersOf(world, "az1")[0]?.allowedCidrs ?? []).toEqual([]);
    expect((await world.read("blue")).status?.ready).toBe(true);
    expect((await world.notes()).filter((note) => note.includes("everybody may connect"))).toHaveLength(1);
  });

  test.each([
    ["the name is none of Octavia's zones", { balancerZones: {} }],
    ["Octavia is older than its zones", { octaviaMinor: 13 }],
    ["the provider has no zones", { providers: { amphora: "plain" } }],
  ] as const)("no zone hint is sent where %s, and one warning says so", async (_why, cloud) => {
    await start({ cloud });
    await oneZone();
    await world.clock.advance(300_000);
    expect(balancerNamed(world, "az1")).toMatchObject({ provisioningStatus: "ACTIVE" });
    expect(balancerNamed(world, "az1").availabilityZone).toBeUndefined();
    expect(balancerNamed(world, "az1").vipSubnetId).toBe(world.lab.subnetIds[0]);
    expect((await world.read("blue")).status?.ready).toBe(true);
    expect(await world.notes()).toContainEqual(expect.stringContaining("zone"));
  });
});

describe("addresses", () => {
  test("with floating IPs disabled there are none, and the entry has its internal address only", async () => {
    await start();
    await oneZone({}, { disableAPIServerFloatingIP: true });
    expect(floatingIps(world)).toEqual([]);
    const { status } = await world.read("blue");
    expect(status?.apiServerLoadBalancers?.[0]?.internalIP).toBe(balancerNamed(world, "az1").vipAddress);
    expect(status?.apiServerLoadBalancers?.[0]?.ip).toBeUndefined();
    expect(status?.ready).toBe(true);
  });

  test("a VIP of IPv6 alone gets no floating IP, one warning, and the cluster becomes ready", async () => {
    await start();
    const { networkId, projectId } = world.lab;
    const wanted = { name: "six", projectId, networkId, cidr: "2001:db8:1::/64", gatewayIp: "2001:db8:1::1" };
    const { id } = addSubnet(world.lab.fake.cloud, wanted);
    await oneZone({ availabilityZoneSubnets: [{ availabilityZone: "az1", subnet: { id } }] });
    await world.clock.advance(300_000);
    expect(balancerNamed(world, "az1").vipAddress).toMatch(/^2001:db8:1:/);
    expect(floatingIps(world)).toEqual([]);
    expect((await world.notes()).filter((note) => note.includes("is IPv6, which has no floating IPs"))).toHaveLength(1);
    expect((await world.read("blue")).status?.ready).toBe(true);
  });

  test("apiServerFloatingIP goes to the first zone, and stays when the cluster goes", async () => {
    await start();
    const { neutron } = world.cloud;
    const free = neutron.createFloatingIp({ floatingNetworkId: world.lab.externalNetworkId, description: "mine" });
    await world.clock.advance(1_000);
    const { address } = await free;
    const spec = { controlPlaneEndpoint: endpoint, apiServerFloatingIP: address };
    await world.cluster("blue", { spec: { ...spec, apiServerLoadBalancer: world.zones() } });
    await world.clock.advance(60_000);
    const { status } = await world.read("blue");
    expect(status?.apiServerLoadBalancers?.[0]?.ip).toBe(address);
    expect(floatingIps(world)).toHaveLength(3);
    await world.remove("blue");
    await world.clock.advance(60_000);
    expect(floatingIps(world).map((one) => one.address)).toEqual([address]);
  });
});

describe("failure domains", () => {
  test("come from Nova, and only mapped zones take control planes", async () => {
    await start({ cloud: { services: ["keystone", "neutron", "octavia", "nova"] } });
    await oneZone();
    expect((await world.read("blue")).status?.failureDomains).toEqual({
      az1: { controlPlane: true },
      az2: { controlPlane: false },
      az3: { controlPlane: false },
    });
  });

  test("a machine without a failure domain is where its server is", async () => {
    await start({ cloud: { services: ["keystone", "neutron", "octavia", "nova"] } });
    await oneZone();
    const { server } = world.lab;
    const labels = { "cluster.x-k8s.io/cluster-name": "blue", "cluster.x-k8s.io/control-plane": "" };
    const status = { addresses: [{ type: "InternalIP", address: "10.0.1.77" }], instanceID: server?.id };
    await world.put(openStackMachines, "adrift", {}, { labels, status });
    const infrastructureRef = { kind: "OpenStackMachine", name: "adrift" };
    await world.put(machines, "adrift", { clusterName: "blue", infrastructureRef }, { labels });
    await world.clock.advance(30_000);
    expect(membersOf(world, "az1")).toContain("10.0.1.77");
  });
});
