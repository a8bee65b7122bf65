// mainstay migrate api-endpoint --check, on clusters that CAPO built.

import { beforeEach, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { clusters } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import { type ApiEndpoint, apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import type { MigrationCheck } from "../../../src/jobs/api-endpoint/core/migration/migration-check.ts";
import { type CapoBalancer, type CapoOptions, capoBalancer } from "../world/capo-balancer.ts";
import { mainstay } from "../world/endpoint-commands.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const host = "api.blue.example.com";
const endpoint = { host, port: 6443 };
let world: EndpointWorld;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
});

const identityRef = { name: "cloud", cloudName: "lab" };

/** A cluster with one balancer, as CAPO left it: its id in status, its endpoint a DNS name unless said otherwise. */
async function legacy(options: CapoOptions & { readonly endpoint?: object; readonly unrecorded?: boolean } = {}) {
  await world.cluster("blue", {
    spec: { controlPlaneEndpoint: options.endpoint ?? endpoint, apiServerLoadBalancer: { enabled: true } },
  });
  const members: Record<string, string> = {};
  for (const zone of ["az1", "az2", "az3"]) members[`blue-${zone}`] = await world.machine("blue", zone);
  const balancer = await capoBalancer(world, "blue", { members, ...options });
  if (options.unrecorded !== true) await record(balancer);
  return balancer;
}

async function record({ id, vipAddress, floatingAddress }: CapoBalancer): Promise<void> {
  const name = `k8s-clusterapi-cluster-${namespace}-blue-kubeapi`;
  const status = { apiServerLoadBalancer: { name, id, ip: floatingAddress, internalIP: vipAddress } };
  const ref = { name: "blue", namespace };
  await world.kube.patch(openStackClusters, ref, { type: "merge", body: { status } }, { subresource: "status" });
}

function proposal(
  change: { readonly zones?: readonly string[]; readonly spec?: object; readonly metadata?: object } = {},
): string {
  return stringify({
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "OpenStackCluster",
    metadata: { name: "blue", namespace, ...change.metadata },
    spec: {
      identityRef,
      network: { id: world.lab.networkId },
      controlPlaneEndpoint: endpoint,
      apiServerLoadBalancer: world.zones(change.zones),
      ...change.spec,
    },
  });
}

function apiEndpoint(spec: object = {}): string {
  return stringify(world.apiEndpoint("blue", { controlPlaneEndpoint: endpoint, ...spec }));
}

const check = (...more: readonly string[]) => ["migrate", "api-endpoint", "--check", `${namespace}/blue`, ...more];

async function ask(file: string) {
  const { code, out, err } = await mainstay(world, check("-f", "/blue.yaml", "-o", "json"), { "/blue.yaml": file });
  return { code, err, answer: JSON.parse(out) as MigrationCheck };
}

const against = ({ findings }: MigrationCheck) =>
  findings.filter(({ result }) => result === "no").map(({ says }) => says);
const about = ({ findings }: MigrationCheck, what: string) =>
  findings.filter(({ check: name }) => name === what).map(({ says }) => says);

describe("a cluster whose endpoint is a DNS name", () => {
  test("can move: the legacy balancer goes to the zone that its VIP lies in, the others are made", async () => {
    const { id, vipAddress, floatingAddress } = await legacy({ subnet: 1 });
    const before = await world.balancers();
    const { code, out } = await mainstay(world, check("-f", "/blue.yaml"), { "/blue.yaml": proposal() });
    expect(out).toContain("clusters/blue can move to one API balancer per zone through its OpenStackCluster.");
    expect(code).toBe(0);
    expect(out).toContain(
      `${id}, VIP ${vipAddress}) is adopted: name and description are this cluster's, and the object's status holds its id; it becomes the balancer of zone az2`,
    );
    expect(out).toContain("ok    zone az1: a new balancer in subnet tenant-1 (10.0.1.0/24)");
    expect(out).toContain(
      "From the project's quota: 2 load balancers, 2 listeners, 2 pools, 2 health monitors, 2 members, 2 floating IPs.",
    );
    expect(out).toContain(`then, for az2: ${floatingAddress}`);
    expect(out).toMatch(
      /Mainstay \(az2\): renames k8s-clusterapi-cluster-clusters-blue-kubeapi to k8s-clusterapi-cluster-clusters-blue-az2-kubeapi/,
    );
    expect(out).toContain("Configuration: the defaults");
    expect(await world.balancers()).toEqual(before);
  });

  test("what is said is what happens", async () => {
    const { id, floatingAddress } = await legacy({ subnet: 1 });
    const { answer } = await ask(proposal());
    const { manager } = world.work();
    await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones() } });
    await world.clock.advance(180_000);
    const balancers = await world.balancers();
    expect(balancers.map(({ name }) => name)).toEqual(
      ["az1", "az2", "az3"].map((zone) => `k8s-clusterapi-cluster-clusters-blue-${zone}-kubeapi`),
    );
    expect(balancers[1]?.id).toBe(id);
    const { status } = await world.read("blue");
    const promised = answer.records?.after.find(({ zone }) => zone === "az2")?.address;
    expect([promised, status?.apiServerLoadBalancers?.[1]?.ip]).toEqual([floatingAddress, floatingAddress]);
    // And afterwards there is nothing left to do.
    const again = await ask(proposal());
    expect([again.code, again.answer.needs?.loadBalancers, again.answer.needs?.floatingIps]).toEqual([0, 0, 0]);
    const publishes = ({ does }: { readonly does: string }) => does.startsWith("publish the address of each zone");
    expect([answer.steps.some(publishes), again.answer.steps.some(publishes)]).toEqual([true, false]);
    await manager.stop();
  });

  test("is warned of a field under the name of the other version, in whichever version the file is", async () => {
    await legacy({ subnet: 1 });
    const newer = parse(proposal()) as Record<string, unknown>;
    const { answer } = await ask(stringify({ ...newer, apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2" }));
    expect(answer.answer).toBe("cannot");
    expect(about(answer, "spec")).toEqual([
      "spec.apiServerLoadBalancer: it is the name of v1beta1, and has no effect in v1beta2, the version that it was written in",
    ]);
    const older = await ask(proposal({ spec: { apiServer: { port: 6443 } } }));
    expect(about(older.answer, "spec").join()).toContain("spec.apiServer.port: it is the name of v1beta2");
  });

  test("keeps a legacy balancer in no zone's subnet as a fall-back, and says how it goes", async () => {
    const { floatingAddress } = await legacy({ subnet: 2 });
    const { code, answer } = await ask(proposal({ zones: ["az1", "az2"] }));
    expect(code).toBe(0);
    expect(about(answer, "legacy balancer").join()).toContain("stays as a fall-back with all machines");
    const does = answer.steps.map(({ does: words }) => words).join("\n");
    expect(does).toMatch(
      new RegExp(`take ${floatingAddress} out of the records[^]*mainstay.dev/remove-legacy=true[^]*deletes`),
    );
    expect(about(answer, "machines").join()).toContain("blue-az3: zone az3 has no mapping");
  });

  test("a balancer that nothing but its name speaks for is left alone, until the user says it is theirs", async () => {
    await legacy({ unrecorded: true });
    const { answer } = await ask(proposal());
    const [left] = answer.findings.filter(({ check: name }) => name === "legacy balancer");
    expect(left).toMatchObject({
      result: "note",
      says: expect.stringContaining("is not adopted"),
      fix: expect.stringContaining("mainstay.dev/adopt-legacy=true"),
    });
    const { answer: allowed } = await ask(
      proposal({ metadata: { annotations: { "mainstay.dev/adopt-legacy": "true" } } }),
    );
    expect(about(allowed, "legacy balancer").join()).toContain("it becomes the balancer of zone az1");
  });

  test("a balancer of somebody else, and a floating IP of somebody else, stay theirs", async () => {
    await legacy({ description: "mine", floatingDescription: "mine" });
    const { answer } = await ask(proposal());
    expect(about(answer, "legacy balancer").join()).toContain(
      'its description is "mine", which is not this cluster\'s',
    );
  });

  test("a floating IP that the user made goes along and is never deleted", async () => {
    const { floatingAddress } = await legacy({ floatingDescription: "mine" });
    const { answer } = await ask(proposal());
    expect(about(answer, "floating IPs").join()).toContain(
      `${floatingAddress}, on the legacy balancer: somebody else made it, so it stays on the balancer and is never deleted`,
    );
  });

  test("a floating IP that CAPO made goes along, and with the balancer when that is deleted", async () => {
    const { floatingAddress } = await legacy();
    const { answer } = await ask(proposal());
    expect(about(answer, "floating IPs").join()).toContain(
      `${floatingAddress}, on the legacy balancer: CAPO or Mainstay made it, so it stays on the balancer and goes with it when it is deleted`,
    );
  });

  test("is asked about in v1beta2 as well", async () => {
    await legacy();
    const newer = stringify({
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2",
      kind: "OpenStackCluster",
      metadata: { name: "blue", namespace },
      spec: {
        identityRef,
        network: { id: world.lab.networkId },
        controlPlaneEndpoint: endpoint,
        apiServer: { managedLoadBalancer: world.zones(["az1", "az2"]) },
      },
    });
    const { code, answer } = await ask(newer);
    expect([code, about(answer, "proposal")]).toEqual([0, ["one balancer for each of az1, az2"]]);
  });

  test("is warned of zone names that Octavia does not know, and of quota for every port", async () => {
    await legacy();
    const block = { ...world.zones(), additionalPorts: [8132] };
    const subnets = block.availabilityZoneSubnets ?? [];
    const renamed = {
      ...block,
      availabilityZoneSubnets: subnets.map((one) => ({ ...one, availabilityZone: `${one.availabilityZone}-x` })),
    };
    const { code, answer } = await ask(
      proposal({ spec: { apiServerLoadBalancer: { ...renamed, allowCrossAZLoadBalancerMembers: true } } }),
    );
    expect(code).toBe(0);
    expect(about(answer, "hints").join()).toContain("zone az2-x: Octavia has no such availability zone");
    // The legacy balancer lacks the new port; the two others are made whole.
    expect(answer.needs).toEqual({
      loadBalancers: 2,
      listeners: 5,
      pools: 5,
      healthMonitors: 5,
      members: 12,
      floatingIps: 2,
    });
  });
});

describe("a cluster cannot move", () => {
  test("when its endpoint is an address", async () => {
    await legacy({ endpoint: { host: "203.0.113.10", port: 6443 } });
    const { code, answer } = await ask(
      proposal({ spec: { controlPlaneEndpoint: { host: "203.0.113.10", port: 6443 } } }),
    );
    expect([code, answer.steps]).toEqual([1, []]);
    expect(against(answer).join()).toContain("203.0.113.10 is no DNS name");
  });

  test("through an OpenStackCluster that holds an address, although the Cluster has a DNS name; an APIEndpoint can", async () => {
    await legacy({ endpoint: { host: "203.0.113.10", port: 6443 } });
    await world.kube.patch(
      clusters,
      { name: "blue", namespace },
      { type: "merge", body: { spec: { controlPlaneEndpoint: endpoint } } },
    );
    await world.kube.patch(
      openStackClusters,
      { name: "blue", namespace },
      { type: "merge", body: { metadata: { annotations: { "cluster.x-k8s.io/managed-by": null } } } },
    );
    const { code, answer } = await ask(
      proposal({ spec: { controlPlaneEndpoint: { host: "203.0.113.10", port: 6443 } } }),
    );
    expect([code, against(answer).join()]).toEqual([
      1,
      expect.stringContaining("the OpenStackCluster holds 203.0.113.10, which cannot change"),
    ]);
    const changed = await ask(proposal());
    expect([changed.code, against(changed.answer).join()]).toEqual([
      1,
      expect.stringContaining('it cannot change from "203.0.113.10"'),
    ]);
    const beside = await ask(apiEndpoint());
    expect([beside.code, against(beside.answer)]).toEqual([0, []]);
    expect(about(beside.answer, "legacy balancer").join()).toContain("stays CAPO's");
    expect(beside.answer.needs?.loadBalancers).toBe(3);
  });

  test("into subnets that are not there, in another network, or one for two zones: all is said at once", async () => {
    await legacy();
    const { networkId, subnetIds, isolated } = world.lab;
    const map = (zone: string, id: string) => ({ availabilityZone: zone, subnet: { id } });
    const missing = "00000000-0000-4000-8000-000000000000";
    const availabilityZoneSubnets = [map("az1", missing), map("az2", isolated.subnetId), map("az3", subnetIds[2])];
    const { code, answer } = await ask(
      proposal({ spec: { apiServerLoadBalancer: { network: { id: networkId }, availabilityZoneSubnets } } }),
    );
    expect(code).toBe(1);
    expect(against(answer)).toEqual([
      expect.stringContaining(`subnet ${missing}`),
      expect.stringContaining(`subnet ${isolated.subnetId} is in network`),
    ]);
    const twice = [map("az1", subnetIds[0]), map("az2", subnetIds[0])];
    const { answer: double } = await ask(
      proposal({ spec: { apiServerLoadBalancer: { network: { id: networkId }, availabilityZoneSubnets: twice } } }),
    );
    expect(against(double).join()).toMatch(/subnet/);
  });

  test("when no machine is in a mapped zone", async () => {
    await legacy();
    const id = world.lab.subnetIds[0];
    const block = {
      network: { id: world.lab.networkId },
      availabilityZoneSubnets: [{ availabilityZone: "elsewhere", subnet: { id } }],
    };
    const { code, answer } = await ask(proposal({ spec: { apiServerLoadBalancer: block } }));
    expect([code, against(answer).join()]).toEqual([1, expect.stringContaining("none is in a mapped zone")]);
  });

  test("when nothing is proposed, or CAPO makes its network", async () => {
    await legacy();
    const bare = await mainstay(world, check());
    expect([bare.code, bare.out]).toEqual([
      1,
      expect.stringContaining("NO    proposal: the OpenStackCluster asks for no zones"),
    ]);
    await world.patch("blue", { spec: { managedSubnets: [{ cidr: "10.9.0.0/24" }] } });
    const managed = await ask(proposal());
    expect([managed.code, against(managed.answer).join()]).toEqual([
      1,
      expect.stringContaining("managedSubnets: CAPO makes this cluster's network"),
    ]);
  });
});

describe("where CAPO brought the definition of OpenStackCluster", () => {
  beforeEach(async () => {
    const mark = { metadata: { labels: { "app.kubernetes.io/managed-by": null } } };
    const name = "openstackclusters.infrastructure.cluster.x-k8s.io";
    await world.kube.patch(customResourceDefinitions, { name }, { type: "merge", body: mark });
  });

  test("its own object cannot carry zones, and an APIEndpoint can", async () => {
    await legacy();
    await world.kube.patch(
      openStackClusters,
      { name: "blue", namespace },
      { type: "merge", body: { metadata: { annotations: { "cluster.x-k8s.io/managed-by": null } } } },
    );
    const { code, answer } = await ask(proposal());
    expect([code, against(answer).join()]).toEqual([
      1,
      expect.stringContaining("the definition of OpenStackCluster is CAPO's"),
    ]);
    const beside = await mainstay(world, check("-f", "-"), {}, apiEndpoint());
    expect([beside.code, beside.out]).toEqual([
      0,
      expect.stringContaining("leave CAPO and its OpenStackCluster as they are"),
    ]);
  });
});

test("an APIEndpoint that the cluster does not know yet cannot be applied", async () => {
  await legacy();
  await world.kube.delete(customResourceDefinitions, { name: "apiendpoints.mainstay.dev" });
  await world.clock.advance(1_000);
  const { code, answer } = await ask(apiEndpoint());
  expect([code, against(answer).join()]).toEqual([1, expect.stringContaining("does not know APIEndpoints")]);
});

describe("what cannot be used or seen", () => {
  test("is invalid input, in one sentence", async () => {
    await legacy();
    const run = async (args: readonly string[], files: Readonly<Record<string, string>> = {}) => {
      const { code, err } = await mainstay(world, args, files);
      return [code, err];
    };
    expect(await run(["migrate", "api-endpoint", "clusters/blue"])).toEqual([
      2,
      expect.stringContaining("error: --check: it is not given"),
    ]);
    expect(await run(["migrate", "api-endpoint", "--check", "red"])).toEqual([
      5,
      expect.stringContaining("there is no Cluster default/red"),
    ]);
    expect(await run(["migrate", "api-endpoint", "--check", "a/b/c"])).toEqual([
      2,
      expect.stringContaining('"a/b/c" does not name a cluster'),
    ]);
    expect(await run(check("-n", "other"))).toEqual([2, expect.stringContaining("Name one namespace.")]);
    expect(await run(check("-f", "/nowhere.yaml"))).toEqual([2, expect.stringContaining("/nowhere.yaml")]);
    const files = {
      "/a.yaml": "kind: Pod",
      "/d.yaml":
        "apiVersion: infrastructure.cluster.x-k8s.io/v1beta2\nkind: OpenStackCluster\nmetadata: {name: blue}\nspec: {apiServer: 5}",
      "/e.yaml": "a: [",
      "/b.yaml": proposal({ metadata: { name: "red" } }),
      "/c.yaml": apiEndpoint({ clusterRef: { name: "red" } }),
    };
    expect(await run(check("-f", "/a.yaml"), files)).toEqual([
      2,
      expect.stringContaining("Give an OpenStackCluster or an APIEndpoint"),
    ]);
    expect(await run(check("-f", "/d.yaml"), files)).toEqual([2, expect.stringContaining("spec.apiServer")]);
    expect(await run(check("-f", "/e.yaml"), files)).toEqual([2, expect.stringContaining("/e.yaml")]);
    expect(await run(check("-f", "/b.yaml"), files)).toEqual([
      2,
      expect.stringContaining('"red" is not the cluster\'s infrastructure'),
    ]);
    expect(await run(check("-f", "/c.yaml"), files)).toEqual([
      2,
      expect.stringContaining('"red" is not the cluster blue'),
    ]);
  });

  test("leaves the answer open, and ends with 3", async () => {
    await legacy();
    await world.putCredentials("clouds: {}");
    const { code, answer } = await ask(proposal());
    expect([code, answer.answer, answer.steps]).toEqual([3, "unknown", []]);
    expect(about(answer, "cloud").join()).toContain("Secret clusters/cloud");
  });
});

test("an APIEndpoint that is there is asked about without a file, and beside a claimed OpenStackCluster it is one too many", async () => {
  await legacy();
  await world.kube.create(apiEndpoints, parse(apiEndpoint()) as ApiEndpoint);
  const { code, out } = await mainstay(world, check());
  expect(out).toContain(
    "clusters/blue cannot move to one API balancer per zone through its APIEndpoint: 1 problem must be fixed first.",
  );
  expect([code, out]).toEqual([
    1,
    expect.stringContaining("NO    two doors: the OpenStackCluster is Mainstay's and asks for balancers, too"),
  ]);
});
