// A floating IP that somebody has put to use before our change arrives stays with them: it is not attached, detached or deleted by what it was like
// when we looked. With every Neutron: one that compares revisions, and one that has to be asked again. Changes of the same moment are another
// matter: Neutron makes several of them, and no test here says otherwise.

import { afterEach, describe, expect, test } from "vitest";
import { machines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { events } from "../../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { addPort } from "../../../src/sim/fakes/openstack/cloud-setup.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, floatingIps } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

let running: TestManager | undefined;
afterEach(async () => await running?.manager.stop());

async function furnished(neutronRevisions: boolean): Promise<EndpointWorld> {
  const world = new EndpointWorld({ cloud: { neutronRevisions } });
  await world.furnish();
  return world;
}

async function begin(world: EndpointWorld, address?: string): Promise<void> {
  running = world.work();
  const apiServerFloatingIP = address === undefined ? {} : { apiServerFloatingIP: address };
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  const spec = { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(["az1"]), ...apiServerFloatingIP };
  await world.cluster("blue", { spec });
  await world.machine("blue", "az1");
}

async function byHand<T>(world: EndpointWorld, call: Promise<T>): Promise<T> {
  await world.clock.advance(1_000);
  return await call;
}

function vmPort({ lab }: EndpointWorld) {
  const { fake, projectId, networkId, subnetIds } = lab;
  return addPort(fake.cloud, { projectId, networkId, subnetId: subnetIds[1] });
}

/** They put it on a machine of theirs when our change is on its way, a moment before it arrives. */
function putToUseMeanwhile(world: EndpointWorld, operation: string, id: string): string {
  const { id: portId, fixedIps } = vmPort(world);
  const fixedAddress = fixedIps[0]?.address ?? "";
  const { fake } = world.lab;
  const stop = fake.addCallPlan((call) => {
    if (call.operation !== operation || call.target !== id) return undefined;
    stop();
    const { floatingips } = fake.cloud.tables;
    world.clock.after(500, () => {
      const { revisionNumber = 0 } = floatingips.get(id) ?? {};
      floatingips.patch(id, { portId, fixedAddress, revisionNumber: revisionNumber + 1 });
    });
    return { delayMs: 1_000 };
  });
  return portId;
}

const portOf = (world: EndpointWorld, id: string) => floatingIps(world).find((one) => one.id === id)?.portId;

async function warnings(world: EndpointWorld): Promise<readonly string[]> {
  const { items } = await world.kube.list<KubeObject & { readonly type?: string; readonly reason?: string }>(events);
  return items.flatMap(({ type, reason = "" }) => (type === "Warning" ? reason : []));
}

describe.each([
  ["compares revisions", true],
  ["compares none", false],
])("where Neutron %s, a floating IP", (_, neutronRevisions) => {
  test("that is named, cannot be attached, and is used elsewhere by the next try is not taken from there", async () => {
    const world = await furnished(neutronRevisions);
    const { neutron } = world.cloud;
    const { externalNetworkId: floatingNetworkId, fake, routerId, subnetIds } = world.lab;
    const own = await byHand(world, neutron.createFloatingIp({ floatingNetworkId, description: "an operator's" }));
    const { routers } = fake.cloud.tables;
    routers.patch(routerId, { subnetIds: subnetIds.slice(1) });
    await begin(world, own.address);
    await world.clock.advance(240_000);
    const port = vmPort(world).id;
    await byHand(world, neutron.updateFloatingIp(own.id, { portId: port }));
    routers.patch(routerId, { subnetIds });
    fake.resetCounts();
    await world.clock.advance(1_800_000);
    expect(portOf(world, own.id)).toBe(port);
    expect(fake.counts().get("neutron update floating ip")).toBeLessThanOrEqual(1);
    expect(await world.notes()).toContainEqual(expect.stringContaining(`attached to port ${port}`));
    expect(await warnings(world)).not.toContain("OpenStackObjectChanged");
    await byHand(world, neutron.updateFloatingIp(own.id, { portId: null }));
    await world.clock.advance(900_000);
    expect(portOf(world, own.id)).toBe(balancerNamed(world, "az1").vipPortId);
  });

  test("that is used elsewhere while it is being attached stays there", async () => {
    const world = await furnished(neutronRevisions);
    const { externalNetworkId: floatingNetworkId } = world.lab;
    const wanted = { floatingNetworkId, description: "an operator's" };
    const own = await byHand(world, world.cloud.neutron.createFloatingIp(wanted));
    const port = putToUseMeanwhile(world, "update floating ip", own.id);
    await begin(world, own.address);
    await world.clock.advance(300_000);
    expect(portOf(world, own.id)).toBe(port);
    expect(await warnings(world)).not.toContain("OpenStackObjectChanged");
  });

  test("that is used elsewhere while it is being deleted stays there, and is there", async () => {
    const world = await furnished(neutronRevisions);
    await begin(world);
    await world.clock.advance(60_000);
    const [{ id } = { id: "" }] = floatingIps(world);
    const port = putToUseMeanwhile(world, "delete floating ip", id);
    await world.kube.delete(machines, { name: "blue-az1", namespace });
    await world.remove("blue");
    await world.clock.advance(300_000);
    expect(portOf(world, id)).toBe(port);
    expect(await world.notes()).toContainEqual(expect.stringContaining(`attached it to port ${port}`));
  });

  test("that is used elsewhere while it is being detached stays there", async () => {
    const world = await furnished(neutronRevisions);
    await begin(world);
    await world.clock.advance(60_000);
    const [{ id } = { id: "" }] = floatingIps(world);
    const { id: balancerId, vipAddress } = balancerNamed(world, "az1");
    const { fake, projectId, networkId, subnetIds } = world.lab;
    fake.onChange((changed) => {
      if (changed.id !== balancerId || changed.after !== undefined) return;
      const left = addPort(fake.cloud, { projectId, networkId, subnetId: subnetIds[0], address: vipAddress });
      fake.cloud.tables.floatingips.patch(id, { portId: left.id, fixedAddress: vipAddress });
    });
    const port = putToUseMeanwhile(world, "update floating ip", id);
    await world.kube.delete(machines, { name: "blue-az1", namespace });
    await world.remove("blue");
    await world.clock.advance(300_000);
    expect(portOf(world, id)).toBe(port);
  });
});
