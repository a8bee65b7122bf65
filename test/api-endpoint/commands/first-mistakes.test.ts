// What somebody reads who follows the guides for the first time and takes a wrong step.

import { afterEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { events } from "../../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { openStackClusterFeature } from "../../../src/jobs/api-endpoint/controller/front-doors.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { mainstay } from "../world/endpoint-commands.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const blue = `osc/${namespace}/blue`;
let world: EndpointWorld;
let working: TestManager | undefined;

const say = (...args: readonly string[]) => mainstay(world, args);

async function build(spec: object = {}, zones: readonly string[] = ["az1", "az2", "az3"]): Promise<void> {
  world = new EndpointWorld();
  await world.furnish();
  working = world.work();
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(), ...spec } });
  for (const zone of zones) await world.machine("blue", zone);
  await world.clock.advance(120_000);
}

async function statusLine(): Promise<string> {
  const { out } = await say("status");
  return out.split("\n").find((line) => line.includes("/blue")) ?? "";
}

afterEach(async () => {
  await working?.manager.stop();
  working = undefined;
});

describe("an OpenStackCluster that nobody here manages", () => {
  const unmarked = "it has no annotation cluster.x-k8s.io/managed-by, so it is CAPO's";
  const unowned = "it has no owner reference to a Cluster";

  async function unclaimed(metadata: object): Promise<void> {
    await build();
    await working?.manager.stop();
    await world.patch("blue", { metadata });
  }

  test.each([
    ["the annotation", { annotations: { "cluster.x-k8s.io/managed-by": null } }, [unmarked], [unowned]],
    ["the owner", { ownerReferences: null }, [unowned], [unmarked]],
    ["both", { annotations: { "cluster.x-k8s.io/managed-by": null }, ownerReferences: null }, [unmarked, unowned], []],
  ])("for want of %s says what is missing, in every command", async (_what, metadata, said, unsaid) => {
    await unclaimed(metadata);
    for (const text of [(await say("explain", blue)).out, (await say("plan", blue)).out, await statusLine()]) {
      for (const words of said) expect(text).toContain(words);
      for (const words of unsaid) expect(text).not.toContain(words);
      expect(text).not.toContain("the object is gone");
      expect(text).not.toContain("Looked after by openstack-cluster");
    }
    expect(await statusLine()).toContain("Not managed by Mainstay");
    const { out } = await say("doctor");
    for (const words of said)
      expect(out).toContain(`warn  OpenStackCluster ${namespace}/blue: Mainstay does not manage it: ${words}`);
  });

  test("because its Cluster is not there says which", async () => {
    await build();
    await working?.manager.stop();
    const owner = { apiVersion: "cluster.x-k8s.io/v1beta9", kind: "Cluster", name: "green", uid: "g" };
    await world.patch("blue", { metadata: { ownerReferences: [owner] } });
    for (const command of ["plan", "explain"])
      expect((await say(command, blue)).out).toContain(
        "there is no Cluster clusters/green, which its owner reference names",
      );
  });
});

describe("the word for how it fares", () => {
  test("is refused where no zone's subnet is found, and the zone is named once", async () => {
    const zone = (name: string) => ({
      availabilityZone: name,
      subnet: { id: `00000000-0000-4000-8000-00000000000${name.slice(2)}` },
    });
    world = new EndpointWorld();
    await world.furnish();
    working = world.work();
    const availabilityZoneSubnets = ["az1", "az2"].map(zone);
    const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
    await world.cluster("blue", {
      spec: { controlPlaneEndpoint, apiServerLoadBalancer: { ...world.zones(), availabilityZoneSubnets } },
    });
    await world.clock.advance(60_000);
    expect(await statusLine()).toMatch(/ refused /);
    const { out } = await say("explain", blue);
    expect(out).not.toMatch(/az1: zone az1/);
    const { out: check } = await say("migrate", "api-endpoint", "--check", `${namespace}/blue`);
    expect(check).toMatch(/^NO {4}zone az1: spec\.\S+\[0\]\.subnet: subnet/m);
  });

  test("is in progress while a balancer leaves, and healthy when it has gone", async () => {
    await build();
    const across = { ...world.zones(["az1", "az2"]), allowCrossAZLoadBalancerMembers: true };
    await world.patch("blue", { spec: { apiServerLoadBalancer: across } });
    await world.clock.advance(20_000);
    expect(await statusLine()).toMatch(/ in progress .*-az3-kubeapi: out of the DNS records/);
    await world.clock.advance(120_000);
    expect(await statusLine()).toMatch(/ healthy .*Everything is as it should be/);
  });

  test("says that no balancers are wanted, where there are none", async () => {
    await build({ apiServerLoadBalancer: { enabled: false } });
    expect((await say("explain", blue)).out).toContain("LoadBalancersReady: none are wanted, and none are there.");
  });
});

describe("the table of zones", () => {
  test("marks a zone that is out of the records", async () => {
    await build();
    await world.patch("blue", { metadata: { annotations: { "mainstay.dev/publish-dns": "true" } } });
    await world.clock.advance(60_000);
    world.lab.fake.faults.darkenZone("az2", "stuck");
    await world.clock.advance(180_000);
    const { out } = await say("explain", blue);
    expect(out).toMatch(/^az2 .* left out$/m);
    expect(out).not.toMatch(/^az[13] .* left out$/m);
  });

  test("never says when a balancer goes that may not go", async () => {
    await build({}, ["az1", "az2", "az3"]);
    await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az1"]) } });
    await world.clock.advance(5_000);
    expect((await say("explain", blue)).out).toMatch(/^az3 .*, leaving, goes at 20/m);
    // What status says of it is older than the plan.
    await working?.manager.stop();
    world.lab.fake.faults.setMemberDown("10.0.1.11:6443", true);
    world.lab.fake.faults.setMemberDown("10.0.2.12:6443", true);
    await world.clock.advance(30_000);
    const { out } = await say("explain", blue);
    expect(out).toMatch(/refuses \(LastHealthyEndpoint\): k8s-clusterapi-cluster-clusters-blue-az3-kubeapi/);
    expect(out).toMatch(/^az3 .*, unwanted, stays/m);
  });
});

describe("a command that was written otherwise", () => {
  test("takes the kind and the name as two words", async () => {
    await build();
    for (const command of ["explain", "plan"])
      expect(await say(command, "osc", "blue", "-n", namespace)).toMatchObject({ code: 0, err: "" });
  });

  test("of a Cluster is led to its OpenStackCluster", async () => {
    await build();
    for (const name of ["cluster/clusters/blue", "clusters/clusters/blue"])
      expect((await say("explain", name)).err).toContain("write osc/clusters/blue.");
    expect((await say("explain", "cluster/blue")).err).toContain("write osc/default/blue.");
  });
});

test("a proposal that moves nothing asks for nothing", async () => {
  await build();
  const { metadata: _, status: __, ...object } = await world.read("blue");
  const spec = { ...object.spec, apiServerLoadBalancer: { ...world.zones(), additionalPorts: [] } };
  const files = { "/blue.yaml": stringify({ ...object, spec, metadata: { name: "blue" } }) };
  const { out } = await mainstay(
    world,
    ["migrate", "api-endpoint", "--check", `${namespace}/blue`, "-f", "/blue.yaml"],
    files,
  );
  expect(out).toContain("there is nothing to move.");
  expect(out).not.toContain("you: apply");
});

test("what every zone says in the same words while it is built is one Event", async () => {
  await build({ apiServerLoadBalancer: undefined });
  const allowedCIDRs = ["192.0.2.0/24", "2001:db8::/32"];
  await world.patch("blue", { spec: { apiServerLoadBalancer: { ...world.zones(), allowedCIDRs } } });
  await world.clock.advance(300_000);
  const { items } = await world.kube.list<KubeObject & { readonly reason?: string; readonly series?: object }>(
    events,
    {},
  );
  const told = items.filter(({ reason }) => reason === "AllowedCidrIgnored");
  expect(told.map(({ series }) => series)).toEqual([undefined]);
});

test("an object whose rounds fail says so, with the reason, until one ends well", async () => {
  await build();
  await working?.manager.stop();
  const feature = openStackClusterFeature({ openStack: world.lab.fake, claims: "annotated" });
  const broken = { is: true };
  const failing = {
    ...feature,
    observe: (...args: Parameters<typeof feature.observe>) => {
      if (broken.is) throw new TypeError("mapping is undefined");
      return feature.observe(...args);
    },
  };
  working = world.manager({ features: [failing] });
  await world.clock.advance(60_000);
  const before = (await world.read("blue")).metadata.resourceVersion;
  expect(await statusLine()).toMatch(/ degraded .*the last attempt failed, .*mapping is undefined/);
  expect((await say("explain", blue)).out).toContain("UnexpectedError: ");
  expect((await say("doctor")).out).toMatch(/^FAIL {2}OpenStackCluster clusters\/blue: the last attempt failed/m);
  await world.clock.advance(600_000);
  expect((await world.read("blue")).metadata.resourceVersion).toBe(before);
  broken.is = false;
  await world.clock.advance(600_000);
  expect(await statusLine()).toMatch(/ healthy .*Everything is as it should be/);
});
