// A block under the name that the other version has for it, where no webhook kept it out: the controller takes it for what it is.

import { expect, test } from "vitest";
import { remainderAnnotation } from "../../../src/apis/kube/conversion-remainder.ts";
import { membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld } from "../world/endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };

/** As conversion keeps what somebody wrote in v1beta2 under a name of v1beta1. */
function strayNote(was: object): Readonly<Record<string, string>> {
  return { [remainderAnnotation("v1beta2")]: JSON.stringify([{ at: ["spec", "apiServerLoadBalancer"], was }]) };
}

test("nothing is made for an object whose block has no effect, and its condition says where it belongs", async () => {
  const world = new EndpointWorld();
  await world.furnish();
  const { manager } = world.work();
  await world.cluster("blue", { annotations: strayNote(world.zones()) });
  await world.clock.advance(60_000);
  const ready = (await world.read("blue")).status?.conditions?.find(({ type }) => type === "Ready");
  expect(ready).toMatchObject({ status: "False", reason: "EndpointSpecInvalid" });
  expect(ready?.message).toContain("spec.apiServerLoadBalancer: it is the name of v1beta1");
  expect(ready?.message).toContain("Write spec.apiServer.managedLoadBalancer instead");
  expect((await world.read("blue")).spec?.controlPlaneEndpoint).toBeUndefined();
  expect(await world.balancers()).toEqual([]);

  await world.patch("blue", {
    metadata: { annotations: { [remainderAnnotation("v1beta2")]: null } },
    spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones() },
  });
  await world.clock.advance(120_000);
  expect(await world.balancers()).toHaveLength(3);
  await manager.stop();
});

test("balancers whose block was put under the wrong name stay, and machines still come and go behind them", async () => {
  const world = new EndpointWorld();
  await world.furnish();
  const { manager } = world.work();
  await world.cluster("blue", { spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones() } });
  await world.machine("blue", "az1");
  await world.clock.advance(120_000);
  const before = await world.balancers();
  await world.patch("blue", {
    metadata: { annotations: strayNote(world.zones()) },
    spec: { apiServerLoadBalancer: null },
  });
  const address = await world.machine("blue", "az2");
  await world.clock.advance(120_000);
  expect((await world.balancers()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(membersOf(world, "az2")).toEqual([address]);
  await manager.stop();
});
