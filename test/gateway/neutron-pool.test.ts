// Services through a pool with addresses from Neutron: ports, floating IPs and the gateways' address pairs, and who suffers when one fails.

import { afterEach, beforeEach, expect, test } from "vitest";
import {
  dedicatedAnnotation,
  inboundPortAnnotation,
  referenceManagedAnnotation,
  referencePortAnnotation,
} from "../../src/jobs/gateway/apis/annotations.ts";
import { gatewayPools } from "../../src/jobs/gateway/apis/gateway-pool.ts";
import { lbaasTag, poolMark } from "../../src/jobs/gateway/core/situation/marks.ts";
import type { TestManager } from "../support/test-manager.ts";
import { GatewayWorld } from "./world/gateway-world.ts";

let world: GatewayWorld;
let running: TestManager;
let gatewayPorts: readonly string[];
const alone = { annotations: { [dedicatedAnnotation]: "true" } };

beforeEach(async () => {
  world = new GatewayWorld();
  await world.furnish();
  gatewayPorts = await world.cloudPool("public");
  running = world.work();
  await world.clock.advance(10_000);
});
afterEach(async () => {
  const stopped = running.manager.stop();
  await world.clock.advance(40_000);
  await stopped;
});

const settle = (ms = 30_000) => world.clock.advance(ms);

async function pairs(): Promise<readonly (readonly string[])[]> {
  const found = await Promise.all(gatewayPorts.map((id) => world.neutron.getPort(id)));
  return found.map(({ allowedAddressPairs }) => allowedAddressPairs.map(({ address }) => address).toSorted());
}

const floatingIps = () => world.lab.fake.cloud.tables.floatingips.all();

test("a new Service costs four calls to Neutron that change something, and no list", async () => {
  world.lab.fake.resetCounts();
  await world.service("web");
  await settle(10_000);
  expect(await world.addresses("web")).toEqual([floatingIps()[0]?.address]);
  const calls = [...world.lab.fake.counts()].filter(([call]) => call.startsWith("neutron"));
  expect(Object.fromEntries(calls)).toEqual({
    "neutron create port": 1,
    "neutron create floating ip": 1,
    "neutron update port": 2,
  });
});

test("everything in Neutron goes with its last Service, and the gateways' own pairs stay", async () => {
  const [first = ""] = gatewayPorts;
  await world.neutron.updatePort(first, { allowedAddressPairs: [{ address: "10.0.1.250" }] });
  await settle(90_000);
  await world.service("web");
  await settle();
  expect(await world.inNeutron()).toEqual({ ports: 1, floatingIps: 1 });
  const [vip = ""] =
    world.agents
      .get("gw1")
      ?.agent.document()
      ?.addresses.map(({ address }) => address) ?? [];
  expect(await pairs()).toEqual([[vip, "10.0.1.250", "10.1.0.100"].toSorted(), [vip, "10.1.0.100"].toSorted()]);
  await world.deleteService("web");
  await settle();
  expect(await world.hasService("web")).toBe(false);
  expect(await world.inNeutron()).toEqual({ ports: 0, floatingIps: 0 });
  expect(await pairs()).toEqual([["10.0.1.250", "10.1.0.100"], ["10.1.0.100"]]);
});

test("a quota that is used up is the trouble of one Service, which gets its address when there is room", async () => {
  await world.service("web", alone);
  await settle();
  world.lab.fake.faults.setQuota(world.lab.projectId, "floatingip", 1);
  await world.service("late", alone);
  await settle();
  expect(await world.addresses("late")).toEqual([]);
  expect(await world.eventsOn("late")).toEqual(["OpenStackQuotaExceeded"]);
  expect(await world.eventsOn("web")).toEqual([]);
  expect(await world.addresses("web")).toHaveLength(1);
  world.lab.fake.faults.setQuota(world.lab.projectId, "floatingip", 5);
  await settle(600_000);
  expect(await world.addresses("late")).toHaveLength(1);
});

test("an hour of the same failure costs few calls, few writes and one Event", async () => {
  world.lab.fake.faults.setQuota(world.lab.projectId, "port", 2);
  await world.service("late");
  await settle();
  world.lab.fake.resetCounts();
  const before = running.writes.length;
  await settle(3_600_000);
  expect(world.lab.fake.counts().get("neutron create port") ?? 0).toBeLessThan(20);
  const writes = running.writes.slice(before).filter((write) => !write.endsWith("leases.coordination.k8s.io"));
  expect(writes.length).toBeLessThan(20);
  expect(await world.eventsOn("late")).toEqual(["OpenStackQuotaExceeded"]);
});

test("a floating IP that an admin removed is made again, and the Service shows the new address", async () => {
  await world.service("web");
  await settle();
  const [old] = floatingIps();
  await world.neutron.deleteFloatingIp(old?.id ?? "");
  await settle(150_000);
  const [now, ...more] = floatingIps();
  expect(more).toEqual([]);
  expect(now?.id).not.toBe(old?.id);
  expect(await world.addresses("web")).toEqual([now?.address]);
});

test("annotations that somebody strips come back, with the same port and the same address", async () => {
  await world.service("web", alone);
  await world.service("mail", alone);
  await settle();
  const before = await world.addresses("mail");
  const { annotations = {} } = (await world.getService("mail")).metadata;
  const none = Object.fromEntries(Object.keys(annotations).map((name) => [name, null]));
  await world.change("mail", { metadata: { annotations: { ...none, ...alone.annotations }, finalizers: [] } });
  await settle();
  const port = (await world.getService("mail")).metadata.annotations?.[inboundPortAnnotation];
  expect(port).toBe(annotations[inboundPortAnnotation]);
  expect(await world.addresses("mail")).toEqual(before);
  expect(await world.inNeutron()).toEqual({ ports: 2, floatingIps: 2 });
});

test("a port of somebody else in the annotation is not used, and the Service is told", async () => {
  const foreign = await world.port("a machine");
  await world.service("web", { annotations: { [inboundPortAnnotation]: foreign } });
  await settle();
  const { metadata } = await world.getService("web");
  expect(metadata.annotations?.[inboundPortAnnotation]).not.toBe(foreign);
  expect(await world.eventsOn("web")).toEqual(["ServiceAddressChanged"]);
  expect(await world.addresses("web")).toHaveLength(1);
  await world.deleteService("web");
  await settle();
  expect((await world.neutron.getPort(foreign)).id).toBe(foreign);
});

test("what ch-k8s-lbaas made is taken over with its address, and marked", async () => {
  const place = { networkId: world.lab.networkId, subnetId: world.lab.subnetIds[0] };
  const description = "Managed by cah-loadbalancer";
  const port = await world.neutron.createPort({ ...place, name: "", description, deviceId: "", tags: [lbaasTag] });
  const floating = { floatingNetworkId: world.lab.externalNetworkId, portId: port.id, description };
  const { id, address } = await world.neutron.createFloatingIp(floating);
  await world.neutron.replaceTags("floatingips", id, [lbaasTag]);
  const annotations = { [referenceManagedAnnotation]: "true", [referencePortAnnotation]: port.id };
  await world.service("web", { annotations });
  await settle();
  expect(await world.addresses("web")).toEqual([address]);
  expect((await world.getService("web")).metadata.annotations).toMatchObject(annotations);
  expect((await world.neutron.getPort(port.id)).description).toBe(poolMark("cluster-1", "public"));
  await world.deleteService("web");
  await settle();
  expect(await world.inNeutron()).toEqual({ ports: 0, floatingIps: 0 });
});

test("what nobody uses and this leader never saw in use goes after a while, and nothing of another cluster does", async () => {
  const place = { networkId: world.lab.networkId, subnetId: world.lab.subnetIds[0], name: "", deviceId: "", tags: [] };
  const floating = { floatingNetworkId: world.lab.externalNetworkId };
  for (const cluster of ["cluster-1", "cluster-2"]) {
    const description = poolMark(cluster, "public");
    await world.neutron.createPort({ ...place, description });
    await world.neutron.createFloatingIp({ ...floating, description });
  }
  await settle(300_000);
  expect(await world.inNeutron()).toEqual({ ports: 2, floatingIps: 2 });
  await settle(900_000);
  expect(await world.inNeutron()).toEqual({ ports: 1, floatingIps: 1 });
  expect(floatingIps()[0]?.description).toBe(poolMark("cluster-2", "public"));
});

test("a gateway that does not answer loses the pair of an address that is released, and holds up nothing", async () => {
  await world.service("web");
  await settle();
  world.feed.fate = ({ url }) => (url === "http://gw2" ? "silent" : "works");
  await settle();
  await world.deleteService("web");
  await settle();
  expect(await world.hasService("web")).toBe(false);
  expect(world.carried("gw2")).toHaveLength(1);
  expect(await pairs()).toEqual([["10.1.0.100"], ["10.1.0.100"]]);
  expect(await world.inNeutron()).toEqual({ ports: 0, floatingIps: 0 });
});

test("a restart changes nothing in Neutron and nothing on Services", async () => {
  await world.service("web");
  await settle();
  const before = [await world.addresses("web"), await pairs(), await world.inNeutron()];
  const stopped = running.manager.stop();
  await settle();
  await stopped;
  world.lab.fake.resetCounts();
  running = world.work();
  await settle(1_200_000);
  expect([await world.addresses("web"), await pairs(), await world.inNeutron()]).toEqual(before);
  const changes = [...world.lab.fake.counts().keys()].filter((call) => /neutron (create|update|delete)/.test(call));
  expect(changes).toEqual([]);
  expect(running.writes.filter((write) => write.endsWith(" services"))).toEqual([]);
});

test("credentials that are gone first keep what is in Neutron, and it goes when they are back", async () => {
  await world.service("web");
  await settle();
  await world.deleteSecret("cloud");
  await settle(120_000);
  expect(await world.addresses("web")).toHaveLength(1);
  await world.kube.delete(gatewayPools, { name: "public" });
  await settle(120_000);
  expect(await world.inNeutron()).toEqual({ ports: 1, floatingIps: 1 });
  const ready = (await world.getPool("public")).status?.conditions?.find(({ type }) => type === "Ready");
  expect(ready?.reason).toBe("PoolCredentialsUnusable");
  await world.furnishCloud();
  await settle(300_000);
  expect(await world.inNeutron()).toEqual({ ports: 0, floatingIps: 0 });
  await expect(world.getPool("public")).rejects.toThrow(/not found/);
});
