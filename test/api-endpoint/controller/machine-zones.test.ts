// Where a cluster's machines are is told by the object, or not at all, or wrongly. Nobody is locked out of the API for that, and
// machines come behind their balancers as far as anybody can find out where they are.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clusters } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { KubeError } from "../../../src/core/kube-error.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import type { ApiServerLoadBalancer } from "../../../src/jobs/api-endpoint/apis/load-balancer/api-server-load-balancer.ts";
import {
  type OpenStackCluster,
  openStackClusters,
} from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { apiEndpointFeature } from "../../../src/jobs/api-endpoint/controller/front-doors.ts";
import { addNetwork, addSubnet } from "../../../src/sim/fakes/openstack/cloud-setup.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, listenersOf, membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const controlPlaneEndpoint = { host: "api.mycluster.example.com", port: 6443 };
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
});

afterEach(async () => {
  await running.manager.stop();
});

/** As the two examples of the request show it: a network for the balancers, and none for the machines. */
async function example(block: ApiServerLoadBalancer = {}, crossZone = false): Promise<void> {
  const apiServerLoadBalancer = {
    ...world.zones(["az1", "az2"]),
    allowCrossAZLoadBalancerMembers: crossZone,
    ...block,
  };
  const spec = { network: undefined, controlPlaneEndpoint, apiServerLoadBalancer };
  await world.cluster("blue", { spec: spec as unknown as NonNullable<OpenStackCluster["spec"]> });
}

const list = () => listenersOf(world, "az1")[0]?.allowedCidrs?.toSorted();
const routerAddress = () => `${world.lab.fake.cloud.tables.routers.all()[0]?.externalAddresses[0]}/32`;

async function conditionOf(type: string): Promise<readonly string[]> {
  const { status } = await world.read("blue");
  const found = status?.conditions?.find((one) => one.type === type);
  return [found?.status ?? "", found?.reason ?? "", found?.message ?? ""];
}

const notesWith = async (words: string) => (await world.notes()).filter((note) => note.includes(words));

describe("an access list, where no network of the machines is named", () => {
  test.each([false, true])(
    "lets in what is in the balancers' network and comes through its router, and says so: cross-zone %j",
    async (crossZone) => {
      await example({ allowedCIDRs: ["192.0.2.0/24"] }, crossZone);
      await world.machine("blue", "az1");
      await world.clock.advance(200_000);
      const own = ["10.0.1.0/24", "10.0.2.0/24", "10.0.3.0/24", routerAddress()].toSorted();
      expect(list()).toEqual([...own, "192.0.2.0/24"].toSorted());
      const [status, reason, message] = await conditionOf("NetworkReady");
      expect([status, reason]).toEqual(["True", "NodeNetworkUnnamed"]);
      for (const cidr of ["10.0.3.0/24", "203.0.113", "spec.network"]) expect(message).toContain(cidr);
      expect(await conditionOf("Ready")).toMatchObject(["True", "AsExpected", ""]);
      expect(await notesWith("nothing says where the machines are")).toHaveLength(1);
    },
  );

  test("names the machines that it does not let in", async () => {
    await example({ allowedCIDRs: ["192.0.2.0/24"] });
    await world.machineAt("blue", "az1", "172.16.0.5", "far-away");
    await world.clock.advance(200_000);
    expect((await conditionOf("NetworkReady"))[2]).toContain("machines that are not: far-away (172.16.0.5)");
  });

  test("that nobody asked for needs no word about it", async () => {
    await example();
    await world.clock.advance(200_000);
    expect(list()).toEqual([]);
    expect(await conditionOf("NetworkReady")).toEqual(["True", "AsExpected", ""]);
  });
});

describe("an access list stays as it is, and it is said, while of the machines' place", () => {
  const block = { allowedCIDRs: ["192.0.2.0/24"] };
  const nodes = { name: "nodes", cidr: "10.77.0.0/24", gatewayIp: "10.77.0.1" };

  async function built(spec: NonNullable<OpenStackCluster["spec"]>): Promise<readonly string[] | undefined> {
    const { networkId, projectId, fake } = world.lab;
    addSubnet(fake.cloud, { ...nodes, networkId, projectId });
    const apiServerLoadBalancer = { ...world.zones(["az1"]), ...block };
    await world.cluster("blue", { spec: { controlPlaneEndpoint, ...spec, apiServerLoadBalancer } });
    await world.machineAt("blue", "az1", "10.77.0.9");
    await world.clock.advance(200_000);
    expect(list()).toContain("10.77.0.0/24");
    expect(list()).toContain(routerAddress());
    return list();
  }

  async function stays(before: readonly string[] | undefined): Promise<void> {
    // At rest, networks are looked up once an hour.
    await world.clock.advance(4_000_000);
    expect(list()).toEqual(before);
    expect(membersOf(world, "az1")).toContain("10.77.0.9");
    expect((await conditionOf("NetworkReady")).slice(0, 2)).toEqual(["False", "NodePlaceUnresolved"]);
    expect(await notesWith("access lists stay as they are")).not.toEqual([]);
    await world.patch("blue", { spec: { apiServerLoadBalancer: { allowedCIDRs: ["198.51.100.0/24"] } } });
    await world.clock.advance(60_000);
    expect(list()).toEqual(before);
  }

  test("a subnet's filter comes to match two", async () => {
    const before = await built({ subnets: [{ filter: { name: "nodes" } }] });
    const { networkId, projectId, fake } = world.lab;
    const duplicate = addSubnet(fake.cloud, {
      ...nodes,
      cidr: "10.78.0.0/24",
      gatewayIp: "10.78.0.1",
      networkId,
      projectId,
    });
    await stays(before);
    await world.machineAt("blue", "az1", "10.77.0.10", "another");
    await world.clock.advance(60_000);
    expect(membersOf(world, "az1")).toContain("10.77.0.10");
    fake.cloud.tables.subnets.remove(duplicate.id);
    await world.clock.advance(120_000);
    expect(list()).toContain("198.51.100.0/24");
    expect(await conditionOf("NetworkReady")).toEqual(["True", "AsExpected", ""]);
  });

  test("the network's filter comes to match two", async () => {
    const { networkId, projectId, fake } = world.lab;
    const { name } = fake.cloud.tables.networks.get(networkId) ?? {};
    const before = await built({ network: { filter: { name: name ?? "" } } });
    addNetwork(fake.cloud, { name: name ?? "", projectId });
    await stays(before);
  });

  test("nothing is said, and the balancers' network comes to be two", async () => {
    const { networkId, projectId, fake } = world.lab;
    const name = fake.cloud.tables.networks.get(networkId)?.name ?? "";
    const spec = { network: undefined, controlPlaneEndpoint };
    const apiServerLoadBalancer = { ...world.zones(["az1"]), ...block, network: { filter: { name } } };
    await world.cluster("blue", {
      spec: { ...spec, apiServerLoadBalancer } as unknown as NonNullable<OpenStackCluster["spec"]>,
    });
    await world.machine("blue", "az1");
    await world.clock.advance(200_000);
    const before = list();
    expect(before).toContain("10.0.3.0/24");
    addNetwork(fake.cloud, { name, projectId });
    await world.clock.advance(4_000_000);
    expect(list()).toEqual(before);
  });
});

describe("an access list of an APIEndpoint", () => {
  const ref = { name: "blue", namespace };

  async function besideCapo(): Promise<void> {
    await world.put(clusters, "blue", { infrastructureRef: { kind: "OpenStackCluster", name: "blue" } });
    await world.put(openStackClusters, "blue", { identityRef: { name: "cloud", cloudName: "lab" } });
    const apiServerLoadBalancer = { ...world.zones(["az1"]), allowedCIDRs: ["192.0.2.0/24"] };
    await world.kube.create(apiEndpoints, world.apiEndpoint("blue", { apiServerLoadBalancer }));
  }

  async function bastion(status: object): Promise<void> {
    const body = { status: { bastion: status } };
    await world.kube.patch(openStackClusters, ref, { type: "merge", body }, { subresource: "status" });
    await world.clock.advance(60_000);
  }

  test("lets CAPO's bastion in, also one that moves", async () => {
    await besideCapo();
    await bastion({ name: "bastion", ip: "10.0.1.99", floatingIP: "203.0.113.200" });
    await world.clock.advance(120_000);
    expect(list()).toEqual(expect.arrayContaining(["10.0.1.99/32", "203.0.113.200/32"]));
    await bastion({ floatingIP: "203.0.113.201" });
    expect(list()).toContain("203.0.113.201/32");
    expect(list()).not.toContain("203.0.113.200/32");
  });

  test("stays as it is while CAPO's object cannot be read", async () => {
    await besideCapo();
    await bastion({ floatingIP: "203.0.113.200" });
    await world.clock.advance(120_000);
    const before = list();
    expect(before).toContain("203.0.113.200/32");
    await running.manager.stop();
    const { fake: openStack } = world.lab;
    running = world.manager({
      features: [apiEndpointFeature({ openStack, claims: "none" })],
      through: (kube) => ({
        ...kube,
        get: async (kind, asked, options) => {
          if (kind.kind !== "OpenStackCluster") return await kube.get(kind, asked, options);
          throw new KubeError({ code: "Forbidden", message: "openstackclusters: forbidden" });
        },
      }),
    });
    await world.clock.advance(200_000);
    expect(list()).toEqual(before);
    const { status } = await world.kube.get(apiEndpoints, ref);
    const condition = status?.conditions?.find(({ type }) => type === "NetworkReady");
    expect(condition).toMatchObject({ status: "False", reason: "NodePlaceUnresolved" });
    expect(condition?.message).toContain("the bastion: openstackclusters: forbidden");
  });
});

describe("on OVN, which must be given a member's subnet", () => {
  test("machines in any subnet of the balancers' network come behind them, each with its own", async () => {
    await example({ provider: "ovn" });
    await world.machineAt("blue", "az1", "10.0.3.50", "one");
    await world.machine("blue", "az2", "two");
    await world.clock.advance(200_000);
    expect(membersOf(world, "az1")).toEqual(["10.0.3.50"]);
    expect(membersOf(world, "az2")).toHaveLength(1);
    const subnets = world.lab.fake.cloud.tables.members.all().map(({ subnetId }) => subnetId);
    expect(subnets.toSorted()).toEqual([world.lab.subnetIds[1], world.lab.subnetIds[2]].toSorted());
    expect((await conditionOf("Ready"))[0]).toBe("True");
  });

  test("one whose subnet nobody knows is named, with what to do, and nothing is asked of Octavia in vain", async () => {
    const { projectId, fake } = world.lab;
    const { id: networkId } = addNetwork(fake.cloud, { name: "elsewhere", projectId });
    const { id: subnetId } = addSubnet(fake.cloud, {
      name: "elsewhere",
      cidr: "172.16.0.0/24",
      gatewayIp: "172.16.0.1",
      networkId,
      projectId,
    });
    await example({ provider: "ovn" });
    await world.machineAt("blue", "az1", "172.16.0.5", "far-away");
    await world.clock.advance(400_000);
    expect(membersOf(world, "az1")).toEqual([]);
    const asked = [...fake.counts().keys()].filter((call) => /merge members|create member/.test(call));
    expect(asked).toEqual([]);
    const words =
      "machine far-away: its address 172.16.0.5 is in none of the subnets 10.0.1.0/24, 10.0.2.0/24, 10.0.3.0/24 of the balancers' network, and provider ovn must be told a member's subnet, so it is behind no balancer; name its network in spec.network, or its subnet in spec.subnets";
    expect(await notesWith(words)).toHaveLength(1);
    expect((await conditionOf("MembersHealthy"))[2]).toContain(words);
    await world.patch("blue", { spec: { subnets: [{ id: subnetId }] } });
    await world.clock.advance(120_000);
    expect(membersOf(world, "az1")).toEqual(["172.16.0.5"]);
    expect(balancerNamed(world, "az1").provisioningStatus).toBe("ACTIVE");
  });
});

describe("a provider that refuses members", () => {
  const isMember = (operation: string) => /merge members|create member/.test(operation);

  test("for what they are like is not taken for one without batches", async () => {
    let refuses = true;
    world.lab.fake.addCallPlan((call) =>
      refuses && isMember(call.operation) ? { turnAway: { status: 501 } } : undefined,
    );
    await example({}, true);
    for (const zone of ["az1", "az2"]) await world.machine("blue", zone);
    await world.clock.advance(200_000);
    refuses = false;
    world.lab.fake.resetCounts();
    await world.clock.advance(400_000);
    expect(membersOf(world, "az1")).toHaveLength(2);
    expect([...world.lab.fake.counts().keys()].filter((call) => isMember(call))).toEqual(["octavia merge members"]);
  });

  test("in batches alone gets them one by one", async () => {
    world.lab.fake.addCallPlan((call) =>
      call.operation === "merge members" ? { turnAway: { status: 501 } } : undefined,
    );
    await example({}, true);
    for (const zone of ["az1", "az2"]) await world.machine("blue", zone);
    await world.clock.advance(400_000);
    expect(["az1", "az2"].map((zone) => membersOf(world, zone).length)).toEqual([2, 2]);
    expect(world.lab.fake.counts().get("octavia merge members")).toBeLessThanOrEqual(2);
  });
});
