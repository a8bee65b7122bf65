import { beforeEach, describe, expect, test } from "vitest";
import { dnsEndpoints } from "../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions } from "../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../src/apis/kube/kube-object.ts";
import type { Action } from "../../src/core/plan.ts";
import type { Writer } from "../../src/engine/feature.ts";
import { ownerIdAnnotation } from "../../src/jobs/api-endpoint/apis/annotations.ts";
import { openStackClusters } from "../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { openStackClusterFeature } from "../../src/jobs/api-endpoint/controller/front-doors.ts";
import { ownerTag } from "../../src/jobs/api-endpoint/core/model/ownership.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { openCrd } from "../../src/sim/fakes/kube/open-crd.ts";
import { addPort, addSubnet } from "../../src/sim/fakes/openstack/cloud-setup.ts";
import { CloudModel } from "../api-endpoint/model/cloud-model.ts";
import { intent, machine, ownerId, zoneBalancerName, zonesIntent } from "../api-endpoint/model/endpoint-builders.ts";
import { EndpointWorld, namespace } from "../api-endpoint/world/endpoint-world.ts";

describe("what the simulation found in the planner of API endpoints", () => {
  let model: CloudModel;
  beforeEach(() => {
    model = new CloudModel(zonesIntent(["az1", "az2"]));
    model.join(machine("az1", 1), machine("az2", 1));
    model.converge();
  });

  function addForeignMember(zone: string): void {
    model.addMember(model.row(zoneBalancerName(zone)), "somebody's", "10.6.9.9");
    model.up.add("10.6.9.9");
  }

  test("what answers behind a foreign member is no way in: the last real one stays", () => {
    addForeignMember("az1");
    model.up.delete("10.6.1.1");
    model.intent = zonesIntent(["az1"]);
    model.converge();
    expect(model.rows.map(({ lb }) => lb.name)).toContain(zoneBalancerName("az2"));
  });

  test("a foreign member does not keep a balancer that went with the zones", () => {
    addForeignMember("az2");
    model.intent = intent({ endpoint: model.intent.endpoint });
    model.converge();
    expect(model.rows).toHaveLength(1);
  });

  test("a zone that was removed is not listed for ever because of a floating IP that an operator prepared", () => {
    model.addFloatingIp({ tags: [ownerTag(ownerId), "mainstay-zone=az2"] });
    model.intent = zonesIntent(["az1"]);
    model.converge();
    expect(model.status?.zones.map(({ availabilityZone }) => availabilityZone)).toEqual(["az1"]);
  });

  test("whoever agrees to a repair gets it, also where the part in ERROR is the last way in", () => {
    model.intent = zonesIntent(["az1"]);
    model.converge();
    const broken = model.row(zoneBalancerName("az1")).pools[0];
    if (broken !== undefined) broken.status = "ERROR";
    model.converge();
    expect(model.row(zoneBalancerName("az1")).pools[0]?.id).toBe(broken?.id);
    model.intent = zonesIntent(["az1"], { consents: { ...model.intent.consents, repair: true } });
    model.converge();
    expect(model.row(zoneBalancerName("az1")).pools[0]?.id).not.toBe(broken?.id);
    expect(model.waysIn()).toBe(1);
  });
});

describe("what the simulation found in the controllers of API endpoints", () => {
  const endpoint = { host: "api.blue.example.com", port: 6443 };
  let world: EndpointWorld;
  beforeEach(async () => {
    world = new EndpointWorld();
    await world.furnish();
  });

  async function membersOf(zone: string): Promise<unknown> {
    const { status } = await world.read("blue");
    return status?.apiServerLoadBalancers?.find(({ availabilityZone }) => availabilityZone === zone)?.members;
  }

  async function settled(spec: object = {}): Promise<void> {
    await world.cluster("blue", {
      spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones(["az1", "az2"]), ...spec },
    });
    for (const zone of ["az1", "az2"]) await world.machine("blue", zone);
    await world.clock.advance(180_000);
  }

  test("a new member is looked at until it is well, although nothing moves in its balancer's row", async () => {
    const { manager } = world.work();
    await settled();
    world.lab.fake.settings.healthMs = 120_000;
    await world.machine("blue", "az1", "blue-late");
    await world.clock.advance(300_000);
    expect(await membersOf("az1")).toEqual({ total: 2, healthy: 2 });
    await manager.stop();
  });

  test("a pool that came into ERROR without a trace in its balancer is seen when it refuses a change", async () => {
    const { manager } = world.work();
    await settled();
    const [first] = world.lab.fake.cloud.tables.pools.all();
    world.lab.fake.faults.setStatus("pools", first?.id ?? "", { provisioning: "ERROR" });
    for (const zone of ["az1", "az2"]) await world.machine("blue", zone, `blue-late-${zone}`);
    await world.clock.advance(300_000);
    expect([await membersOf("az1"), await membersOf("az2")]).toEqual([
      { total: 2, healthy: 2 },
      { total: 2, healthy: 2 },
    ]);
    await manager.stop();
  });

  test("a pool whose listener went goes before that is made again, also while another port is whole: OVN would hang on its monitor", async () => {
    world = new EndpointWorld({ cloud: { providers: { ovn: "ovn" }, defaultProvider: "ovn" } });
    await world.furnish();
    const { manager } = world.work();
    await settled({ apiServerLoadBalancer: { ...world.zones(["az1", "az2"]), additionalPorts: [9345] } });
    const { listeners, pools } = world.lab.fake.cloud.tables;
    const [first] = listeners.all().filter(({ port }) => port === 6443);
    const deleted = world.cloud.octavia.deleteListener(first?.id ?? "");
    await world.clock.advance(300_000);
    await deleted;
    expect(pools.get(first?.defaultPoolId ?? "")).toBeUndefined();
    expect([listeners.all().length, pools.all().length]).toEqual([4, 4]);
    const states = world.lab.fake.cloud.tables.loadbalancers.all().map(({ provisioningStatus }) => provisioningStatus);
    expect(states).toEqual(["ACTIVE", "ACTIVE"]);
    await manager.stop();
  });

  test("a pool of ours that was renamed gets its name back, also beside a foreign listener that leads nowhere", async () => {
    const { manager } = world.work();
    await settled();
    const { octavia } = world.cloud;
    const [pool] = world.lab.fake.cloud.tables.pools.all();
    const loadBalancerId = pool?.loadBalancerId ?? "";
    const made = octavia.createListener({ loadBalancerId, name: "theirs", protocol: "TCP", port: 7_000, tags: [] });
    await world.clock.advance(60_000);
    await made;
    const renamed = octavia.updatePool(pool?.id ?? "", { name: "renamed" });
    await world.clock.advance(300_000);
    await renamed;
    expect(world.lab.fake.cloud.tables.pools.get(pool?.id ?? "")?.name).toBe(pool?.name);
    await manager.stop();
  });

  test("machines in a node subnet that a filter cannot tell from another come in by their address", async () => {
    const { fake, projectId, networkId } = world.lab;
    const fields = { name: "tenant-1", projectId, networkId, cidr: "10.9.0.0/24" };
    const { id } = addSubnet(fake.cloud, fields);
    const { manager } = world.work();
    await settled({ subnets: ["tenant-1", "tenant-2"].map((name) => ({ filter: { name } })) });
    expect(await membersOf("az1")).toEqual({ total: 1, healthy: 1 });
    fake.cloud.tables.subnets.remove(id);
    await world.clock.advance(120_000);
    expect(await membersOf("az1")).toEqual({ total: 1, healthy: 1 });
    await manager.stop();
  });

  test("a floating IP of ours that somebody had attached elsewhere goes soon after they let it go", async () => {
    const { fake, projectId, networkId, subnetIds } = world.lab;
    const { manager } = world.work();
    await settled();
    const { floatingips } = fake.cloud.tables;
    const ours = floatingips.all().find(({ tags }) => tags.includes("mainstay-zone=az2"));
    const port = addPort(fake.cloud, { projectId, networkId, subnetId: subnetIds[0] });
    await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az1"]) } });
    const moved = world.cloud.neutron.updateFloatingIp(ours?.id ?? "", { portId: port.id });
    await world.clock.advance(300_000);
    await moved;
    expect(floatingips.get(ours?.id ?? "")?.portId).toBe(port.id);
    const freed = world.cloud.neutron.updateFloatingIp(ours?.id ?? "", { portId: null });
    await world.clock.advance(120_000);
    await freed;
    expect(floatingips.get(ours?.id ?? "")).toBeUndefined();
    await manager.stop();
  });
});

describe("every write to an object is bound to what it was decided on", () => {
  const ref = { name: "blue", namespace };
  let world: EndpointWorld;
  beforeEach(async () => {
    world = new EndpointWorld();
    await world.furnish();
    await world.kube.create(customResourceDefinitions, openCrd(dnsEndpoints));
    await world.clock.advance(100);
    await world.cluster("blue", { spec: { apiServerLoadBalancer: {} } });
  });

  /** Somebody changes whatever is read, right after it was read. */
  function raced(kube: Kube): Kube {
    return {
      ...kube,
      get: async (kind, name, options) => {
        const found = await kube.get(kind, name, options);
        const body = { metadata: { annotations: { "example.com/touched": "yes" } } };
        await kube.patch(kind, name, { type: "merge", body });
        return found;
      },
    };
  }

  async function execute(action: object, kube: Kube): Promise<void> {
    const { executors } = openStackClusterFeature({ openStack: world.lab.fake, claims: "all" });
    const { uid } = (await world.kube.get(openStackClusters, ref)).metadata;
    const whole = { object: ref, uid, because: "AsExpected", ...action } as unknown as Action;
    const writer = { kube, signal: new AbortController().signal } as unknown as Writer;
    await executors[whole.kind]?.(whole, writer);
  }

  test.each([
    { kind: "add-finalizer" },
    { kind: "claim-owner-id", ownerId: "o" },
    { kind: "set-endpoint", host: "10.0.1.9", port: 6443 },
    { kind: "apply-dns-endpoint", host: "api.example.com", addresses: ["203.0.113.9"] },
  ])("$kind", async (action) => {
    if (action.kind === "apply-dns-endpoint") await execute({ ...action, addresses: ["203.0.113.1"] }, world.kube);
    const before: KubeObject = await world.kube.get(openStackClusters, ref);
    await expect(execute(action, raced(world.kube))).rejects.toMatchObject({ reason: "WriteConflict" });
    const { metadata, ...after } = await world.kube.get(openStackClusters, ref);
    const { metadata: was, ...same } = before;
    expect(after).toEqual(same);
    expect([metadata.finalizers, metadata.annotations?.[ownerIdAnnotation]]).toEqual([was.finalizers, undefined]);
    await execute(action, world.kube);
  });
});
