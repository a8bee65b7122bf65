// Somebody cleared the tags of balancers and of everything below them. What status names by id, with our name and in its place, is still
// ours, through both doors: its tags come back, and when its object goes it goes, too.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clusters } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { ownerTag } from "../../../src/jobs/api-endpoint/core/model/ownership.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, countsByKind, membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const ref = { name: "blue", namespace };
const endpoint = { host: "api.blue.example.com", port: 6443 };
const nothing = { loadbalancers: 0, listeners: 0, pools: 0, members: 0, healthmonitors: 0, floatingips: 0 };
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
});
afterEach(() => running.manager.stop());

const doors: readonly (readonly ["OpenStackCluster" | "APIEndpoint", Kind])[] = [
  ["OpenStackCluster", openStackClusters],
  ["APIEndpoint", apiEndpoints],
];

type Shape = "zones" | "single";

const blockOf = (shape: Shape) => (shape === "zones" ? world.zones() : { enabled: true });

async function begin(door: (typeof doors)[number][0], shape: Shape = "zones"): Promise<void> {
  const spec = { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: blockOf(shape) };
  if (door === "OpenStackCluster") await world.cluster("blue", { spec });
  else {
    await world.put(clusters, "blue", {});
    await world.kube.create(apiEndpoints, world.apiEndpoint("blue", spec));
  }
  await world.machine("blue", "az1");
  await world.clock.advance(180_000);
}

/** As an operator with a script does it: on the balancers and on all that is below them. */
function clearTags(): void {
  const { loadbalancers, listeners, pools, healthmonitors, members, floatingips } = world.lab.fake.cloud.tables;
  for (const row of loadbalancers.all()) loadbalancers.replace({ ...row, tags: [] });
  for (const row of listeners.all()) listeners.replace({ ...row, tags: [] });
  for (const row of pools.all()) pools.replace({ ...row, tags: [] });
  for (const row of healthmonitors.all()) healthmonitors.replace({ ...row, tags: [] });
  for (const row of members.all()) members.replace({ ...row, tags: [] });
  for (const row of floatingips.all()) floatingips.replace({ ...row, tags: [] });
}

async function whileStopped(change: () => Promise<unknown>): Promise<void> {
  await running.manager.stop();
  await change();
  running = world.work();
  await world.clock.advance(600_000);
}

const idsAndTags = () => {
  const { loadbalancers, listeners, pools, healthmonitors } = world.lab.fake.cloud.tables;
  return [loadbalancers, listeners, pools, healthmonitors]
    .flatMap((table) => table.all() as readonly { readonly id: string; readonly tags: readonly string[] }[])
    .map(({ id, tags }) => ({ id, tags: tags.toSorted() }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
};

describe.each(doors)("through an %s", (door, kind) => {
  test.each(["zones", "single"] as const)("balancers keep their places and get their tags back: %s", async (shape) => {
    await begin(door, shape);
    const before = idsAndTags();
    await whileStopped(async () => clearTags());
    expect(idsAndTags()).toEqual(before);
  });

  test("a balancer gets them back while a manager watches", async () => {
    await begin(door);
    const before = idsAndTags();
    const cleared = world.cloud.octavia.updateLoadBalancer(balancerNamed(world, "az2").id, { tags: [] });
    await world.clock.advance(300_000);
    await cleared;
    expect(idsAndTags()).toEqual(before);
  });

  test("deleted while no manager runs, it leaves nothing", async () => {
    await begin(door);
    await whileStopped(async () => {
      clearTags();
      await world.kube.delete(kind, ref);
      await world.removeMachine("blue-az1");
    });
    expect(countsByKind(world)).toEqual(nothing);
    await expect(world.kube.get(kind, ref)).rejects.toMatchObject({ code: "NotFound" });
  });

  describe("with status lost, too, as after a move", () => {
    const loseBoth = async () => {
      const { loadbalancers } = world.lab.fake.cloud.tables;
      for (const row of loadbalancers.all()) loadbalancers.replace({ ...row, tags: [] });
      await world.kube.patch(kind, ref, { type: "merge", body: { status: null } }, { subresource: "status" });
    };

    test.each(["zones", "single"] as const)("what is below them says whose they are: %s", async (shape) => {
      await begin(door, shape);
      const before = idsAndTags();
      await whileStopped(loseBoth);
      expect(idsAndTags()).toEqual(before);
      await world.kube.delete(kind, ref);
      await world.removeMachine("blue-az1");
      await world.clock.advance(300_000);
      expect(countsByKind(world)).toEqual(nothing);
    });

    test("none is made beside one below which nobody could look yet", async () => {
      await begin(door);
      const before = idsAndTags();
      const { id } = balancerNamed(world, "az2");
      let isSilent = true;
      world.lab.fake.addCallPlan(({ operation, balancerId }) =>
        isSilent && operation === "get status tree" && balancerId === id ? { loseReply: "silence" } : undefined,
      );
      await whileStopped(loseBoth);
      expect(countsByKind(world)).toMatchObject({ loadbalancers: 3 });
      isSilent = false;
      await world.clock.advance(300_000);
      expect(idsAndTags()).toEqual(before);
    });

    test("deleted while no manager runs, they leave nothing", async () => {
      await begin(door);
      await whileStopped(async () => {
        await loseBoth();
        await world.kube.delete(kind, ref);
        await world.removeMachine("blue-az1");
      });
      expect(countsByKind(world)).toEqual(nothing);
    });
  });

  describe("with status lost, and its zone no longer in the spec", () => {
    const az3 = () => balancerNamed(world, "az3").id;
    const existing = () => world.lab.fake.cloud.tables.loadbalancers.all().map(({ id }) => id);

    const loseAz3 = async () => {
      const { loadbalancers } = world.lab.fake.cloud.tables;
      loadbalancers.patch(az3(), { tags: [] });
      const body = { spec: { apiServerLoadBalancer: world.zones(["az1", "az2"]) } };
      await world.kube.patch(kind, ref, { type: "merge", body });
      await world.kube.patch(kind, ref, { type: "merge", body: { status: null } }, { subresource: "status" });
    };

    test("one goes as it would have: what is below it says whose it is", async () => {
      await begin(door);
      const id = az3();
      await whileStopped(loseAz3);
      expect(existing()).not.toContain(id);
      expect(countsByKind(world)).toMatchObject({ loadbalancers: 2, floatingips: 2 });
    });

    test("one goes with its object", async () => {
      await begin(door);
      await whileStopped(async () => {
        await loseAz3();
        await world.kube.delete(kind, ref);
        await world.removeMachine("blue-az1");
      });
      expect(countsByKind(world)).toEqual(nothing);
      await expect(world.kube.get(kind, ref)).rejects.toMatchObject({ code: "NotFound" });
    });

    test("one that is all that is left goes with its object, once it can be looked up", async () => {
      await begin(door);
      let isAway = true;
      world.lab.fake.addCallPlan(({ operation }) =>
        isAway && operation === "get load balancer" ? { turnAway: { status: 503 } } : undefined,
      );
      await whileStopped(async () => {
        await loseAz3();
        const { loadbalancers, floatingips } = world.lab.fake.cloud.tables;
        // What is left of the object's own in Neutron would hold it anyway.
        for (const { id } of floatingips.all()) floatingips.remove(id);
        for (const { id } of loadbalancers.all().filter((row) => row.id !== az3()))
          void world.cloud.octavia.deleteLoadBalancer(id);
        await world.clock.advance(60_000);
        await world.kube.delete(kind, ref);
        await world.removeMachine("blue-az1");
      });
      expect(existing()).toEqual([az3()]);
      expect(await world.kube.get(kind, ref)).toBeDefined();
      isAway = false;
      await world.clock.advance(600_000);
      expect(countsByKind(world)).toEqual(nothing);
      await expect(world.kube.get(kind, ref)).rejects.toMatchObject({ code: "NotFound" });
    });

    test.each([
      ["another name", { name: "theirs" }],
      ["another owner's tag", { tags: [ownerTag("somebody-else")] }],
    ])("one with %s is left alone, although a listener of it bears our tag", async (_what, theirs) => {
      await begin(door);
      const id = az3();
      await whileStopped(async () => {
        await loseAz3();
        const { loadbalancers, floatingips } = world.lab.fake.cloud.tables;
        // Ours on what is theirs would be told, and hold the object.
        const { vipPortId } = balancerNamed(world, "az3");
        for (const row of floatingips.all().filter(({ portId }) => portId === vipPortId)) floatingips.remove(row.id);
        loadbalancers.patch(id, theirs);
      });
      expect(existing()).toContain(id);
      world.lab.fake.resetCounts();
      await world.clock.advance(600_000);
      expect(world.lab.fake.counts().get("octavia get load balancer")).toBeUndefined();
      await world.kube.delete(kind, ref);
      await world.removeMachine("blue-az1");
      await world.clock.advance(600_000);
      expect(existing()).toEqual([id]);
      await expect(world.kube.get(kind, ref)).rejects.toMatchObject({ code: "NotFound" });
    });

    test("one that has to stay for now gets its tags back", async () => {
      await begin(door);
      // Nobody answers anywhere else, so that it may not go.
      await world.machine("blue", "az3");
      await world.clock.advance(120_000);
      const [member = ""] = membersOf(world, "az1");
      world.lab.fake.faults.setMemberDown(member, true);
      const { tags } = balancerNamed(world, "az3");
      await whileStopped(loseAz3);
      expect(balancerNamed(world, "az3").tags.toSorted()).toEqual(tags.toSorted());
    });
  });

  test("one of a zone that has left the spec goes as it would have", async () => {
    await begin(door);
    await whileStopped(async () => {
      clearTags();
      const body = { spec: { apiServerLoadBalancer: world.zones(["az1", "az2"]) } };
      await world.kube.patch(kind, ref, { type: "merge", body });
    });
    expect(countsByKind(world)).toMatchObject({ loadbalancers: 2, floatingips: 2 });
    expect(membersOf(world, "az1")).toHaveLength(1);
  });

  test("one of a zone that has left the spec goes with its object", async () => {
    await begin(door);
    await whileStopped(async () => {
      clearTags();
      const body = { spec: { apiServerLoadBalancer: world.zones(["az1"]) } };
      await world.kube.patch(kind, ref, { type: "merge", body });
      await world.kube.delete(kind, ref);
      await world.removeMachine("blue-az1");
    });
    expect(countsByKind(world)).toEqual(nothing);
  });

  test("one that bears another owner's tag is left alone, whatever status says", async () => {
    await begin(door);
    const { loadbalancers } = world.lab.fake.cloud.tables;
    const theirs = balancerNamed(world, "az2");
    await whileStopped(async () => loadbalancers.replace({ ...theirs, tags: [ownerTag("somebody-else")] }));
    await world.kube.delete(kind, ref);
    await world.removeMachine("blue-az1");
    await world.clock.advance(300_000);
    expect(loadbalancers.all().map(({ id }) => id)).toEqual([theirs.id]);
  });

  test("one in another subnet is not the one that status speaks of", async () => {
    await begin(door);
    const { loadbalancers } = world.lab.fake.cloud.tables;
    const other = balancerNamed(world, "az2");
    const vipSubnetId = world.lab.subnetIds[0] ?? "";
    await whileStopped(async () => loadbalancers.replace({ ...other, tags: [], description: "", vipSubnetId }));
    expect(loadbalancers.get(other.id)?.tags).toEqual([]);
  });
});
