import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { machines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { customResourceDefinitions } from "../../../src/apis/kube/builtin-kinds.ts";
import { KubeError } from "../../../src/core/kube-error.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNames, floatingIps, membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const host = "api.blue.example.com";
const ref = { name: "blue", namespace };
const publish = "mainstay.dev/publish-dns";
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  await world.kube.create(customResourceDefinitions, openCrd(dnsEndpoints));
  await world.clock.advance(100);
  running = world.work();
});

afterEach(async () => {
  await running.manager.stop();
});

async function cluster(annotations: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const spec = { controlPlaneEndpoint: { host, port: 6443 }, apiServerLoadBalancer: world.zones() };
  await world.cluster("blue", { spec, annotations });
  await world.clock.advance(30_000);
  const addresses: string[] = [];
  for (const zone of ["az1", "az2", "az3"]) addresses.push(await world.machine("blue", zone));
  await world.clock.advance(60_000);
  return addresses;
}

async function published(): Promise<readonly string[]> {
  const { spec } = await world.kube.get(dnsEndpoints, ref);
  return (spec?.endpoints ?? []).flatMap(({ targets }) => targets);
}

const all = () =>
  floatingIps(world)
    .map(({ address }) => address)
    .toSorted();

describe("a DNSEndpoint for external-dns", () => {
  test("is written only for whoever asks", async () => {
    await cluster({});
    await expect(world.kube.get(dnsEndpoints, ref)).rejects.toMatchObject({ code: "NotFound" });
  });

  test("loses a removed zone at once; its balancer serves until no resolver remembers it, also across a restart", async () => {
    await cluster({ [publish]: "true" });
    const [leaving = ""] = all().slice(-1);
    const { id } = floatingIps(world).find(({ address }) => address === leaving) ?? {};
    const zone = floatingIps(world)
      .find((one) => one.id === id)
      ?.tags.find((tag) => tag.startsWith("mainstay-zone="))
      ?.slice(14);
    const left = ["az1", "az2", "az3"].filter((one) => one !== zone);
    await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(left) } });
    await world.clock.advance(10_000);
    expect(await published()).not.toContain(leaving);
    const since = (await world.read("blue")).status?.leavingLoadBalancers?.[0]?.since;
    await running.manager.stop();
    running = world.work();
    await world.clock.advance(25_000);
    expect(all()).toContain(leaving);
    expect(balancerNames(world)).toHaveLength(3);
    expect((await world.read("blue")).status?.leavingLoadBalancers).toMatchObject([{ since }]);
    await world.clock.advance(30_000);
    expect(balancerNames(world)).toHaveLength(2);
    expect(all()).not.toContain(leaving);
    expect((await world.read("blue")).status?.leavingLoadBalancers).toBeUndefined();
  });

  test("has one A record for each zone, follows their health, and never loses the last", async () => {
    const addresses = await cluster({ [publish]: "true" });
    const { spec } = await world.kube.get(dnsEndpoints, ref);
    expect(spec?.endpoints).toEqual([{ dnsName: host, recordType: "A", recordTTL: 30, targets: all() }]);
    world.lab.fake.faults.setMemberDown(addresses[1] ?? "", true);
    await world.clock.advance(90_000);
    const gone = floatingIps(world).find(({ tags }) => tags.includes("mainstay-zone=az2"))?.address;
    expect(await published()).toEqual(all().filter((address) => address !== gone));
    for (const address of addresses) world.lab.fake.faults.setMemberDown(address, true);
    await world.clock.advance(300_000);
    expect((await published()).length).toBeGreaterThan(0);
    for (const address of addresses) world.lab.fake.faults.setMemberDown(address, false);
    await world.clock.advance(90_000);
    expect(await published()).toEqual(all());
  });

  test("loses a zone whose balancer is dead although machines of other zones answer behind it, and gets it back", async () => {
    await cluster({ [publish]: "true" });
    await world.patch("blue", { spec: { apiServerLoadBalancer: { allowCrossAZLoadBalancerMembers: true } } });
    await world.clock.advance(60_000);
    const gone = floatingIps(world).find(({ tags }) => tags.includes("mainstay-zone=az2"))?.address;
    world.lab.fake.faults.darkenZone("az2", "stuck");
    await world.clock.advance(90_000);
    expect(await published()).toEqual(all().filter((address) => address !== gone));
    expect(await world.notes()).toContainEqual(
      expect.stringContaining("Octavia says ERROR of the load balancer itself"),
    );
    world.lab.fake.faults.lightenZone("az2");
    await world.clock.advance(90_000);
    expect(await published()).toEqual(all());
  });

  test("loses no zone over an additional port on which nobody answers", async () => {
    const addresses = await cluster({ [publish]: "true" });
    await world.patch("blue", { spec: { apiServerLoadBalancer: { additionalPorts: [9345] } } });
    await world.clock.advance(60_000);
    world.lab.fake.faults.setMemberDown(`${addresses[1]}:9345`, true);
    await world.clock.advance(120_000);
    expect(await published()).toEqual(all());
  });

  test("loses a zone that dies while Neutron is away, and no other; also across a restart", async () => {
    const addresses = await cluster({ [publish]: "true" });
    const before = await published();
    const gone = floatingIps(world).find(({ tags }) => tags.includes("mainstay-zone=az1"))?.address;
    const healthy = before.filter((address) => address !== gone);
    world.lab.fake.addCallPlan(({ service }) => (service === "neutron" ? { turnAway: { status: 503 } } : undefined));
    world.lab.fake.faults.setMemberDown(addresses[0] ?? "", true);
    for (let minutes = 0; minutes < 4; minutes += 0.5) {
      await world.clock.advance(30_000);
      expect(await published()).toEqual(expect.arrayContaining(healthy));
      if (minutes !== 2) continue;
      await running.manager.stop();
      running = world.work();
    }
    expect(await published()).toEqual(healthy);
  });

  test("does not take a dead zone in because its monitor is gone, and the last member elsewhere does not leave for it", async () => {
    const [last = "", ...dead] = await cluster({ [publish]: "true" });
    for (const address of dead) world.lab.fake.faults.setMemberDown(address, true);
    await world.clock.advance(120_000);
    const alone = await published();
    expect(alone).toHaveLength(1);
    const held = { name: "blue-az1", namespace };
    await world.kube.patch(machines, held, { type: "merge", body: { metadata: { finalizers: ["test/held"] } } });
    await world.kube.delete(machines, held);
    const { healthmonitors } = world.lab.fake.cloud.tables;
    const [monitor] = healthmonitors.all().filter(({ name }) => name.includes("az2"));
    const allow = world.lab.fake.addCallPlan(({ operation }) =>
      operation === "create health monitor" ? { turnAway: { status: 403, message: "quota" } } : undefined,
    );
    const lost = world.cloud.octavia.deleteHealthMonitor(monitor?.id ?? "");
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await world.clock.advance(60_000);
      expect(membersOf(world, "az1")).toEqual([last]);
      expect(await published()).toEqual(alone);
    }
    await lost;
    const health = async () =>
      (await world.read("blue")).status?.apiServerLoadBalancers?.find((one) => one.availabilityZone === "az2")?.health;
    expect(await health()).toBe("Unknown");
    allow();
    for (const address of dead) world.lab.fake.faults.setMemberDown(address, false);
    await world.clock.advance(600_000);
    expect(await health()).toBe("Healthy");
    expect(membersOf(world, "az1")).toEqual([]);
    expect(await published()).toEqual(all().filter((address) => !alone.includes(address)));
  });

  test("loses a dead zone also while status cannot be written, and takes it back", async () => {
    const [, dead = ""] = await cluster({ [publish]: "true" });
    await running.manager.stop();
    let isRefused = false;
    const through = (kube: Kube): Kube => ({
      ...kube,
      apply: (kind, object, options) => {
        if (!isRefused || options.subresource !== "status") return kube.apply(kind, object, options);
        throw new KubeError({ code: "Forbidden", message: "status may not be written", hint: "" });
      },
    });
    running = world.manager({ through });
    await world.clock.advance(60_000);
    const before = await published();
    isRefused = true;
    world.lab.fake.faults.setMemberDown(dead, true);
    await world.clock.advance(180_000);
    expect(await published()).toHaveLength(before.length - 1);
    world.lab.fake.faults.setMemberDown(dead, false);
    await world.clock.advance(180_000);
    expect(await published()).toEqual(before);
  });

  test("loses a dead zone although a manager whose clock was ahead wrote down since when it is dead", async () => {
    const [, dead = ""] = await cluster({ [publish]: "true" });
    await running.manager.stop();
    const ahead: Clock = {
      nowMs: () => world.clock.nowMs() + 7_200_000,
      monotonicMs: () => world.clock.monotonicMs(),
      after: (delayMs, call) => world.clock.after(delayMs, call),
    };
    running = world.manager({ clock: ahead });
    await world.clock.advance(60_000);
    world.lab.fake.faults.setMemberDown(dead, true);
    const isBad = async () =>
      (await world.read("blue")).status?.apiServerLoadBalancers?.some(({ dns }) => dns?.badSince !== undefined);
    while ((await isBad()) !== true) await world.clock.advance(1_000);
    const stopped = running.manager.stop();
    await world.clock.advance(1_000);
    await stopped;
    expect(await published()).toHaveLength(3);
    running = world.work();
    await world.clock.advance(120_000);
    expect(await published()).toHaveLength(2);
  });

  test("goes when nobody asks any more, and with the cluster", async () => {
    await cluster({ [publish]: "true" });
    await world.patch("blue", { metadata: { annotations: { [publish]: null } } });
    await world.clock.advance(60_000);
    await expect(world.kube.get(dnsEndpoints, ref)).rejects.toMatchObject({ code: "NotFound" });
  });

  test("of somebody else under our name is left alone, and said", async () => {
    const theirs = [{ dnsName: "other.example.com", recordType: "A", targets: ["192.0.2.1"] }];
    await world.kube.create(dnsEndpoints, {
      apiVersion: "externaldns.k8s.io/v1alpha1",
      kind: "DNSEndpoint",
      metadata: ref,
      spec: { endpoints: theirs },
    });
    await cluster({ [publish]: "true" });
    expect((await world.kube.get(dnsEndpoints, ref)).spec?.endpoints).toEqual(theirs);
    expect(await world.notes()).toContainEqual(expect.stringContaining("does not bear our mark"));
  });

  test("that lost our label is left alone, and no address that it names is given back with its zone", async () => {
    await cluster({ [publish]: "true" });
    const before = await published();
    const { labels = {} } = (await world.kube.get(dnsEndpoints, ref)).metadata;
    const none = Object.fromEntries(Object.keys(labels).map((label) => [label, null]));
    await world.kube.patch(dnsEndpoints, ref, { type: "merge", body: { metadata: { labels: none } } });
    await world.patch("blue", { spec: { apiServerLoadBalancer: world.zones(["az1", "az2"]) } });
    await world.clock.advance(300_000);
    const given = world.lab.fake.cloud.tables.floatingips.all().map(({ address }) => address);
    expect([await published(), given.toSorted()]).toEqual([before, before]);
    await world.kube.delete(dnsEndpoints, ref);
    await world.clock.advance(300_000);
    expect(await published()).toHaveLength(2);
    expect(world.lab.fake.cloud.tables.floatingips.all()).toHaveLength(2);
  });
});
