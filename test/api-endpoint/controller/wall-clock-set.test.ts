// Somebody sets the wall clock of the manager, or NTP does: by two hours, while it runs. The cloud's own clock stays as it is.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import { addSubnet } from "../../../src/sim/fakes/openstack/cloud-setup.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, balancerNames, membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const zones = ["az1", "az2", "az3"];
let world: EndpointWorld;
let running: TestManager;
/** What the manager's wall clock shows beside true time. */
let offMs: number;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  await world.kube.create(customResourceDefinitions, openCrd(dnsEndpoints));
  await world.clock.advance(100);
  offMs = 0;
  const clock: Clock = {
    nowMs: () => world.clock.nowMs() + offMs,
    monotonicMs: () => world.clock.monotonicMs(),
    after: (delayMs, callback) => world.clock.after(delayMs, callback),
  };
  running = world.manager({ clock });
});

afterEach(async () => {
  await running.manager.stop();
});

/** With a machine in each zone, published, and at rest. */
async function cluster(apiServerLoadBalancer = world.zones()): Promise<void> {
  const spec = { controlPlaneEndpoint: { host: "api.blue.example.com", port: 6443 }, apiServerLoadBalancer };
  await world.cluster("blue", { spec, annotations: { "mainstay.dev/publish-dns": "true" } });
  for (const zone of zones) await world.machine("blue", zone);
  await world.clock.advance(10 * minute);
}

async function published(): Promise<readonly string[]> {
  const { spec } = await world.kube.get(dnsEndpoints, { name: "blue", namespace });
  return (spec?.endpoints ?? []).flatMap(({ targets }) => targets);
}

async function whenTrue(isTrue: () => boolean | Promise<boolean>, withinMs: number): Promise<number> {
  const startMs = world.clock.monotonicMs();
  while (!(await isTrue())) {
    expect(world.clock.monotonicMs() - startMs).toBeLessThan(withinMs);
    await world.clock.advance(5 * second);
  }
  return world.clock.monotonicMs() - startMs;
}

describe.each([
  ["back", -2 * hour],
  ["forward", 2 * hour],
])("a wall clock that is set %s by hours", (_, byMs) => {
  test("does not keep a dead zone in the DNS records", async () => {
    await cluster();
    offMs = byMs;
    await world.clock.advance(20 * second);
    world.lab.fake.faults.setMemberDown(membersOf(world, "az1")[0] ?? "", true);
    await whenTrue(async () => (await published()).length === 2, 3 * minute);
  });

  test("neither keeps a balancer that is to go, nor takes it from people who remember it", async () => {
    await cluster();
    await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az2", "az3"]) } });
    await whenTrue(async () => (await published()).length === 2, minute);
    await world.clock.advance(10 * second);
    offMs = byMs;
    const goneMs = await whenTrue(() => balancerNames(world).length === 2, 2 * minute);
    expect(goneMs).toBeGreaterThanOrEqual(30 * second);
  });

  test("does not hide a subnet that is made at last", async () => {
    const block = world.zones(["az1", "az2"]);
    const late = { availabilityZone: "az3", subnet: { filter: { name: "late" } } };
    await cluster({ ...block, availabilityZoneSubnets: [...(block.availabilityZoneSubnets ?? []), late] });
    offMs = byMs;
    await world.clock.advance(minute);
    const { projectId, networkId, fake } = world.lab;
    addSubnet(fake.cloud, { name: "late", projectId, networkId, cidr: "10.0.9.0/24", gatewayIp: "10.0.9.1" });
    await whenTrue(() => balancerNames(world).length === 3, 8 * minute);
  });

  test("does not let a second balancer be taken down while the first is made again", async () => {
    await cluster();
    const { fake } = world.lab;
    const usualMs = fake.settings.phaseMs;
    fake.settings.phaseMs = (phase) => (phase === "create" ? 5 * minute : usualMs(phase));
    const before = zones.map((zone) => balancerNamed(world, zone).id);
    for (const id of before) fake.faults.setStatus("loadbalancers", id, { provisioning: "ERROR" });
    await world.patch("blue", { metadata: { annotations: { "mainstay.dev/repair": "true" } } });
    const left = () => fake.cloud.tables.loadbalancers.all().filter(({ id }) => before.includes(id)).length;
    await whenTrue(() => left() === 2, 5 * minute);
    offMs = byMs;
    await world.clock.advance(3 * minute);
    expect(left()).toBe(2);
  });
});
