// What many clusters cost while nothing happens: calls grow with projects, not with clusters. And that what somebody does by hand is seen
// as soon as the documentation says (docs/concepts/api-endpoint.md, Health and DNS).

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { secrets } from "../../../src/apis/kube/builtin-kinds.ts";
import { OpenStackError } from "../../../src/core/openstack/openstack-error.ts";
import {
  type OpenStackCluster,
  openStackClusters,
} from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { openStackClusterFeature } from "../../../src/jobs/api-endpoint/controller/front-doors.ts";
import type { Octavia } from "../../../src/ports/octavia.ts";
import type { OpenStack } from "../../../src/ports/openstack.ts";
import { addNetwork, addRouter, addSubnet } from "../../../src/sim/fakes/openstack/cloud-setup.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, floatingIps, listenersOf, membersOf } from "../world/cloud-contents.ts";
import { cloudsYaml, EndpointWorld, namespace } from "../world/endpoint-world.ts";

const observeAgainMs = 30_000;
const floatingIpsEveryMs = 120_000;
const hourMs = 3_600_000;
/** Of a round with its calls. */
const roundMs = 2_000;
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  for (const projectId of [world.lab.projectId, world.lab.otherProjectId])
    for (const kind of ["load_balancer", "listener", "pool", "health_monitor", "member"] as const)
      world.lab.fake.faults.setQuota(projectId, kind, 10_000);
  running = world.work();
});
afterEach(() => running.manager.stop());

interface Place {
  readonly networkId: string;
  readonly subnetId: string;
  /** With the credentials. */
  readonly secret: string;
}

const home = (): Place => ({ networkId: world.lab.networkId, subnetId: world.lab.subnetIds[0], secret: "cloud" });

/** The other project, at the same addresses of the same cloud. */
async function away(): Promise<Place> {
  const { fake, otherProjectId: projectId, externalNetworkId, clouds } = world.lab;
  const { id: networkId } = addNetwork(fake.cloud, { name: "other", projectId });
  const { id: subnetId } = addSubnet(fake.cloud, { name: "o", projectId, networkId, cidr: "10.7.0.0/16", zone: "az1" });
  addRouter(fake.cloud, { name: "r2", projectId, subnetIds: [subnetId], externalNetworkId });
  await putSecret("other", cloudsYaml({ ...world.lab, clouds: { ...clouds, password: clouds.other } }));
  return { networkId, subnetId, secret: "other" };
}

async function putSecret(name: string, text: string): Promise<void> {
  const data = { "clouds.yaml": Buffer.from(text).toString("base64") };
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, data };
  await world.kube.apply(secrets, secret, { fieldManager: "test", force: true });
}

/** With one zone and one machine, seconds apart from the next. */
async function addCluster(name: string, { networkId, subnetId, secret }: Place, hasFloatingIp = true): Promise<void> {
  await world.cluster(name, {
    spec: {
      identityRef: { name: secret, cloudName: "lab" },
      network: { id: networkId },
      controlPlaneEndpoint: { host: `api.${name}.example.com`, port: 6443 },
      apiServerLoadBalancer: {
        enabled: true,
        network: { id: networkId },
        availabilityZoneSubnets: [{ availabilityZone: "az1", subnet: { id: subnetId } }],
      },
      disableAPIServerFloatingIP: !hasFloatingIp,
    },
  });
  await world.machine(name, "az1");
  await world.clock.advance(700);
}

async function addClusters(count: number, place: Place, hasFloatingIps = true): Promise<void> {
  const prefix = place.secret;
  for (let index = 0; index < count; index += 1) await addCluster(`${prefix}-c${index}x`, place, hasFloatingIps);
}

const rest = () => world.clock.advance(10 * observeAgainMs);

function callsTo(service: string): number {
  return [...world.lab.fake.counts()].reduce((sum, [call, count]) => (call.startsWith(service) ? sum + count : sum), 0);
}

/** Calls in that time, at rest. */
async function callsWithin(ms: number) {
  world.lab.fake.resetCounts();
  await world.clock.advance(ms);
  return { octavia: callsTo("octavia"), neutron: callsTo("neutron") };
}

/** Once it is over, nothing else is counted. */
async function byHand(change: Promise<unknown>): Promise<void> {
  await world.clock.advance(1_000);
  await change;
  world.lab.fake.resetCounts();
}

test("a cluster whose deletion waits for its machines costs at most twice what one at rest does, and goes as soon as they are gone", async () => {
  await addCluster("home", home());
  await rest();
  const resting = await callsWithin(hourMs);
  await world.remove("home");
  await rest();
  const waiting = await callsWithin(hourMs);
  // Names that no tag shows are listed, too: nobody looks again once the object is gone.
  expect(waiting.octavia).toBeLessThanOrEqual(2 * resting.octavia);
  expect(waiting.neutron).toBeLessThanOrEqual(2 * resting.neutron);
  await world.removeMachine("home-az1");
  await world.clock.advance(60_000);
  expect(world.lab.fake.cloud.tables.loadbalancers.all()).toEqual([]);
});

const asked = (operation: string) => world.lab.fake.counts().get(operation) ?? 0;

type List = Octavia["listLoadBalancers"];

/** The cloud, with another way to list balancers. */
function listing(change: (list: List) => List): OpenStack {
  const { fake } = world.lab;
  return {
    project: (config) => {
      const project = fake.project(config);
      const listLoadBalancers = change((query, options) => project.octavia.listLoadBalancers(query, options));
      return { ...project, octavia: { ...project.octavia, listLoadBalancers } };
    },
  };
}

async function restartWith(openStack: OpenStack): Promise<void> {
  await running.manager.stop();
  running = world.manager({ features: [openStackClusterFeature({ openStack, claims: "annotated" })] });
}

/** Of each cluster its version and whether it is ready. */
async function shown() {
  const { items } = await world.kube.list<OpenStackCluster>(openStackClusters, { namespace });
  return items.map(
    ({ metadata, status }) =>
      [metadata.resourceVersion, status?.conditions?.find(({ type }) => type === "Ready")] as const,
  );
}

describe("clusters at rest", () => {
  test.each([
    [1, 1],
    [10, 1],
    // 50 share a list.
    [51, 2],
  ])("%i of one project cost %i lists of balancers each time they are observed", async (clusters, lists) => {
    await addClusters(clusters, home(), false);
    await rest();
    expect(await callsWithin(8 * observeAgainMs)).toEqual({ octavia: 8 * lists, neutron: 0 });
  });

  test("of two projects cost a list for each, and no cluster sees what is in the other", async () => {
    await addClusters(6, home(), false);
    await addClusters(6, await away(), false);
    await rest();
    expect(await callsWithin(8 * observeAgainMs)).toEqual({ octavia: 16, neutron: 0 });
    const balancers = world.lab.fake.cloud.tables.loadbalancers.all();
    const { projectId, otherProjectId } = world.lab;
    for (const project of [projectId, otherProjectId])
      expect(balancers.filter((one) => one.projectId === project)).toHaveLength(6);
  });

  test("with floating IPs ask Neutron together, every two minutes, and not at all in between", async () => {
    await addClusters(4, home());
    await rest();
    world.lab.fake.resetCounts();
    await world.clock.advance(30 * floatingIpsEveryMs);
    // What bears our mark, or is written down, is asked for anew by each cluster with four lists, as everything below its balancers is in
    // that hour: in one observation, and in the next with its pools.
    const lists = asked("neutron list floating ips");
    expect(lists).toBeGreaterThanOrEqual(30);
    expect(lists).toBeLessThanOrEqual(30 + 4 * 2 * 4 + 4);
    const looks: number[] = [];
    for (let look = 0; look < 12; look += 1) looks.push((await callsWithin(observeAgainMs)).neutron);
    expect(looks.filter((calls) => calls === 0).length).toBeGreaterThanOrEqual(6);
  });

  test("ask once an hour what their networks are, each by itself", async () => {
    await addClusters(3, home(), false);
    await rest();
    // With what bears our mark, and all that a full observation needs.
    expect((await callsWithin(hourMs)).neutron).toBeLessThanOrEqual(3 * 15);
    expect(asked("neutron list routers")).toBe(3);
  });

  test("with copies of one clouds.yaml in Secrets of their own share a list; with other credentials they do not", async () => {
    await putSecret("copy", cloudsYaml(world.lab));
    await addCluster("blue", home(), false);
    await addCluster("green", { ...home(), secret: "copy" }, false);
    await rest();
    expect((await callsWithin(4 * observeAgainMs)).octavia).toBe(4);
    const { "application-credential": credential } = world.lab.clouds;
    if (credential.auth.type !== "application-credential" || !("id" in credential.auth.credential))
      throw new Error("an application credential is wanted");
    const auth = `auth: {auth_url: "${credential.authUrl}", application_credential_id: ${credential.auth.credential.id}, application_credential_secret: ${credential.auth.secret}}`;
    await putSecret("copy", `clouds: {lab: {auth_type: v3applicationcredential, region_name: RegionOne, ${auth}}}`);
    await rest();
    expect((await callsWithin(4 * observeAgainMs)).octavia).toBe(8);
  });

  test("of which one is degraded cost calls for that one alone", async () => {
    await addClusters(5, home(), false);
    await rest();
    const [member] = world.lab.fake.cloud.tables.members.all();
    world.lab.fake.faults.setMemberDown(member?.address ?? "", true);
    await rest();
    world.lab.fake.resetCounts();
    await world.clock.advance(4 * observeAgainMs);
    const counts = world.lab.fake.counts();
    expect(counts.get("octavia list load balancers")).toBe(4 * 2);
    expect(counts.get("octavia get status tree")).toBe(4);
  });

  test("of which one has a dead member ask Neutron together as before, and cost little more", async () => {
    await addClusters(3, home());
    await rest();
    const quiet = await callsWithin(hourMs);
    const [member] = world.lab.fake.cloud.tables.members.all();
    world.lab.fake.faults.setMemberDown(member?.address ?? "", true);
    await rest();
    const { octavia, neutron } = await callsWithin(hourMs);
    expect(neutron).toBeLessThanOrEqual(quiet.neutron);
    // Its own list and its tree, each time it is observed.
    expect(octavia).toBeLessThanOrEqual(quiet.octavia + 2 * (hourMs / observeAgainMs));
  });

  test("with three zones and a dead member cost one status tree more each time, and nothing else", async () => {
    const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
    await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones() } });
    for (const zone of ["az1", "az2", "az3"]) await world.machine("blue", zone);
    await rest();
    const quiet = await callsWithin(hourMs);
    world.lab.fake.faults.setMemberDown(membersOf(world, "az2")[0] ?? "", true);
    await rest();
    const { octavia, neutron } = await callsWithin(hourMs);
    expect(neutron).toBeLessThanOrEqual(quiet.neutron + 4);
    expect(octavia).toBeLessThanOrEqual(quiet.octavia + hourMs / observeAgainMs + 4);
  });

  test("one that is deleted is not asked about any more, and the others go on", async () => {
    await addClusters(3, home(), false);
    await rest();
    await world.removeMachine("cloud-c1x-az1");
    await world.remove("cloud-c1x");
    await rest();
    expect(world.lab.fake.cloud.tables.loadbalancers.all()).toHaveLength(2);
    expect((await callsWithin(4 * observeAgainMs)).octavia).toBe(4);
  });

  test("are asked about one by one while the list for all is refused, and are none the worse for it", async () => {
    const refused = { code: "BadRequest", service: "octavia", operation: "list load balancers", message: "?" } as const;
    await restartWith(
      listing((list) => async (query, options) => {
        if (query.tagsAny !== undefined) throw new OpenStackError(refused);
        return await list(query, options);
      }),
    );
    await addClusters(3, home(), false);
    await rest();
    const before = await shown();
    await rest();
    expect(await shown()).toEqual(before);
    for (const [, ready] of before) expect(ready).toMatchObject({ status: "True" });
    await byHand(world.cloud.octavia.updateLoadBalancer(balancerNamed(world, "c1x").id, { tags: [] }));
    await world.clock.advance(observeAgainMs + roundMs);
    expect(asked("octavia update load balancer")).toBe(1);
  });
});

describe("whatever is done for a cluster that was at rest", () => {
  test.each([
    ["a machine goes", async () => await world.removeMachine("cloud-c1x-az1x")],
    ["a machine comes", async () => void (await world.machine("cloud-c1x", "az1", "another"))],
  ])("is decided on a list of its own: %s", async (_, happens) => {
    const done: string[] = [];
    await restartWith(
      listing((list) => async (query, options) => {
        done.push(query.tagsAny === undefined ? "own list" : "shared list");
        return await list(query, options);
      }),
    );
    await addClusters(2, home(), false);
    await world.machine("cloud-c1x", "az1", "cloud-c1x-az1x");
    await rest();
    world.lab.fake.onChange(({ kind }) => void (kind === "members" && done.push("change")));
    done.length = 0;
    await happens();
    await world.clock.advance(roundMs);
    expect(done).toContain("change");
    expect(done[done.indexOf("change") - 1]).toBe("own list");
  });
});

describe("what somebody does by hand to one of ten", () => {
  const name = "c4x";
  beforeEach(async () => {
    await addClusters(10, home());
    await rest();
  });

  test("a balancer that is deleted is made again after one interval", async () => {
    await byHand(world.cloud.octavia.deleteLoadBalancer(balancerNamed(world, name).id));
    await world.clock.advance(observeAgainMs + roundMs);
    expect(asked("octavia create load balancer")).toBe(1);
  });

  test("a balancer whose tags were cleared gets them back after one interval", async () => {
    const { id, tags } = balancerNamed(world, name);
    await byHand(world.cloud.octavia.updateLoadBalancer(id, { tags: [] }));
    await world.clock.advance(observeAgainMs + roundMs);
    expect(asked("octavia update load balancer")).toBe(1);
    await rest();
    expect(balancerNamed(world, name)).toMatchObject({ id, tags });
  });

  test("a listener that is switched off is switched on after one interval", async () => {
    const [listener] = listenersOf(world, name);
    await byHand(world.cloud.octavia.updateListener(listener?.id ?? "", { adminStateUp: false }));
    await world.clock.advance(observeAgainMs + roundMs);
    expect(asked("octavia update listener")).toBe(1);
  });

  test("a balancer that is switched off is looked into after one interval, and it alone", async () => {
    await byHand(world.cloud.octavia.updateLoadBalancer(balancerNamed(world, name).id, { adminStateUp: false }));
    await world.clock.advance(observeAgainMs + roundMs);
    expect(asked("octavia get status tree")).toBe(1);
  });

  test("a balancer in ERROR is told after one interval", async () => {
    const { tables } = world.lab.fake.cloud;
    tables.loadbalancers.patch(balancerNamed(world, name).id, { provisioningStatus: "ERROR" });
    await world.clock.advance(observeAgainMs + roundMs);
    const { conditions = [] } = (await world.read(`cloud-${name}`)).status ?? {};
    expect(conditions.find(({ type }) => type === "LoadBalancersReady")).toMatchObject({ status: "False" });
  });

  test("a floating IP that is detached is back after two minutes and one interval", async () => {
    const { vipPortId } = balancerNamed(world, name);
    const [{ id } = { id: "" }] = floatingIps(world).filter(({ portId }) => portId === vipPortId);
    await byHand(world.cloud.neutron.updateFloatingIp(id, { portId: null }));
    await world.clock.advance(floatingIpsEveryMs + observeAgainMs + roundMs);
    expect(floatingIps(world).find((one) => one.id === id)).toMatchObject({ portId: vipPortId });
  });

  test("a floating IP that is deleted is made again after two minutes and one interval", async () => {
    const { vipPortId } = balancerNamed(world, name);
    const [{ id } = { id: "" }] = floatingIps(world).filter(({ portId }) => portId === vipPortId);
    await byHand(world.cloud.neutron.deleteFloatingIp(id));
    await world.clock.advance(floatingIpsEveryMs + observeAgainMs + roundMs);
    expect(floatingIps(world).filter(({ portId }) => portId === vipPortId)).toHaveLength(1);
  });

  test("a change of the object itself looks at its floating IPs at once", async () => {
    const { vipPortId } = balancerNamed(world, name);
    const [{ id } = { id: "" }] = floatingIps(world).filter(({ portId }) => portId === vipPortId);
    await byHand(world.cloud.neutron.updateFloatingIp(id, { portId: null }));
    await world.patch(`cloud-${name}`, { metadata: { annotations: { "example.com/touched": "yes" } } });
    await world.clock.advance(roundMs);
    expect(floatingIps(world).find((one) => one.id === id)).toMatchObject({ portId: vipPortId });
  });
});
