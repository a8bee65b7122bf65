// Credentials that come to lead to another project of the cloud: by mistake, or because a cluster was given up there. What an object has
// is found from its own project alone, so that nothing is made or deleted until somebody says which it is.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clusters } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { locationAnnotation } from "../../../src/jobs/api-endpoint/apis/annotations.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import {
  type OpenStackCluster,
  openStackClusters,
} from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import { addNetwork, addRouter, addSubnet } from "../../../src/sim/fakes/openstack/cloud-setup.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { countsByKind, floatingIps } from "../world/cloud-contents.ts";
import { mainstay } from "../world/endpoint-commands.ts";
import { cloudsYaml, EndpointWorld, namespace } from "../world/endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };
const ref = { name: "blue", namespace };
const zones = ["az1", "az2"];
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
});
afterEach(() => running.manager.stop());

const home = () => `${world.lab.projectId}/RegionOne`;
const away = () => `${world.lab.otherProjectId}/RegionOne`;

async function leadTo(which: "password" | "other" | "application-credential"): Promise<void> {
  const { clouds } = world.lab;
  if (which !== "application-credential")
    return await world.putCredentials(cloudsYaml({ ...world.lab, clouds: { ...clouds, password: clouds[which] } }));
  const { authUrl, auth } = clouds[which];
  if (auth.type !== which || !("id" in auth.credential)) throw new Error("an application credential is wanted");
  const lines = [`auth_url: ${authUrl}`, `application_credential_id: ${auth.credential.id}`];
  const secret = [...lines, `application_credential_secret: ${auth.secret}`].map((line) => `      ${line}`).join("\n");
  const type = "auth_type: v3applicationcredential";
  await world.putCredentials(`clouds:\n  lab:\n    ${type}\n    region_name: RegionOne\n    auth:\n${secret}\n`);
}

/** The other project gets networks of the same names. */
function furnishOther(): void {
  const { fake, otherProjectId: projectId, externalNetworkId } = world.lab;
  const { id: networkId } = addNetwork(fake.cloud, { name: "tenant", projectId });
  const subnetIds = [1, 2].map((n) => {
    const fields = { name: `tenant-${n}`, projectId, networkId, cidr: `10.7.${n}.0/24`, gatewayIp: `10.7.${n}.1` };
    return addSubnet(fake.cloud, { ...fields, zone: `az${n}` }).id;
  });
  addRouter(fake.cloud, { name: "r2", projectId, subnetIds, externalNetworkId });
}

/** By name: the same words lead to what the project has. */
const spec = () => ({
  network: { filter: { name: "tenant" } },
  controlPlaneEndpoint: endpoint,
  apiServerLoadBalancer: {
    enabled: true,
    network: { filter: { name: "tenant" } },
    availabilityZoneSubnets: zones.map((availabilityZone, i) => ({
      availabilityZone,
      subnet: { filter: { name: `tenant-${i + 1}` } },
    })),
  },
});

const read = async (kind: Kind): Promise<OpenStackCluster> => await world.kube.get<KubeObject>(kind, ref);
const readyOf = ({ status }: OpenStackCluster) => status?.conditions?.find(({ type }) => type === "Ready");
const ids = (projectId: string) =>
  world.lab.fake.cloud.tables.loadbalancers.all().flatMap((one) => (one.projectId === projectId ? [one.id] : []));
const everything = () => ({
  ...countsByKind(world),
  home: ids(world.lab.projectId),
  away: ids(world.lab.otherProjectId),
  addresses: floatingIps(world).map(({ id, portId }) => [id, portId]),
});
const annotate = (kind: Kind, value: string | null) =>
  world.kube.patch(kind, ref, { type: "merge", body: { metadata: { annotations: { [locationAnnotation]: value } } } });
const writes = () => [...world.lab.fake.counts().keys()].filter((call) => /create|update|delete|merge/.test(call));

describe.each([
  ["OpenStackCluster", openStackClusters],
  ["APIEndpoint", apiEndpoints],
] as const)("an %s", (door, kind) => {
  async function make(): Promise<void> {
    if (door === "OpenStackCluster") return await world.cluster("blue", { spec: spec() });
    await world.put(clusters, "blue", {});
    await world.kube.create(apiEndpoints, world.apiEndpoint("blue", spec()));
  }

  async function built(): Promise<void> {
    await make();
    await world.clock.advance(120_000);
    expect(readyOf(await read(kind))).toMatchObject({ status: "True" });
    expect(ids(world.lab.projectId)).toHaveLength(2);
  }

  test("knows where its things are, whatever the credentials are called and however they are written", async () => {
    await built();
    const { metadata, status } = await read(kind);
    expect([metadata.annotations?.[locationAnnotation], status?.project]).toEqual([home(), home()]);
    await leadTo("application-credential");
    world.lab.fake.resetCounts();
    await world.clock.advance(120_000);
    expect(readyOf(await read(kind))).toMatchObject({ status: "True" });
    expect(writes()).toEqual([]);
  });

  test("touches nothing while its credentials lead elsewhere, says so once, and goes on when they are corrected", async () => {
    await built();
    furnishOther();
    const [before, shown] = [everything(), (await read(kind)).status];
    await leadTo("other");
    world.lab.fake.resetCounts();
    await world.clock.advance(600_000);
    expect(everything()).toEqual(before);
    const strayed = await read(kind);
    const said = readyOf(strayed);
    expect(said).toMatchObject({ status: "False", reason: "ProjectChanged" });
    expect(said?.message).toContain(`${door} ${namespace}/blue: what it has is in project ${world.lab.projectId} in`);
    expect(said?.message).toContain(`lead to project ${world.lab.otherProjectId} in region RegionOne`);
    expect((await world.notes()).filter((note) => note.includes("its credentials lead to"))).toHaveLength(1);
    const entries = (status: OpenStackCluster["status"]) =>
      status?.apiServerLoadBalancers?.map(({ id, ip, internalIP }) => [id, ip, internalIP]);
    expect(entries(strayed.status)).toEqual(entries(shown));
    // Neither Octavia nor Neutron was asked for anything at all.
    expect([...world.lab.fake.counts().keys()].filter((call) => !call.startsWith("keystone"))).toEqual([]);
    await leadTo("password");
    await world.clock.advance(120_000);
    expect(readyOf(await read(kind))).toMatchObject({ status: "True" });
    expect(everything()).toEqual(before);
  });

  test("keeps its finalizer when it is deleted meanwhile, and leaves nothing behind once they are corrected", async () => {
    await built();
    const before = everything();
    await leadTo("other");
    await world.kube.delete<KubeObject>(kind, ref);
    await world.clock.advance(600_000);
    expect(everything()).toEqual(before);
    const held = await read(kind);
    expect(held.metadata.finalizers).toHaveLength(1);
    expect(readyOf(held)).toMatchObject({ reason: "ProjectChanged" });
    await leadTo("password");
    await world.clock.advance(300_000);
    await expect(read(kind)).rejects.toMatchObject({ code: "NotFound" });
    expect(Object.values(countsByKind(world)).every((count) => count === 0)).toBe(true);
  });

  test("is built anew in the other project by consent alone, with nothing of what it remembered", async () => {
    await built();
    furnishOther();
    const old = ids(world.lab.projectId);
    await leadTo("other");
    await world.clock.advance(60_000);
    await annotate(kind, null);
    await world.clock.advance(240_000);
    const moved = await read(kind);
    expect([moved.metadata.annotations?.[locationAnnotation], moved.status?.project]).toEqual([away(), away()]);
    expect(ids(world.lab.projectId)).toEqual(old);
    expect(ids(world.lab.otherProjectId)).toHaveLength(2);
    expect(readyOf(moved)).toMatchObject({ status: "True" });
    for (const { internalIP = "" } of moved.status?.apiServerLoadBalancers ?? [])
      expect(internalIP).toMatch(/^10\.7\.[12]\./);
    await world.kube.delete<KubeObject>(kind, ref);
    await world.clock.advance(300_000);
    await expect(read(kind)).rejects.toMatchObject({ code: "NotFound" });
    expect([ids(world.lab.projectId), ids(world.lab.otherProjectId)]).toEqual([old, []]);
  });

  test("that is deleted and whose old project is gone goes by the same consent", async () => {
    await built();
    await leadTo("other");
    await world.kube.delete<KubeObject>(kind, ref);
    await world.clock.advance(60_000);
    await annotate(kind, null);
    await world.clock.advance(120_000);
    await expect(read(kind)).rejects.toMatchObject({ code: "NotFound" });
  });

  test.each(["", "somewhere"])("takes the annotation %j for no consent, and says what to write", async (value) => {
    await built();
    const before = everything();
    await annotate(kind, value);
    await world.clock.advance(60_000);
    const said = readyOf(await read(kind));
    expect(said).toMatchObject({ status: "False", reason: "ProjectChanged" });
    expect(said?.message).toContain(`is ${JSON.stringify(value)}, which names no project`);
    expect(said?.message).toContain(home());
    await annotate(kind, null);
    await world.clock.advance(60_000);
    expect(readyOf(await read(kind))).toMatchObject({ status: "True" });
    expect(everything()).toEqual(before);
    expect((await read(kind)).metadata.annotations?.[locationAnnotation]).toBe(home());
  });

  test("whose credentials were wrong from the beginning follows the right ones without a word", async () => {
    await leadTo("other");
    await make();
    await world.clock.advance(60_000);
    expect(readyOf(await read(kind))?.status).not.toBe("True");
    expect((await read(kind)).metadata.annotations?.[locationAnnotation]).toBeUndefined();
    await leadTo("password");
    await world.clock.advance(180_000);
    expect(readyOf(await read(kind))).toMatchObject({ status: "True" });
    expect((await read(kind)).metadata.annotations?.[locationAnnotation]).toBe(home());
  });

  test("shows it in plan, explain and the commands that read its cloud", async () => {
    await built();
    await leadTo("other");
    await world.clock.advance(60_000);
    const name = `${door.toLowerCase()}/${namespace}/blue`;
    for (const command of [
      ["plan", name],
      ["explain", name],
      ["migrate", "api-endpoint", "--check", `${namespace}/blue`],
    ]) {
      const { out } = await mainstay(world, command);
      expect(out).toContain("its credentials lead to project");
    }
    const { out, err } = await mainstay(world, ["dns", "records", `${namespace}/blue`]);
    expect(out).toBe("");
    expect(err).toContain("its credentials lead to project");
  });
});

test("published DNS records stay as they are meanwhile", async () => {
  await world.kube.create(customResourceDefinitions, openCrd(dnsEndpoints));
  await world.clock.advance(100);
  await world.cluster("blue", { spec: spec(), annotations: { "mainstay.dev/publish-dns": "true" } });
  await world.machine("blue", "az1");
  await world.machine("blue", "az2");
  await world.clock.advance(240_000);
  const before = (await world.kube.get(dnsEndpoints, ref)).spec;
  expect(before?.endpoints?.[0]?.targets).toHaveLength(2);
  await leadTo("other");
  await world.clock.advance(600_000);
  expect((await world.kube.get(dnsEndpoints, ref)).spec).toEqual(before);
  await leadTo("password");
  await world.clock.advance(120_000);
  expect((await world.kube.get(dnsEndpoints, ref)).spec).toEqual(before);
});

test("a manager that dies between writing it down and the first balancer: the next one builds there, and nowhere else", async () => {
  furnishOther();
  await world.cluster("blue", { spec: spec() });
  const stop = world.lab.fake.addCallPlan(({ operation }) =>
    operation === "create load balancer" ? { turnAway: { status: 503 } } : undefined,
  );
  await world.clock.advance(30_000);
  await running.manager.stop();
  stop();
  expect((await world.read("blue")).metadata.annotations?.[locationAnnotation]).toBe(home());
  expect(countsByKind(world)["loadbalancers"]).toBe(0);
  await leadTo("other");
  running = world.work();
  await world.clock.advance(120_000);
  expect(countsByKind(world)["loadbalancers"]).toBe(0);
  await leadTo("password");
  await world.clock.advance(120_000);
  expect([ids(world.lab.projectId).length, ids(world.lab.otherProjectId).length]).toEqual([2, 0]);
});

test("an object that was built before anybody wrote it down gets it in the first round, at no cost to Octavia", async () => {
  await world.cluster("blue", { spec: spec() });
  await world.clock.advance(240_000);
  world.lab.fake.resetCounts();
  await world.clock.advance(60_000);
  const usual = world.lab.fake.counts().get("octavia list load balancers");
  await annotate(openStackClusters, null);
  world.lab.fake.resetCounts();
  await world.clock.advance(60_000);
  expect((await world.read("blue")).metadata.annotations?.[locationAnnotation]).toBe(home());
  const octavia = [...world.lab.fake.counts()].filter(([call]) => call.startsWith("octavia"));
  // The look that the change of the annotation asks for, and no other.
  expect(octavia).toEqual([["octavia list load balancers", (usual ?? 0) + 1]]);
});
