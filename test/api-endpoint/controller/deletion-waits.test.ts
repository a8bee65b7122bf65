// An OpenStackCluster that is being deleted while machines remain: they need the API for as long as that takes, so members and records follow
// them as before.

import { afterEach, beforeEach, expect, test } from "vitest";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import { publishedBy } from "../../../src/jobs/api-endpoint/core/dns/dns-endpoint.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const zones = ["az1", "az2", "az3"] as const;
let world: EndpointWorld;
let running: TestManager;
let addresses: string[];

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  await world.kube.create(customResourceDefinitions, openCrd(dnsEndpoints));
  await world.clock.advance(100);
  running = world.work();
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  await world.cluster("blue", {
    spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones() },
    annotations: { "mainstay.dev/publish-dns": "true" },
  });
  await world.clock.advance(30_000);
  addresses = [];
  for (const zone of zones) addresses.push(await world.machine("blue", zone));
  await world.clock.advance(120_000);
  await world.remove("blue");
  await world.clock.advance(60_000);
});

afterEach(async () => {
  await running.manager.stop();
});

const members = () => world.lab.fake.cloud.tables.members.all();

test("machines that are rolled meanwhile are members, and those that went are not", async () => {
  const fresh: string[] = [];
  for (const zone of zones) {
    fresh.push(await world.machine("blue", zone, `blue-${zone}-new`));
    await world.clock.advance(120_000);
    await world.removeMachine(`blue-${zone}`);
    await world.clock.advance(120_000);
  }
  expect(
    members()
      .map(({ address }) => address)
      .toSorted(),
  ).toEqual(fresh.toSorted());
  for (const zone of zones) await world.removeMachine(`blue-${zone}-new`);
  await world.clock.advance(300_000);
  expect(world.lab.fake.cloud.tables.loadbalancers.all()).toEqual([]);
});

test("a zone that goes dark leaves the records", async () => {
  const member = members().find(({ address }) => address === addresses[2]);
  world.lab.fake.faults.setStatus("members", member?.id ?? "", { operating: "ERROR" });
  await world.removeMachine("blue-az3");
  await world.clock.advance(300_000);
  const published = publishedBy(await world.kube.get(dnsEndpoints, { name: "blue", namespace }));
  expect(published.addresses).toHaveLength(2);
});
