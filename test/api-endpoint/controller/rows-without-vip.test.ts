// Octavia lists a balancer that is being deleted without its VIP's address, port and subnet for a moment. That says nothing about addresses:
// none becomes empty, no floating IP changes hands or goes because of it.

import { afterEach, beforeEach, expect, test } from "vitest";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, countsByKind, floatingIps } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  world.lab.fake.settings.rowWithoutVipMs = 20_000;
  await world.furnish();
  await world.kube.create(customResourceDefinitions, openCrd(dnsEndpoints));
  await world.clock.advance(100);
  running = world.work();
});
afterEach(async () => {
  await running.manager.stop();
});

async function blue(block: object = {}): Promise<void> {
  const spec = {
    controlPlaneEndpoint: { host: "api.blue.example.com", port: 6443 },
    apiServerLoadBalancer: world.zones(["az1", "az2"]),
    ...block,
  };
  await world.cluster("blue", { spec, annotations: { "mainstay.dev/publish-dns": "true" } });
  for (const zone of ["az1", "az2"]) await world.machine("blue", zone);
  await world.clock.advance(180_000);
}

const addresses = () =>
  Object.fromEntries(
    floatingIps(world).map(({ tags, address }) => [tags.find((tag) => tag.includes("zone")), address]),
  );
const entries = async () => (await world.read("blue")).status?.apiServerLoadBalancers ?? [];
const published = async () => {
  const { spec } = await world.kube.get(dnsEndpoints, { name: "blue", namespace });
  return (spec?.endpoints ?? []).flatMap(({ targets }) => targets);
};

/** Every second, what status and the records say. */
async function watch(seconds: number, look: () => Promise<void>): Promise<boolean> {
  const { loadbalancers } = world.lab.fake.cloud.tables;
  let isShown = false;
  for (let second = 0; second < seconds; second += 1) {
    await world.clock.advance(1_000);
    isShown ||= loadbalancers.all().some(({ vipPortId }) => vipPortId === "");
    await look();
  }
  return isShown;
}

test.each([
  ["with floating IPs", {}],
  ["without", { disableAPIServerFloatingIP: true }],
])(
  "a balancer that is rebuilt %s comes back with its addresses, which status names all the while",
  async (_how, block) => {
    await blue(block);
    const before = addresses();
    const [was] = await entries();
    const { id } = balancerNamed(world, "az1");
    world.lab.fake.faults.setStatus("loadbalancers", id, { provisioning: "ERROR" });
    const isShown = await watch(240, async () => {
      const [now] = await entries();
      expect([now?.ip, now?.internalIP]).toEqual([was?.ip, was?.internalIP]);
      expect(await published()).not.toContain("");
      expect(addresses()).toEqual(before);
    });
    expect(isShown).toBe(true);
    expect(balancerNamed(world, "az1")).toMatchObject({ provisioningStatus: "ACTIVE", vipAddress: was?.internalIP });
    expect(balancerNamed(world, "az1").id).not.toBe(id);
    expect(await published()).toHaveLength(2);
  },
);

test("the balancer of a removed zone goes, and the other zone keeps what it has", async () => {
  await blue();
  const kept = addresses()["mainstay-zone=az2"];
  await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az2"]) } });
  const isShown = await watch(180, async () => {
    expect(addresses()["mainstay-zone=az2"]).toBe(kept);
    expect(await published()).toContain(kept);
    expect(await published()).not.toContain("");
  });
  expect(isShown).toBe(true);
  expect(addresses()).toEqual({ "mainstay-zone=az2": kept });
});

test("a deleted cluster leaves nothing behind", async () => {
  await blue();
  for (const zone of ["az1", "az2"]) await world.removeMachine(`blue-${zone}`);
  await world.remove("blue");
  await world.clock.advance(180_000);
  await expect(world.read("blue")).rejects.toThrow("blue");
  expect(Object.values(countsByKind(world)).reduce((a, b) => a + b)).toBe(0);
});
