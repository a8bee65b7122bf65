import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { adoptLegacyAnnotation } from "../../../src/jobs/api-endpoint/apis/annotations.ts";
import type { OpenStackCluster } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { addNetwork, addSubnet } from "../../../src/sim/fakes/openstack/cloud-setup.ts";
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
import { EndpointWorld } from "../world/endpoint-world.ts";

const on = { apiServerLoadBalancer: { enabled: true } };
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

async function cluster(spec: OpenStackCluster["spec"], annotations = {}): Promise<OpenStackCluster> {
  await world.cluster("green", { spec, annotations });
  await world.clock.advance(60_000);
  return await world.read("green");
}

async function conditionOf(type: string) {
  return (await world.read("green")).status?.conditions?.find((condition) => condition.type === type);
}

describe("without a mapping there is one balancer, as CAPO makes it", () => {
  test("with CAPO's name, in the cluster's first subnet, and no list of zones", async () => {
    const { status } = await cluster(on);
    expect(balancerNames(world)).toEqual(["k8s-clusterapi-cluster-clusters-green-kubeapi"]);
    expect(balancerNamed(world, "green").vipSubnetId).toBe(world.lab.subnetIds[0]);
    expect(status?.apiServerLoadBalancers ?? []).toEqual([]);
    expect(status?.apiServerLoadBalancer?.id).toBe(balancerNamed(world, "green").id);
    expect(status).toMatchObject({ ready: true, initialization: { provisioned: true } });
  });

  test("an empty mapping list is no mapping", async () => {
    await cluster({ apiServerLoadBalancer: { enabled: true, availabilityZoneSubnets: [] } });
    expect(balancerNames(world)).toEqual(["k8s-clusterapi-cluster-clusters-green-kubeapi"]);
  });

  test("on the network and subnet that the block names, also by filter", async () => {
    const [, , third] = world.lab.subnetIds;
    await cluster({
      apiServerLoadBalancer: {
        enabled: true,
        network: { filter: { name: "tenant" } },
        subnets: [{ filter: { name: "tenant-3" } }],
      },
    });
    expect(balancerNamed(world, "green").vipSubnetId).toBe(third);
  });

  test("takes the machines of all zones", async () => {
    await cluster(on);
    const addresses = [await world.machine("green", "az1"), await world.machine("green", "az2")];
    await world.clock.advance(60_000);
    expect(membersOf(world, "green")).toEqual(addresses.toSorted());
  });
});

describe("its endpoint", () => {
  test("is the floating IP with port 6443, and APIEndpointReady", async () => {
    const { spec } = await cluster(on);
    expect(spec?.controlPlaneEndpoint).toEqual({ host: floatingIps(world)[0]?.address, port: 6443 });
    expect(await conditionOf("APIEndpointReady")).toMatchObject({ status: "True" });
  });

  test("is the VIP where floating IPs are disabled, and the fixed IP when one is asked for", async () => {
    const { spec } = await cluster({ ...on, disableAPIServerFloatingIP: true, apiServerFixedIP: "10.0.1.99" });
    expect(spec?.controlPlaneEndpoint).toEqual({ host: "10.0.1.99", port: 6443 });
    expect(balancerNamed(world, "green").vipAddress).toBe("10.0.1.99");
    expect(floatingIps(world)).toEqual([]);
  });

  test("takes apiServerPort, and a DNS host of the user is never overwritten", async () => {
    const host = "api.green.example.com";
    const { spec } = await cluster({ ...on, apiServerPort: 8443, controlPlaneEndpoint: { host, port: 0 } });
    expect(spec?.controlPlaneEndpoint).toEqual({ host, port: 8443 });
    expect(listenersOf(world, "green").map(({ port }) => port)).toEqual([8443]);
  });

  test("without a balancer is a floating IP; without that, the fixed IP; without anything, an error that says so", async () => {
    const off = { apiServerLoadBalancer: { enabled: false } };
    const { spec } = await cluster(off);
    expect(spec?.controlPlaneEndpoint).toEqual({ host: floatingIps(world)[0]?.address, port: 6443 });
    const fixed = { ...off, disableAPIServerFloatingIP: true, apiServerFixedIP: "10.0.1.50" };
    await world.cluster("fixed", { spec: fixed });
    await world.cluster("lost", { spec: { ...off, disableAPIServerFloatingIP: true } });
    await world.clock.advance(60_000);
    expect((await world.read("fixed")).spec?.controlPlaneEndpoint).toEqual({ host: "10.0.1.50", port: 6443 });
    const { status } = await world.read("lost");
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({ type: "APIEndpointReady", status: "False", reason: "EndpointUndetermined" }),
    );
    expect(status?.ready).toBe(false);
  });

  test("fails alone when no floating IP can be made: the network stays ready", async () => {
    world.lab.fake.faults.setQuota(world.lab.projectId, "floatingip", 0);
    await cluster(on);
    expect((await conditionOf("APIEndpointReady"))?.status).toBe("False");
    expect((await conditionOf("NetworkReady"))?.status).toBe("True");
  });
});

describe("networks", () => {
  test("the cluster's by name, and through its subnets alone", async () => {
    await cluster({ ...on, network: { filter: { name: "tenant" } } });
    await world.cluster("through", {
      spec: { ...on, network: undefined, subnets: [{ id: world.lab.subnetIds[1] }] } as never,
    });
    await world.clock.advance(60_000);
    expect((await world.read("green")).status?.network).toMatchObject({ id: world.lab.networkId, name: "tenant" });
    const { status } = await world.read("through");
    expect(status?.network?.subnets?.map(({ id }) => id)).toEqual([world.lab.subnetIds[1]]);
    expect(balancerNamed(world, "through").vipSubnetId).toBe(world.lab.subnetIds[1]);
  });

  test.each([
    ["by id", (lab: EndpointWorld["lab"]) => ({ externalNetwork: { id: lab.externalNetworkId } })],
    ["by name", () => ({ externalNetwork: { filter: { name: "public" } } })],
    ["the only one there is", () => ({})],
  ])("the external one %s", async (_how, given) => {
    const { status } = await cluster({ ...on, ...given(world.lab) });
    expect(status?.externalNetwork).toMatchObject({ id: world.lab.externalNetworkId, name: "public" });
    expect(status?.ready).toBe(true);
  });

  test.each([
    ["an id that leads nowhere", { id: "00000000-0000-4000-8000-000000000000" }],
    ["a name that leads nowhere", { filter: { name: "nobody" } }],
  ])(
    "the external one with %s: NetworkReady is false, and nothing but the floating IP waits",
    async (_what, externalNetwork) => {
      await cluster({ ...on, externalNetwork });
      expect(await conditionOf("NetworkReady")).toMatchObject({ status: "False", reason: "ExternalNetworkUnresolved" });
      expect(countsByKind(world)).toMatchObject({ loadbalancers: 1, floatingips: 0, listeners: 1 });
    },
  );

  test("two external networks and none named: said, and not guessed", async () => {
    const { fake, projectId } = world.lab;
    const { id } = addNetwork(fake.cloud, { name: "public-2", projectId, external: true });
    addSubnet(fake.cloud, { name: "public-2", projectId, networkId: id, cidr: "198.51.100.0/24" });
    await cluster(on);
    expect(await conditionOf("NetworkReady")).toMatchObject({ status: "False", reason: "ExternalNetworkUnresolved" });
    expect(floatingIps(world)).toEqual([]);
  });

  test("no external network wanted: no floating IP, and the VIP is the endpoint", async () => {
    const { spec } = await cluster({ ...on, disableExternalNetwork: true, disableAPIServerFloatingIP: true });
    expect(spec?.controlPlaneEndpoint?.host).toBe(balancerNamed(world, "green").vipAddress);
  });

  test("one that is not there is said on NetworkReady, and nothing is made", async () => {
    await cluster({ ...on, network: { filter: { name: "nowhere" } } });
    expect(await conditionOf("NetworkReady")).toMatchObject({ status: "False", reason: "NetworkUnresolved" });
    expect(balancerNames(world)).toEqual([]);
  });
});

describe("CAPO's balancer", () => {
  test("whose address is the endpoint is adopted as it is, and nothing is made beside it", async () => {
    const { id, floatingAddress } = await capoBalancer(world, "green");
    await cluster({ ...on, controlPlaneEndpoint: { host: floatingAddress, port: 6443 } });
    expect(balancerNames(world)).toHaveLength(1);
    expect(balancerNamed(world, "green")).toMatchObject({ id });
    expect(balancerNamed(world, "green").tags).toContain("mainstay-role=single");
    expect(countsByKind(world)).toMatchObject({ listeners: 1, pools: 1, healthmonitors: 1, floatingips: 1 });
  });

  test("that only its name speaks for is left alone until the user says it is theirs", async () => {
    const { id } = await capoBalancer(world, "green");
    await cluster({ ...on, controlPlaneEndpoint: { host: "api.green.example.com", port: 6443 } });
    const { loadbalancers } = world.lab.fake.cloud.tables;
    expect(balancerNames(world)).toHaveLength(2);
    expect(loadbalancers.get(id)?.tags).toEqual([]);
    const ours = loadbalancers.all().find((balancer) => balancer.id !== id)?.id ?? "";
    await world.patch("green", { metadata: { annotations: { [adoptLegacyAnnotation]: "true" } } });
    await world.clock.advance(120_000);
    expect(loadbalancers.get(id)?.tags).toEqual([]);
    const deleted = world.cloud.octavia.deleteLoadBalancer(ours);
    await world.clock.advance(120_000);
    await deleted;
    expect(balancerNamed(world, "green")).toMatchObject({ id, provisioningStatus: "ACTIVE" });
    expect(balancerNamed(world, "green").tags).toContain("mainstay-role=single");
    expect((await world.read("green")).status?.apiServerLoadBalancer).toMatchObject({ id });
  });

  test("is taken over by its name when the user says so beforehand, and nothing is made beside it", async () => {
    const { id } = await capoBalancer(world, "green");
    const controlPlaneEndpoint = { host: "api.green.example.com", port: 6443 };
    const spec = { ...on, controlPlaneEndpoint };
    await world.cluster("green", { spec, annotations: { [adoptLegacyAnnotation]: "true" } });
    await world.clock.advance(120_000);
    expect(balancerNamed(world, "green")).toMatchObject({ id });
    expect(balancerNamed(world, "green").tags).toContain("mainstay-role=single");
  });

  test("that the user says is theirs after all zones have balancers becomes the fall-back, with all machines", async () => {
    const { id } = await capoBalancer(world, "green");
    const controlPlaneEndpoint = { host: "api.green.example.com", port: 6443 };
    await world.machine("green", "az1");
    await cluster({ controlPlaneEndpoint, apiServerLoadBalancer: world.zones() });
    const { loadbalancers, members } = world.lab.fake.cloud.tables;
    expect(balancerNames(world)).toHaveLength(4);
    expect(loadbalancers.get(id)?.tags).toEqual([]);
    await world.patch("green", { metadata: { annotations: { [adoptLegacyAnnotation]: "true" } } });
    await world.clock.advance(200_000);
    expect(loadbalancers.get(id)?.tags).toContain("mainstay-role=fallback");
    expect(members.find(`balancer:${id}`)).not.toEqual([]);
    expect(balancerNames(world)).toHaveLength(4);
    expect(await conditionOf("LegacyLoadBalancerPresent")).toMatchObject({ status: "True" });
  });
});
