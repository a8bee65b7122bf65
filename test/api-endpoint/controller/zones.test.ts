import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clusters, machines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { addPort } from "../../../src/sim/fakes/openstack/cloud-setup.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { capoBalancer } from "../world/capo-balancer.ts";
import {
  balancerNamed,
  balancerNames,
  countsByKind,
  floatingIps,
  listenersOf,
  membersOf,
} from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };
const zones = ["az1", "az2", "az3"] as const;
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

async function threeZones(annotations: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const spec = { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones() };
  await world.cluster("blue", { spec, annotations });
  await world.clock.advance(30_000);
  const addresses: string[] = [];
  for (const zone of zones) addresses.push(await world.machine("blue", zone));
  await world.clock.advance(30_000);
  return addresses;
}

async function conditionOf(type: string) {
  return (await world.read("blue")).status?.conditions?.find((condition) => condition.type === type);
}

describe("hands off", () => {
  test("an OpenStackCluster without an owner gets nothing, no call and no finalizer", async () => {
    await world.kube.create<KubeObject>(openStackClusters, {
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "OpenStackCluster",
      metadata: { name: "orphan", namespace, annotations: { "cluster.x-k8s.io/managed-by": "mainstay" } },
      spec: {
        identityRef: { name: "cloud", cloudName: "lab" },
        controlPlaneEndpoint: endpoint,
        apiServerLoadBalancer: world.zones(),
      },
    } as KubeObject);
    await world.clock.advance(120_000);
    expect([...world.lab.fake.counts()]).toEqual([]);
    const { metadata, status } = await world.read("orphan");
    expect([metadata.finalizers, status]).toEqual([undefined, undefined]);
  });

  test("one that is CAPO's is left to CAPO", async () => {
    await world.cluster("blue", { spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones() } });
    await world.patch("blue", { metadata: { annotations: { "cluster.x-k8s.io/managed-by": null } } });
    world.lab.fake.resetCounts();
    const before = countsByKind(world);
    await world.clock.advance(120_000);
    expect([...world.lab.fake.counts()]).toEqual([]);
    expect(countsByKind(world)).toEqual(before);
  });

  test.each([
    ["by its annotation", { metadata: { annotations: { "cluster.x-k8s.io/paused": "" } } }, undefined],
    ["by its Cluster", undefined, { spec: { paused: true } }],
  ])("paused %s, a cluster costs no call, keeps everything, says so, and goes on later", async (_how, own, cluster) => {
    await threeZones();
    const before = countsByKind(world);
    if (own !== undefined) await world.patch("blue", own);
    if (cluster !== undefined)
      await world.kube.patch(clusters, { name: "blue", namespace }, { type: "merge", body: cluster });
    await world.clock.advance(5_000);
    world.lab.fake.resetCounts();
    await world.patch("blue", { spec: { apiServerLoadBalancer: { additionalPorts: [9345] } } });
    await world.clock.advance(120_000);
    expect([...world.lab.fake.counts()]).toEqual([]);
    expect(countsByKind(world)).toEqual(before);
    expect(await conditionOf("Paused")).toMatchObject({ status: "True" });
    if (own !== undefined)
      await world.patch("blue", { metadata: { annotations: { "cluster.x-k8s.io/paused": null } } });
    if (cluster !== undefined) {
      const body = { spec: { paused: false } };
      await world.kube.patch(clusters, { name: "blue", namespace }, { type: "merge", body });
    }
    await world.clock.advance(60_000);
    expect(countsByKind(world)["listeners"]).toBe(6);
  });
});

describe("the mapping changes", () => {
  test("removing a zone deletes its balancer, its floating IP and its entry, and only them", async () => {
    await threeZones();
    const kept = zones.slice(0, 2).map((zone) => balancerNamed(world, zone).id);
    await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az1", "az2"]) } });
    await world.clock.advance(60_000);
    expect(["az1", "az2"].map((zone) => balancerNamed(world, zone).id)).toEqual(kept);
    expect(countsByKind(world)).toMatchObject({ loadbalancers: 2, floatingips: 2, listeners: 2, members: 2 });
    const { status } = await world.read("blue");
    expect(status?.apiServerLoadBalancers?.map((entry) => entry.availabilityZone)).toEqual(["az1", "az2"]);
  });

  test("adding it again makes it anew, and nobody else notices", async () => {
    await threeZones();
    await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az1", "az2"]) } });
    await world.clock.advance(60_000);
    const kept = balancerNamed(world, "az1").id;
    await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones() } });
    await world.clock.advance(60_000);
    expect(balancerNamed(world, "az1").id).toBe(kept);
    expect(membersOf(world, "az3")).toHaveLength(1);
  });

  test("without a mapping one balancer takes all machines, and none of its parts is called foreign on the way", async () => {
    await threeZones();
    await world.patch("blue", {
      spec: { apiServerLoadBalancer: { availabilityZoneSubnets: null, network: null } },
    });
    await world.clock.advance(300_000);
    expect(await world.balancers()).toHaveLength(1);
    expect((await world.notes()).filter((note) => note.includes("not ours"))).toEqual([]);
  });

  test("the last balancer with healthy members is refused to go, and said to be", async () => {
    const [, second = "", third = ""] = await threeZones();
    for (const address of [second, third]) world.lab.fake.faults.setMemberDown(address, true);
    await world.clock.advance(60_000);
    await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az2", "az3"]) } });
    await world.clock.advance(120_000);
    expect(balancerNames(world)).toHaveLength(3);
    expect(await world.notes()).toContainEqual(
      expect.stringContaining("az1-kubeapi: it is no longer wanted, and stays"),
    );
    for (const address of [second, third]) world.lab.fake.faults.setMemberDown(address, false);
    await world.clock.advance(120_000);
    expect(balancerNames(world)).toHaveLength(2);
  });

  test("the mirror is the first mapping's entry, also after the order has changed", async () => {
    await threeZones();
    const ids = zones.map((zone) => balancerNamed(world, zone).id);
    expect((await world.read("blue")).status?.apiServerLoadBalancer?.id).toBe(ids[0]);
    await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az3", "az1", "az2"]) } });
    await world.clock.advance(60_000);
    expect((await world.read("blue")).status?.apiServerLoadBalancer?.id).toBe(ids[2]);
    expect(zones.map((zone) => balancerNamed(world, zone).id)).toEqual(ids);
  });

  test("switching zones off keeps the mirrored balancer under the legacy name with every machine, then deletes the others", async () => {
    const addresses = await threeZones();
    const { id, vipAddress } = balancerNamed(world, "az1");
    const { address } = floatingIps(world).find(({ tags }) => tags.includes("mainstay-zone=az1")) ?? {};
    await world.patch("blue", { spec: { apiServerLoadBalancer: { availabilityZoneSubnets: null } } });
    await world.clock.advance(120_000);
    expect(balancerNames(world)).toEqual(["k8s-clusterapi-cluster-clusters-blue-kubeapi"]);
    expect(balancerNamed(world, "blue")).toMatchObject({ id, vipAddress });
    expect(membersOf(world, "blue")).toEqual(addresses.toSorted());
    expect(floatingIps(world).map((one) => one.address)).toEqual([address]);
    const { spec, status } = await world.read("blue");
    expect(spec?.controlPlaneEndpoint).toEqual(endpoint);
    expect(status?.apiServerLoadBalancers ?? []).toEqual([]);
  });
});

describe("cross-zone membership", () => {
  test("on: every machine stands behind every balancer; off again: each behind its own, and no pool was ever empty", async () => {
    const addresses = await threeZones();
    let emptied = 0;
    world.lab.fake.onChange(() => {
      emptied += zones.filter((zone) => membersOf(world, zone).length === 0).length;
    });
    await world.patch("blue", { spec: { apiServerLoadBalancer: { allowCrossAZLoadBalancerMembers: true } } });
    await world.clock.advance(60_000);
    for (const zone of zones) expect(membersOf(world, zone)).toEqual(addresses.toSorted());
    await world.patch("blue", { spec: { apiServerLoadBalancer: { allowCrossAZLoadBalancerMembers: false } } });
    await world.clock.advance(120_000);
    expect(zones.map((zone) => membersOf(world, zone))).toEqual(addresses.map((address) => [address]));
    expect(emptied).toBe(0);
  });
});

describe("machines", () => {
  test("leave every pool when their deletion begins, while they are still there", async () => {
    await threeZones();
    const late = await world.machine("blue", "az1", "blue-az1-late");
    await world.clock.advance(30_000);
    expect(membersOf(world, "az1")).toContain(late);
    const body = { metadata: { finalizers: ["example.com/draining"] } };
    await world.kube.patch(machines, { name: "blue-az1-late", namespace }, { type: "merge", body });
    await world.kube.delete(machines, { name: "blue-az1-late", namespace });
    await world.clock.advance(30_000);
    expect(membersOf(world, "az1")).not.toContain(late);
    expect(
      (await world.kube.get(machines, { name: "blue-az1-late", namespace })).metadata.deletionTimestamp,
    ).toBeTruthy();
  });

  test("in a zone without a mapping stand behind nothing, and it is said", async () => {
    await threeZones();
    const strange = await world.machine("blue", "az9");
    await world.clock.advance(30_000);
    for (const zone of zones) expect(membersOf(world, zone)).not.toContain(strange);
    expect(await world.notes()).toContainEqual(expect.stringContaining("zone az9 has no mapping"));
  });

  test("that do not answer are named in a warning, and counted in the zone's entry", async () => {
    const [first = ""] = await threeZones();
    world.lab.fake.faults.setMemberDown(first, true);
    await world.clock.advance(90_000);
    expect(await world.notes()).toContainEqual(
      expect.stringContaining(`1 of 1 machine does not answer: blue-az1 (${first})`),
    );
    expect(await conditionOf("MembersHealthy")).toMatchObject({ status: "False", reason: "MembersUnhealthy" });
    expect((await world.read("blue")).status?.apiServerLoadBalancers?.[0]).toMatchObject({
      health: "Unhealthy",
      members: { total: 1, healthy: 0 },
    });
    expect((await conditionOf("Ready"))?.status).toBe("True");
  });
});

describe("somebody else's", () => {
  test("two clusters whose names collide both converge, each with its own balancers", async () => {
    // Zone az1 of `blue` and the single balancer of `blue-az1` have one name.
    await world.cluster("blue-az1", { spec: { apiServerLoadBalancer: { enabled: true } } });
    await threeZones();
    await world.clock.advance(60_000);
    const duplicates = world.lab.fake.cloud.tables.loadbalancers
      .all()
      .filter(({ name }) => name === "k8s-clusterapi-cluster-clusters-blue-az1-kubeapi");
    expect(new Set(duplicates.map(({ tags }) => tags.find((tag) => tag.startsWith("mainstay-owner="))))).toHaveLength(
      2,
    );
    for (const name of ["blue", "blue-az1"]) expect((await world.read(name)).status?.ready).toBe(true);
    await world.remove("blue-az1");
    await world.clock.advance(60_000);
    expect(balancerNames(world)).toHaveLength(3);
    expect((await conditionOf("LoadBalancersReady"))?.status).toBe("True");
  });

  test("a balancer with our name and not our mark is left alone, and ours stands beside it", async () => {
    const theirs = await capoBalancer(world, "blue-az1", { description: "somebody's own" });
    await threeZones();
    expect(balancerNames(world)).toHaveLength(4);
    expect(await world.notes()).toContainEqual(expect.stringContaining("bears our name and not our mark"));
    await world.remove("blue");
    for (const zone of zones) await world.kube.delete(machines, { name: `blue-${zone}`, namespace });
    await world.clock.advance(60_000);
    expect(world.lab.fake.cloud.tables.loadbalancers.all().map(({ id }) => id)).toEqual([theirs.id]);
    expect(floatingIps(world).map(({ address }) => address)).toEqual([theirs.floatingAddress]);
  });

  test("a balancer that somebody deletes by hand is made again with its address", async () => {
    await threeZones();
    const { id, vipAddress } = balancerNamed(world, "az2");
    const before = floatingIps(world)
      .map(({ address }) => address)
      .toSorted();
    world.lab.fake.faults.deleteBalancer(id);
    await world.clock.advance(120_000);
    expect(balancerNamed(world, "az2")).toMatchObject({ vipAddress, provisioningStatus: "ACTIVE" });
    expect(
      floatingIps(world)
        .map(({ address }) => address)
        .toSorted(),
    ).toEqual(before);
    expect(membersOf(world, "az2")).toHaveLength(1);
  });

  test("a balancer that somebody deletes is made again although another hand wrote its id to status, too", async () => {
    await threeZones();
    const { status } = await world.read("blue");
    const entry = status?.apiServerLoadBalancers?.find(({ availabilityZone }) => availabilityZone === "az2");
    const { apiVersion, kind } = await world.read("blue");
    const applied = {
      apiVersion,
      kind,
      metadata: { name: "blue", namespace },
      status: { apiServerLoadBalancers: [{ availabilityZone: "az2", name: entry?.name, id: entry?.id }] },
    };
    await world.kube.apply(openStackClusters, applied, { fieldManager: "kubectl", subresource: "status" });
    world.lab.fake.faults.deleteBalancer(balancerNamed(world, "az2").id);
    await world.clock.advance(120_000);
    expect(balancerNamed(world, "az2").provisioningStatus).toBe("ACTIVE");
  });
});

describe("the cloud in trouble", () => {
  test("one dark zone holds up no other, and the cluster stays ready once it was", async () => {
    await threeZones();
    world.lab.fake.faults.darkenZone("az2", "stuck");
    await world.patch("blue", { spec: { apiServerLoadBalancer: { additionalPorts: [9345] } } });
    await world.clock.advance(120_000);
    expect(["az1", "az3"].map((zone) => membersOf(world, zone, 9345).length)).toEqual([1, 1]);
    expect((await world.read("blue")).status).toMatchObject({ ready: true, initialization: { provisioned: true } });
    world.lab.fake.faults.lightenZone("az2");
    await world.clock.advance(120_000);
    expect(membersOf(world, "az2", 9345)).toHaveLength(1);
  });

  test("a balancer in ERROR is rebuilt with its VIP and floating IP while another zone serves", async () => {
    await threeZones();
    const { id, vipAddress } = balancerNamed(world, "az3");
    const { address } = floatingIps(world).find(({ tags }) => tags.includes("mainstay-zone=az3")) ?? {};
    world.lab.fake.faults.setStatus("loadbalancers", id, { provisioning: "ERROR" });
    await world.clock.advance(180_000);
    const now = balancerNamed(world, "az3");
    expect(now).toMatchObject({ vipAddress, provisioningStatus: "ACTIVE" });
    expect(now.id).not.toBe(id);
    expect(floatingIps(world).find(({ portId }) => portId === now.vipPortId)?.address).toBe(address);
    // A tenant may not fail over: expected, so nobody is alarmed or told to ask for a role.
    expect(running.log.lines.filter(({ data }) => data["reason"] === "FailoverUnavailable")).toMatchObject([
      { level: "info" },
    ]);
    const notes = (await world.notes()).join(" ");
    expect(notes).not.toMatch(/role|[Ff]orbidden|fail it over|failover of/);
    expect(notes).toContain(
      `Deleted load balancer ${now.name} with everything below it, to make it again for zone az3.`,
    );
  });

  test("a balancer in ERROR that somebody else's listener is on is rebuilt only by consent, and the listener is named", async () => {
    await threeZones();
    const { id } = balancerNamed(world, "az3");
    const making = world.cloud.octavia.createListener({
      loadBalancerId: id,
      name: "shop",
      protocol: "TCP",
      port: 80,
      tags: [],
    });
    await world.clock.advance(60_000);
    await making;
    world.lab.fake.faults.setStatus("loadbalancers", id, { provisioning: "ERROR" });
    await world.clock.advance(300_000);
    expect(balancerNamed(world, "az3")).toMatchObject({ id, provisioningStatus: "ERROR" });
    const words = "what others put on it would go with it: listener shop on port 80;";
    expect(await world.notes()).toContainEqual(expect.stringContaining(words));
    await world.patch("blue", { metadata: { annotations: { "mainstay.dev/repair": "true" } } });
    await world.clock.advance(180_000);
    expect(balancerNamed(world, "az3")).toMatchObject({ provisioningStatus: "ACTIVE" });
    expect(balancerNamed(world, "az3").id).not.toBe(id);
  });

  test("no quota for floating IPs stops no balancer, and is said", async () => {
    world.lab.fake.faults.setQuota(world.lab.projectId, "floatingip", 1);
    await threeZones();
    expect(countsByKind(world)).toMatchObject({ loadbalancers: 3, floatingips: 1, members: 3 });
    expect(await world.notes()).toContainEqual(expect.stringMatching(/[Qq]uota/));
    world.lab.fake.faults.setQuota(world.lab.projectId, "floatingip", undefined);
    await world.clock.advance(600_000);
    expect(countsByKind(world)["floatingips"]).toBe(3);
    expect((await world.read("blue")).status?.ready).toBe(true);
  });
});

describe("a move by clusterctl", () => {
  test("objects made again with new uids and empty status find everything, and make nothing twice", async () => {
    await threeZones();
    const before = { countsByKind: countsByKind(world), ids: zones.map((zone) => balancerNamed(world, zone).id) };
    const { metadata, spec } = await world.read("blue");
    await world.kube.patch(clusters, { name: "blue", namespace }, { type: "merge", body: { spec: { paused: true } } });
    await world.clock.advance(5_000);
    await world.patch("blue", { metadata: { finalizers: [] } });
    await world.remove("blue");
    await world.clock.advance(60_000);
    expect(countsByKind(world)).toEqual(before.countsByKind);
    await world.kube.create<KubeObject>(openStackClusters, {
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "OpenStackCluster",
      metadata: {
        name: "blue",
        namespace,
        annotations: metadata.annotations ?? {},
        ownerReferences: metadata.ownerReferences ?? [],
      },
      spec,
    } as KubeObject);
    await world.kube.patch(clusters, { name: "blue", namespace }, { type: "merge", body: { spec: { paused: false } } });
    await world.clock.advance(60_000);
    expect(zones.map((zone) => balancerNamed(world, zone).id)).toEqual(before.ids);
    expect(countsByKind(world)).toEqual(before.countsByKind);
    expect((await world.read("blue")).status?.apiServerLoadBalancers).toHaveLength(3);
  });
});

test("deleting a cluster waits for its machines and then leaves nothing behind", async () => {
  await threeZones();
  await world.remove("blue");
  await world.clock.advance(60_000);
  expect(balancerNames(world)).toHaveLength(3);
  for (const zone of zones) await world.kube.delete(machines, { name: `blue-${zone}`, namespace });
  await world.clock.advance(60_000);
  await expect(world.read("blue")).rejects.toMatchObject({ code: "NotFound" });
  expect(Object.values(countsByKind(world)).every((count) => count === 0)).toBe(true);
});

describe("parts in trouble", () => {
  test.each([
    ["in ERROR", (id: string) => world.lab.fake.faults.setStatus("listeners", id, { provisioning: "ERROR" })],
    ["deleted by hand", (id: string) => void world.cloud.octavia.deleteListener(id)],
  ])("a listener %s is made again, and leaves no pool, monitor or member behind", async (_how, trouble) => {
    await threeZones();
    const before = countsByKind(world);
    trouble(listenersOf(world, "az2")[0]?.id ?? "");
    await world.clock.advance(180_000);
    expect(countsByKind(world)).toEqual(before);
    expect(membersOf(world, "az2")).toHaveLength(1);
    expect((await conditionOf("Ready"))?.status).toBe("True");
  });

  test("a VIP that somebody took meanwhile is reported as long as it lasts, and no other address is taken", async () => {
    await threeZones();
    const { id, vipAddress } = balancerNamed(world, "az2");
    const { fake, networkId, projectId, subnetIds } = world.lab;
    const taken = { projectId, networkId, subnetId: subnetIds[1], address: vipAddress };
    fake.onChange((change) => {
      if (change.id === id && change.after === undefined) addPort(fake.cloud, taken);
    });
    fake.faults.deleteBalancer(id);
    for (let look = 0; look < 6; look += 1) {
      await world.clock.advance(45_000);
      expect(balancerNames(world).filter((name) => name.includes("az2"))).toEqual([]);
      const { status, message = "" } = (await conditionOf("LoadBalancersReady")) ?? {};
      expect([status, message]).toEqual(["False", expect.stringMatching(/^az2: .*(in use|10\.0\.2\.)/)]);
    }
    expect(floatingIps(world)).toHaveLength(3);
  });
});
