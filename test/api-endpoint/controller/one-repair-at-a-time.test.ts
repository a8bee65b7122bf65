// Several balancers in ERROR that serve: one is taken down at a time, whoever agreed and however long it has lasted, and the next when people
// come through the first again, by the address that they know.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import { publishedBy } from "../../../src/jobs/api-endpoint/core/dns/dns-endpoint.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, floatingIps } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const threeZones = ["az1", "az2", "az3"] as const;
let world: EndpointWorld;
let running: TestManager | undefined;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  await world.kube.create(customResourceDefinitions, openCrd(dnsEndpoints));
  await world.clock.advance(100);
});

afterEach(async () => {
  await running?.manager.stop();
});

async function cluster(zones: readonly string[], annotations: Readonly<Record<string, string>> = {}): Promise<void> {
  running = world.work();
  const controlPlaneEndpoint = { host: "api.green.example.com", port: 6443 };
  await world.cluster("green", {
    spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(zones) },
    annotations,
  });
  await world.clock.advance(30_000);
  for (const zone of zones) await world.machine("green", zone);
  await world.clock.advance(180_000);
  expect(answering()).toHaveLength(zones.length);
}

/** Addresses at which somebody answers. In ERROR a balancer may forward all the same. */
function answering(): readonly string[] {
  const { loadbalancers, listeners, members } = world.lab.fake.cloud.tables;
  return loadbalancers.all().flatMap(({ id, provisioningStatus, vipPortId }) => {
    if (/DELETE|CREATE/.test(provisioningStatus)) return [];
    const pools = listeners.find(`balancer:${id}`).map(({ defaultPoolId }) => defaultPoolId);
    const isUp = members
      .find(`balancer:${id}`)
      .some(({ poolId, operatingStatus }) => pools.includes(poolId) && operatingStatus === "ONLINE");
    return isUp ? floatingIps(world).flatMap(({ portId, address }) => (portId === vipPortId ? [address] : [])) : [];
  });
}

/** The fewest from now on. */
function followAnswering(): () => number {
  let fewest = answering().length;
  world.lab.fake.onChange(() => {
    fewest = Math.min(fewest, answering().length);
  });
  return () => fewest;
}

function fail(...zones: readonly string[]): void {
  for (const zone of zones)
    world.lab.fake.faults.setStatus("loadbalancers", balancerNamed(world, zone).id, { provisioning: "ERROR" });
}

const agree = () => world.patch("green", { metadata: { annotations: { "mainstay.dev/repair": "true" } } });

test.each([0, 2])("all three, for %d h before somebody agrees", async (hours) => {
  await cluster(threeZones);
  const fewest = followAnswering();
  fail(...threeZones);
  await world.clock.advance(hours * 3_600_000);
  await agree();
  await world.clock.advance(900_000);
  expect([fewest(), answering().length]).toEqual([2, 3]);
});

describe("members answer half a minute after a part of each was made again", () => {
  test.each(["pools", "listeners"] as const)("%s", async (parts) => {
    await cluster(threeZones);
    await world.clock.advance(900_000);
    Object.assign(world.lab.fake.settings, { healthMs: 30_000 });
    const fewest = followAnswering();
    const { faults, cloud } = world.lab.fake;
    for (const zone of threeZones) {
      const { id } = balancerNamed(world, zone);
      for (const part of cloud.tables[parts].find(`balancer:${id}`))
        faults.setStatus(parts, part.id, { provisioning: "ERROR" });
      faults.setStatus("loadbalancers", id, { provisioning: "ACTIVE" });
    }
    await agree();
    await world.clock.advance(900_000);
    expect([fewest(), answering().length]).toEqual([2, 3]);
  });
});

test.each([false, true])("the first does not get its address back (agreed: %s)", async (isAgreed) => {
  await cluster(threeZones);
  world.lab.fake.addCallPlan(({ operation }) =>
    /^(update|create) floating ip$/.test(operation) ? { turnAway: { status: 409 } } : undefined,
  );
  const fewest = followAnswering();
  fail("az1", "az2");
  if (isAgreed) await agree();
  await world.clock.advance(600_000);
  expect(fewest()).toBe(2);
});

test("the only published one goes when records have named another for as long as resolvers remember", async () => {
  await cluster(["az1", "az2"], { "mainstay.dev/publish-dns": "true" });
  // A real one takes a minute or two.
  const phaseMs = (phase: string) => (phase === "create" ? 60_000 : 2_000);
  Object.assign(world.lab.fake.settings, { phaseMs, healthMs: 20_000 });
  fail("az1", "az2");
  await agree();
  const history: (readonly string[])[] = [];
  for (let seconds = 0; seconds < 600; seconds += 5) {
    await world.clock.advance(5_000);
    history.push(publishedBy(await world.kube.get(dnsEndpoints, { name: "green", namespace })).addresses);
    // Whoever asked 25 s ago, with a TTL of 30 s.
    const remembered = history[Math.max(0, history.length - 6)] ?? [];
    expect(remembered.filter((address) => answering().includes(address))).not.toEqual([]);
  }
  expect(answering()).toHaveLength(2);
});

test.each<readonly [string, () => void]>([
  ["breaks", () => fail("az2")],
  [
    "loses its machine",
    () => {
      const { faults, cloud } = world.lab.fake;
      const members = cloud.tables.members.find(`balancer:${balancerNamed(world, "az2").id}`);
      for (const { address } of members) faults.setMemberDown(address, true);
    },
  ],
])(
  "one that has left the records serves for 45 s more, also by a consent that stands while the other %s",
  async (_what, happens) => {
    await cluster(["az1", "az2"], { "mainstay.dev/publish-dns": "true", "mainstay.dev/repair": "true" });
    const { id, vipPortId } = balancerNamed(world, "az1");
    const address = floatingIps(world).find(({ portId }) => portId === vipPortId)?.address ?? "";
    const isPublished = async () =>
      publishedBy(await world.kube.get(dnsEndpoints, { name: "green", namespace })).addresses.includes(address);
    fail("az1");
    while (await isPublished()) await world.clock.advance(1_000);
    const leftMs = world.clock.nowMs();
    let goneMs: number | undefined;
    world.lab.fake.onChange((change) => {
      const { provisioningStatus = "gone" } = (change.after ?? {}) as { readonly provisioningStatus?: string };
      if (change.id === id && /gone|PENDING/.test(provisioningStatus)) goneMs ??= world.clock.nowMs();
    });
    happens();
    await world.patch("green", { metadata: { annotations: { touched: "true" } } });
    await world.clock.advance(300_000);
    expect((goneMs ?? 0) - leftMs).toBeGreaterThanOrEqual(44_000);
  },
);
