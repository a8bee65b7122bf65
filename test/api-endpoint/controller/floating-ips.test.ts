import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { machines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { present } from "../../../src/core/present.ts";
import { ownerIdAnnotation } from "../../../src/jobs/api-endpoint/apis/annotations.ts";
import { floatingIpDescription } from "../../../src/jobs/api-endpoint/core/model/names.ts";
import { addPort } from "../../../src/sim/fakes/openstack/cloud-setup.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, countsByKind, floatingIps } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
  await world.cluster("blue", {
    spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones(["az1"]) },
  });
  await world.machine("blue", "az1");
  await world.clock.advance(60_000);
});

afterEach(async () => {
  await running.manager.stop();
});

async function deleted(): Promise<void> {
  await world.kube.delete(machines, { name: "blue-az1", namespace });
  await world.remove("blue");
}

const isGone = async () =>
  await world.read("blue").then(
    () => false,
    () => true,
  );

function portAt(address?: string) {
  const { fake, networkId, projectId, subnetIds } = world.lab;
  const place = { projectId, networkId, subnetId: subnetIds[0] };
  return addPort(fake.cloud, { ...place, ...present({ address }) });
}

async function change(call: Promise<unknown>): Promise<void> {
  await world.clock.advance(1_000);
  await call;
}

describe("a floating IP of ours when the cluster is deleted", () => {
  test("on somebody's port it stays there, said once, and the cluster with it; detached by them it goes", async () => {
    const [{ id, address } = { id: "", address: "" }] = floatingIps(world);
    const port = portAt();
    const { neutron } = world.cloud;
    await change(neutron.updateFloatingIp(id, { portId: port.id }));
    await deleted();
    await world.clock.advance(300_000);
    expect(countsByKind(world)).toMatchObject({ loadbalancers: 0, floatingips: 1 });
    expect(floatingIps(world)).toMatchObject([{ id, portId: port.id }]);
    expect(await isGone()).toBe(false);
    const said = (await world.notes()).filter((note) => note.includes(`floating IP ${address}: no longer wanted here`));
    expect(said).toEqual([expect.stringContaining(`attached it to port ${port.id}`)]);
    await change(neutron.updateFloatingIp(id, { portId: null }));
    await world.clock.advance(120_000);
    expect([countsByKind(world)["floatingips"], await isGone()]).toEqual([0, true]);
  });

  test("on a VIP that Octavia left behind it is detached and deleted", async () => {
    const { id: balancerId, vipAddress } = balancerNamed(world, "az1");
    const [{ id } = { id: "" }] = floatingIps(world);
    const { fake } = world.lab;
    let left = "";
    fake.onChange((changed) => {
      if (changed.id !== balancerId || changed.after !== undefined) return;
      left = portAt(vipAddress).id;
      fake.cloud.tables.floatingips.patch(id, { portId: left, fixedAddress: vipAddress });
    });
    await deleted();
    await world.clock.advance(120_000);
    expect(left).not.toBe("");
    expect([countsByKind(world)["floatingips"], await isGone()]).toEqual([0, true]);
    expect(await world.notes()).toContainEqual(expect.stringContaining("Detached floating IP"));
  });

  test("it goes although it was never tagged and no status names its zone; somebody else's stays", async () => {
    const { externalNetworkId: floatingNetworkId } = world.lab;
    const ownerId = (await world.read("blue")).metadata.annotations?.[ownerIdAnnotation] ?? "";
    const { neutron } = world.cloud;
    const wanted = (owner: string) => ({ floatingNetworkId, description: floatingIpDescription(owner, "az9") });
    await change(neutron.createFloatingIp(wanted(ownerId)));
    await change(neutron.createFloatingIp(wanted(`${ownerId}0`)));
    await deleted();
    await world.clock.advance(120_000);
    expect(await isGone()).toBe(true);
    expect(floatingIps(world)).toMatchObject([{ description: floatingIpDescription(`${ownerId}0`, "az9") }]);
  });
});

test.each([403, 409, 500])(
  "one that Neutron refuses to delete (%d) is named in Ready, with what to do, and goes when it may",
  async (status) => {
    const [{ address } = { address: "" }] = floatingIps(world);
    const stop = world.lab.fake.addCallPlan(({ operation }) =>
      operation === "delete floating ip" ? { turnAway: { status } } : undefined,
    );
    await deleted();
    await world.clock.advance(300_000);
    const { conditions = [] } = (await world.read("blue")).status ?? {};
    expect(conditions.find(({ type }: { readonly type: string }) => type === "Ready")).toMatchObject({
      status: "False",
      message: expect.stringMatching(
        new RegExp(`floating IP ${address}: Neutron refuses to delete it.*openstack floating ip delete`),
      ),
    });
    stop();
    await world.clock.advance(600_000);
    expect(floatingIps(world)).toEqual([]);
    expect(await isGone()).toBe(true);
  },
);

test("one that somebody detaches each time is attached ever less often, and people are told", async () => {
  const { floatingips } = world.lab.fake.cloud.tables;
  let attached = 0;
  world.lab.fake.addCallPlan(({ operation }) => {
    if (operation.startsWith("update floating ip")) attached += 1;
    return undefined;
  });
  const undo = (): void => {
    for (const { portId, fixedAddress: _, ...free } of floatingips.all())
      if (portId !== undefined) floatingips.replace({ ...free, revisionNumber: free.revisionNumber + 1 });
    world.clock.after(20_000, undo);
  };
  undo();
  await world.clock.advance(3_600_000);
  expect(attached).toBeGreaterThan(3);
  expect(attached).toBeLessThanOrEqual(20);
  const warnings = (await world.events()).filter(({ type, reason }) => type === "Warning" && reason === "StepRepeated");
  expect(warnings).not.toEqual([]);
});
