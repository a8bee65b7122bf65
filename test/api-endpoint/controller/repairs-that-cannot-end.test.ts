// A balancer in ERROR may serve. It is taken down only where it can be made again, with the machines that answer behind it; and one that does
// not come back takes no other with it, whoever agreed to the first.

import { afterEach, beforeEach, expect, test } from "vitest";
import { machines, openStackMachines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { KubeError } from "../../../src/core/kube-error.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import { addServer, addSubnet } from "../../../src/sim/fakes/openstack/cloud-setup.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, listenersOf, membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const zones = ["az1", "az2", "az3"] as const;
const minuteMs = 60_000;
let world: EndpointWorld;
let running: TestManager;
let isStatusRefused: boolean;

beforeEach(async () => {
  isStatusRefused = false;
  await begin(new EndpointWorld());
});

afterEach(async () => {
  await running.manager.stop();
});

async function begin(fresh: EndpointWorld): Promise<void> {
  world = fresh;
  await world.furnish();
  await world.clock.advance(100);
  running = world.manager({ through: refusingStatus });
}

/** While it is asked for: as a role without the right to write status does. */
function refusingStatus(kube: Kube): Kube {
  const guarded =
    <Args extends readonly unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
    (...args: Args): Promise<Answer> => {
      const isStatus = args.some(
        (one) => (one as { readonly subresource?: string } | undefined)?.subresource === "status",
      );
      if (isStatusRefused && isStatus) return Promise.reject(new KubeError({ code: "Forbidden", message: "no" }));
      return call(...args);
    };
  return { ...kube, patch: guarded(kube.patch.bind(kube)), apply: guarded(kube.apply.bind(kube)) };
}

async function threeZones(block: object = {}, spec: object = {}): Promise<void> {
  const controlPlaneEndpoint = { host: "api.green.example.com", port: 6443 };
  const apiServerLoadBalancer = { ...world.zones(zones), ...block };
  await world.cluster("green", { spec: { controlPlaneEndpoint, apiServerLoadBalancer, ...spec } });
  for (const zone of zones) await world.machine("green", zone);
  await world.clock.advance(5 * minuteMs);
  expect(serving()).toBe(3);
}

/** Balancers through which somebody answers; in ERROR one may forward all the same. */
function serving(): number {
  const { loadbalancers, members } = world.lab.fake.cloud.tables;
  return loadbalancers.all().filter(({ id, provisioningStatus }) => {
    const isUp = members.find(`balancer:${id}`).some(({ operatingStatus }) => operatingStatus === "ONLINE");
    return isUp && !/DELETE|CREATE/.test(provisioningStatus);
  }).length;
}

/** The fewest in so many minutes. */
async function fewestIn(minutes: number): Promise<number> {
  let fewest = serving();
  world.lab.fake.onChange(() => {
    fewest = Math.min(fewest, serving());
  });
  for (let minute = 0; minute < minutes; minute += 1) await world.clock.advance(minuteMs);
  return fewest;
}

function fail(...broken: readonly string[]): void {
  for (const zone of broken)
    world.lab.fake.faults.setStatus("loadbalancers", balancerNamed(world, zone).id, { provisioning: "ERROR" });
}

const agree = (value = "true") => world.patch("green", { metadata: { annotations: { "mainstay.dev/repair": value } } });

const turnAway = (operation: RegExp, service?: string) =>
  void world.lab.fake.addCallPlan((call) =>
    operation.test(call.operation) && (service === undefined || call.service === service)
      ? { turnAway: { status: 503 } }
      : undefined,
  );

async function restart(): Promise<void> {
  const stopped = running.manager.stop();
  await world.clock.advance(2_000);
  await stopped;
  running = world.manager({ through: refusingStatus });
  await world.clock.advance(3 * minuteMs);
}

const whyNotReady = async () =>
  (await world.read("green")).status?.conditions?.find(({ type }) => type === "LoadBalancersReady")?.message;

const merged = (body: object) => ({ type: "merge", body: body as Partial<KubeObject> }) as const;
const named = zones.map((zone) => ({ name: `green-${zone}`, namespace }));

test.each<readonly [string, () => Promise<unknown>, string]>([
  [
    "its address",
    () =>
      Promise.all(
        named.map((ref) => world.kube.patch(openStackMachines, ref, merged({ status: { addresses: null } }))),
      ),
    "could not be put back behind it: its address is not known",
  ],
  [
    "its infrastructure machine",
    () => Promise.all(named.map((ref) => world.kube.delete(openStackMachines, ref))),
    "could not be put back behind it",
  ],
  [
    "its zone",
    () => Promise.all(named.map((ref) => world.kube.patch(machines, ref, merged({ spec: { failureDomain: null } })))),
    "could not be put back behind it: its zone is not known",
  ],
])("a machine that lost %s: nothing goes until somebody agrees for the zone", async (_what, lose, words) => {
  await threeZones();
  await lose();
  await world.clock.advance(minuteMs);
  fail(...zones);
  await agree();
  expect(await fewestIn(20)).toBe(3);
  expect(await whyNotReady()).toContain(words);
  expect(await whyNotReady()).toContain("annotate mainstay.dev/repair=az1 to agree for this zone");
});

test("zones that only a silent Nova tells, after a restart: nothing goes", async () => {
  await running.manager.stop();
  await begin(new EndpointWorld({ cloud: { services: ["keystone", "neutron", "octavia", "nova"] } }));
  await threeZones();
  for (const zone of zones) {
    const name = `green-${zone}`;
    const { projectId, fake } = world.lab;
    const { id } = addServer(fake.cloud, { name, projectId, availabilityZone: zone });
    await world.kube.patch(openStackMachines, { name, namespace }, merged({ status: { instanceID: id } }));
    await world.kube.patch(machines, { name, namespace }, merged({ spec: { failureDomain: null } }));
  }
  await world.clock.advance(5 * minuteMs);
  turnAway(/./, "nova");
  await restart();
  fail("az1", "az2");
  expect(await fewestIn(20)).toBe(3);
});

test.each<readonly [string, () => void]>([
  ["is refused", () => turnAway(/^create load balancer$/)],
  [
    "hangs",
    () =>
      Object.assign(world.lab.fake.settings, {
        phaseMs: (phase: string) => (phase === "create" ? 300 * minuteMs : 2_000),
      }),
  ],
  [
    "takes 20 minutes",
    () =>
      Object.assign(world.lab.fake.settings, {
        phaseMs: (phase: string) => (phase === "create" ? 20 * minuteMs : 2_000),
      }),
  ],
  ["gets no listener", () => turnAway(/^create listener$/)],
  ["gets no members", () => turnAway(/^(create|update|merge).* members?$/)],
])("one consent, and the first that is made again %s: it alone is away", async (_how, fault) => {
  await threeZones();
  fault();
  fail(...zones);
  await agree();
  expect(await fewestIn(150)).toBe(2);
});

test("one that is named goes though another never came back", async () => {
  await threeZones();
  turnAway(/^create load balancer$/);
  fail(...zones);
  await agree();
  expect(await fewestIn(75)).toBe(2);
  expect(await whyNotReady()).toContain("annotate mainstay.dev/repair=az2 to agree for this zone");
  await agree("az2");
  expect(await fewestIn(5)).toBe(1);
});

test.each([false, true])(
  "status cannot be written: nothing goes that could not be made again (agreed: %s)",
  async (isAgreed) => {
    await threeZones();
    isStatusRefused = true;
    fail(...(isAgreed ? zones : ["az2"]));
    if (isAgreed) await agree();
    expect(await fewestIn(60)).toBe(3);
    isStatusRefused = false;
    expect(await fewestIn(20)).toBe(2);
    expect(serving()).toBe(3);
  },
);

test.each<readonly [string, RegExp, "octavia" | "neutron"]>([
  ["providers", /^list providers$/, "octavia"],
  ["flavors", /^list flavors$/, "octavia"],
  ["zones", /^list availability zones$/, "octavia"],
  ["versions", /^list versions$/, "octavia"],
  ["networks and subnets", /subnet|network/, "neutron"],
  ["ports", /port/, "neutron"],
])("%s cannot be listed after a restart: one in ERROR stays, and it is said why", async (_what, operation, service) => {
  await threeZones();
  turnAway(operation, service);
  await restart();
  fail("az2");
  expect(await fewestIn(20)).toBe(3);
  expect(await whyNotReady()).toMatch(/in ERROR, and it is not rebuilt because .*turned away/);
});

test("the machines' subnet is not found: one in ERROR keeps its access list and stays", async () => {
  const { networkId, projectId, fake } = world.lab;
  const nodes = addSubnet(fake.cloud, {
    name: "nodes",
    cidr: "10.77.0.0/24",
    gatewayIp: "10.77.0.1",
    networkId,
    projectId,
  });
  const subnets = [{ filter: { name: "nodes" } }];
  const controlPlaneEndpoint = { host: "api.green.example.com", port: 6443 };
  const apiServerLoadBalancer = { ...world.zones(zones), allowedCIDRs: ["192.0.2.0/24"] };
  await world.cluster("green", { spec: { controlPlaneEndpoint, subnets, apiServerLoadBalancer } });
  for (const [index, zone] of zones.entries()) await world.machineAt("green", zone, `10.77.0.${index + 11}`);
  await world.clock.advance(5 * minuteMs);
  const listBefore = listenersOf(world, "az2").map(({ allowedCidrs }) => allowedCidrs);
  fake.cloud.tables.subnets.patch(nodes.id, { name: "renamed" });
  await world.clock.advance(70 * minuteMs);
  fail("az2");
  expect(await fewestIn(10)).toBe(3);
  expect(await whyNotReady()).toContain("who may connect cannot be told");
  expect(listenersOf(world, "az2").map(({ allowedCidrs }) => allowedCidrs)).toEqual(listBefore);
  expect(membersOf(world, "az2")).toHaveLength(1);
});
