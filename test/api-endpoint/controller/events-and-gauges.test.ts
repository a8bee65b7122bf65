// What people are told while a cluster lives: Events, once each, and gauges.

import { expect, test } from "vitest";
import { machines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { events } from "../../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { addSubnet } from "../../../src/sim/fakes/openstack/cloud-setup.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

interface RecordedEvent extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly action?: string;
  readonly note?: string;
}

async function recordedEvents(world: EndpointWorld): Promise<readonly RecordedEvent[]> {
  const { items } = await world.kube.list<RecordedEvent>(events, {});
  return items;
}

test("every kind of object that is made, changed or deleted has its own event, in CamelCase, once", async () => {
  const world = new EndpointWorld();
  await world.furnish();
  const { manager } = world.work();
  const zones = ["az1", "az2", "az3"];
  const block = { ...world.zones(), additionalPorts: [9345, 8132] };
  const host = "api.blue.example.com";
  await world.cluster("blue", { spec: { controlPlaneEndpoint: { host, port: 6443 }, apiServerLoadBalancer: block } });
  await world.clock.advance(60_000);
  for (const zone of zones) await world.machine("blue", zone);
  await world.clock.advance(60_000);
  const made = (await recordedEvents(world)).filter(({ type }) => type === "Normal");
  const count = (action: string) => made.filter((event) => event.action === action).length;
  expect(count("create-load-balancer")).toBe(3);
  expect(count("create-floating-ip")).toBe(3);
  for (const action of ["create-listener", "create-pool", "create-monitor", "merge-members"])
    expect(count(action)).toBe(9);
  expect(new Set(made.map(({ note }) => note)).size).toBe(made.length);
  expect(made.every(({ reason = "" }) => /^([A-Z][a-z]+)+$/.test(reason))).toBe(true);

  await world.patch("blue", {
    spec: { apiServerLoadBalancer: { monitor: { delay: 8 }, allowedCIDRs: ["192.0.2.0/24"] } },
  });
  await world.clock.advance(60_000);
  await world.patch("blue", { spec: { apiServerLoadBalancer: { additionalPorts: [] } } });
  await world.clock.advance(60_000);
  for (const zone of zones) await world.kube.delete(machines, { name: `blue-${zone}`, namespace });
  await world.remove("blue");
  await world.clock.advance(600_000);
  const actions = new Set((await recordedEvents(world)).map(({ action }) => action));
  for (const action of [
    "update-monitor",
    "update-listener",
    "delete-pool",
    "delete-listener",
    "delete-load-balancer",
    "delete-floating-ip",
  ])
    expect([...actions]).toContain(action);
  await manager.stop();
});

test("every change has its Event also with 32 zones: those beyond the limit are written together, and none is lost", async () => {
  const world = new EndpointWorld();
  await world.furnish();
  const { manager } = world.work();
  const { fake, networkId, projectId } = world.lab;
  const availabilityZoneSubnets = Array.from({ length: 32 }, (_, n) => {
    const fields = { name: `zone-${n}`, projectId, networkId, cidr: `10.9.${n}.0/24`, gatewayIp: `10.9.${n}.1` };
    return { availabilityZone: `zone-${n}`, subnet: { id: addSubnet(fake.cloud, fields).id } };
  });
  const spec = {
    controlPlaneEndpoint: { host: "api.blue.example.com", port: 6443 },
    disableAPIServerFloatingIP: true,
    apiServerLoadBalancer: { enabled: true, network: { id: networkId }, availabilityZoneSubnets },
  };
  await world.cluster("blue", { spec });
  await world.clock.advance(900_000);
  const made = (await recordedEvents(world)).filter(({ type }) => type === "Normal");
  const told = (action: string) =>
    made
      .filter((event) => event.action === action)
      .reduce((sum, { note = "" }) => sum + Number(/^(\d+) at once: /.exec(note)?.[1] ?? 1), 0);
  for (const action of ["create-load-balancer", "create-listener", "create-pool", "create-monitor"])
    expect([action, told(action)]).toEqual([action, 32]);
  expect(made.some(({ note = "" }) => note.includes(" at once: "))).toBe(true);
  await manager.stop();
});

test("an object that is refused says so in one Warning with every problem, although no webhook saw it, and nothing is made", async () => {
  const world = new EndpointWorld();
  await world.furnish();
  const { manager } = world.work();
  const block = { ...world.zones(["az1"]), additionalPorts: [6443] };
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  await world.cluster("blue", {
    spec: { controlPlaneEndpoint, apiServerLoadBalancer: block },
    annotations: { "mainstay.dev/min-zones": "many" },
  });
  await world.clock.advance(120_000);
  const told = (await recordedEvents(world)).filter(({ reason }) => reason === "EndpointSpecInvalid");
  expect(told).toMatchObject([{ type: "Warning", note: expect.stringContaining("mainstay.dev/min-zones") }]);
  expect(await world.balancers()).toEqual([]);
  await manager.stop();
});

test("how long rounds take is measured, by controller and outcome", async () => {
  const world = new EndpointWorld();
  await world.furnish();
  const { manager, metrics } = world.work();
  await world.cluster("blue", { spec: { apiServerLoadBalancer: { enabled: true } } });
  await world.clock.advance(120_000);
  const count =
    /^mainstay_reconcile_duration_seconds_count\{[^}]*controller="openstack-cluster"[^}]*outcome="acted"[^}]*\} (\d+)$/m;
  expect(Number(count.exec(await metrics.text())?.[1])).toBeGreaterThan(0);
  await manager.stop();
});

test("balancers and members are counted by zone and state, and a cluster that is gone counts no more", async () => {
  const world = new EndpointWorld();
  await world.furnish();
  const { manager, metrics } = world.work();
  const host = "api.blue.example.com";
  const spec = { controlPlaneEndpoint: { host, port: 6443 }, apiServerLoadBalancer: world.zones() };
  await world.cluster("blue", { spec });
  await world.clock.advance(30_000);
  const address = await world.machine("blue", "az1");
  await world.clock.advance(60_000);
  const gauge = async (line: string) => (await metrics.text()).split("\n").find((one) => one.startsWith(line));
  expect(await gauge('mainstay_load_balancers{object="clusters/blue",zone="az2",state="ACTIVE"}')).toMatch(/ 1$/);
  expect(await gauge('mainstay_load_balancer_members{object="clusters/blue",zone="az1",health="healthy"}')).toMatch(
    / 1$/,
  );
  world.lab.fake.faults.setMemberDown(address, true);
  await world.clock.advance(90_000);
  expect(await gauge('mainstay_load_balancer_members{object="clusters/blue",zone="az1",health="unhealthy"}')).toMatch(
    / 1$/,
  );
  await world.kube.delete(machines, { name: "blue-az1", namespace });
  await world.remove("blue");
  await world.clock.advance(120_000);
  expect((await gauge('mainstay_load_balancers{object="clusters/blue",zone="az2",state="ACTIVE"}')) ?? " 0").toMatch(
    / 0$/,
  );
  await manager.stop();
});

test("while Octavia does not answer, balancers are counted as UNKNOWN, and no member as healthy or not", async () => {
  const world = new EndpointWorld();
  await world.furnish();
  const { manager, metrics } = world.work();
  const host = "api.blue.example.com";
  const spec = { controlPlaneEndpoint: { host, port: 6443 }, apiServerLoadBalancer: world.zones(["az1", "az2"]) };
  await world.cluster("blue", { spec });
  for (const zone of ["az1", "az2"]) await world.machine("blue", zone);
  await world.clock.advance(180_000);
  const samples = async () =>
    (await metrics.text()).split("\n").filter((line) => /^mainstay_load_balancer\w*\{/.test(line));
  const before = await samples();
  const back = world.lab.fake.addCallPlan(({ service }) =>
    service === "octavia" ? { turnAway: { status: 503 } } : undefined,
  );
  await world.clock.advance(120_000);
  expect((await samples()).toSorted()).toEqual([
    'mainstay_load_balancers{object="clusters/blue",zone="az1",state="UNKNOWN"} 1',
    'mainstay_load_balancers{object="clusters/blue",zone="az2",state="UNKNOWN"} 1',
  ]);
  back();
  await world.clock.advance(600_000);
  expect((await samples()).toSorted()).toEqual(before.toSorted());
  await manager.stop();
});

test("a cluster that is left alone costs one Octavia call in each round, and changes nothing", async () => {
  const world = new EndpointWorld();
  await world.furnish();
  const { manager } = world.work();
  const host = "api.blue.example.com";
  const spec = { controlPlaneEndpoint: { host, port: 6443 }, apiServerLoadBalancer: world.zones() };
  await world.cluster("blue", { spec });
  await world.clock.advance(30_000);
  for (const zone of ["az1", "az2", "az3"]) await world.machine("blue", zone);
  await world.clock.advance(120_000);
  world.lab.fake.resetCounts();
  await world.clock.advance(10 * 30_000);
  const octavia = [...world.lab.fake.counts()].filter(([call]) => call.startsWith("octavia"));
  expect(octavia).toEqual([["octavia list load balancers", 10]]);
  await manager.stop();
});

test("members that are down, and a cluster that begins, are reported as they are: nothing claims that a change was refused", async () => {
  const world = new EndpointWorld();
  await world.furnish();
  const { manager, log } = world.work();
  const host = "api.blue.example.com";
  await world.cluster("blue", {
    spec: { controlPlaneEndpoint: { host, port: 6443 }, apiServerLoadBalancer: world.zones(["az1", "az2"]) },
  });
  await world.clock.advance(60_000);
  const address = await world.machine("blue", "az1");
  await world.clock.advance(60_000);
  const membersHealthy = async () =>
    (await world.read("blue")).status?.conditions?.find(({ type }) => type === "MembersHealthy")?.message;
  expect(await membersHealthy()).toBe("az2: no machines");
  await world.machine("blue", "az2");
  world.lab.fake.faults.setMemberDown(address, true);
  await world.clock.advance(120_000);
  expect(await membersHealthy()).toBe("az1: 0 of 1 machine answers (blue-az1 does not)");
  const said = log.lines.filter(({ data }) => data["reason"] === "MembersUnhealthy");
  expect(said).toMatchObject([{ level: "warn", message: "notice" }]);
  expect(log.lines.filter(({ message }) => message === "changes refused")).toEqual([]);
  await manager.stop();
});
