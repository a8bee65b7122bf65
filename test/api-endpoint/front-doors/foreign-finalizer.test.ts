// An object that CAPO once looked after bears CAPO's finalizer. CAPO leaves alone what somebody else manages, so nobody would ever
// remove it: people are told before the hand-over, and again when a deletion hangs on it.

import { expect, test } from "vitest";
import { capoFinalizer } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { mainstay } from "../world/endpoint-commands.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };

async function handedOver(): Promise<EndpointWorld> {
  const world = new EndpointWorld();
  await world.furnish();
  await world.cluster("blue", { spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones() } });
  await world.patch("blue", { metadata: { finalizers: [capoFinalizer] } });
  return world;
}

const ready = async (world: EndpointWorld) =>
  (await world.read("blue")).status?.conditions?.find(({ type }) => type === "Ready");

test("a deletion that hangs on it leaves nothing in the cloud, says what holds the object, and ends when it goes", async () => {
  const world = await handedOver();
  const { manager } = world.work();
  await world.clock.advance(120_000);
  expect(await world.balancers()).toHaveLength(3);
  await world.remove("blue");
  await world.clock.advance(120_000);
  expect(await world.balancers()).toEqual([]);
  const held = await world.read("blue");
  expect(held.metadata.finalizers).toEqual([capoFinalizer]);
  expect(await ready(world)).toMatchObject({ status: "False", reason: "ForeignFinalizer" });
  expect((await ready(world))?.message).toContain(capoFinalizer);
  expect([held.status?.apiServerLoadBalancers, held.status?.apiServerLoadBalancer]).toEqual([undefined, undefined]);
  expect((await world.notes()).filter((note) => note.includes(capoFinalizer))).toHaveLength(1);
  const explained = await mainstay(world, ["explain", `openstackcluster/${namespace}/blue`]);
  expect(explained.out).toContain("ForeignFinalizer");
  expect(explained.out).toContain(`finalizer ${capoFinalizer} still holds it`);

  // Saying it costs nothing: the object is as it was, whatever time passes.
  const before = (await world.read("blue")).metadata.resourceVersion;
  await world.clock.advance(600_000);
  expect((await world.read("blue")).metadata.resourceVersion).toBe(before);
  await world.patch("blue", { metadata: { finalizers: [] } });
  await expect(world.read("blue")).rejects.toMatchObject({ code: "NotFound" });
  await world.clock.advance(60_000);
  await manager.stop();
});

test("somebody else's finalizer is named, too, and the garbage collector's is not", async () => {
  const world = await handedOver();
  const { manager } = world.work();
  await world.patch("blue", { metadata: { finalizers: ["backup.example.com/kept", "foregroundDeletion"] } });
  await world.clock.advance(120_000);
  await world.remove("blue");
  await world.clock.advance(120_000);
  const { message = "" } = (await ready(world)) ?? {};
  expect(message).toContain("backup.example.com/kept");
  expect(message).not.toContain("foregroundDeletion");
  await manager.stop();
});

test("migrate --check finds it, and has the step that removes it", async () => {
  const world = await handedOver();
  const check = ["migrate", "api-endpoint", "--check", `${namespace}/blue`];
  const { code, out } = await mainstay(world, check);
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`finalizer: ${capoFinalizer} is CAPO's`));
  expect(out).toMatch(new RegExp(`you: remove ${capoFinalizer} from openstackcluster ${namespace}/blue`));
  await world.patch("blue", { metadata: { finalizers: [] }, spec: { managedSecurityGroups: {} } });
  expect((await mainstay(world, check)).out).not.toContain(capoFinalizer);
  await world.patch("blue", { metadata: { finalizers: [capoFinalizer] } });
  expect((await mainstay(world, check)).out).toContain("managedSecurityGroups");
});
