// Members: one by one, in a batch that removes nothing, and how their health becomes the balancer's.

import { beforeAll, expect, it } from "vitest";
import { byText } from "../../../src/core/by-text.ts";
import type { CreateMember } from "../../../src/core/openstack/octavia-objects.ts";
import { type GetStage, nobody, outcome, patienceMs } from "./stage.ts";

export function memberBehaviours(get: GetStage): void {
  let balancerId = "";
  let poolId = "";
  const wanted = (host: number, fields: Partial<CreateMember> = {}): CreateMember => ({
    name: `m${host}`,
    address: `10.0.1.${host}`,
    port: 6443,
    subnetId: get().made.subnetIds[0],
    tags: [],
    ...fields,
  });
  const members = () => get().member.octavia.listMembers(poolId);
  const health = async () => {
    const tree = await get().member.octavia.statusTree(balancerId);
    const pool = tree.pools.find(({ id }) => id === poolId);
    const each = pool?.members.map(({ address, operatingStatus }) => `${address} ${operatingStatus}`).toSorted();
    return { balancer: tree.operatingStatus, pool: pool?.operatingStatus, members: each };
  };

  beforeAll(async () => {
    const { balancer, pool } = await get().served();
    balancerId = balancer.id;
    poolId = pool.id;
  }, patienceMs);

  it("is added, and ACTIVE when its balancer is again", async () => {
    const { member, settled, made } = get();
    const added = await member.octavia.createMember(poolId, wanted(101, { tags: ["first"] }));
    expect(added).toMatchObject({
      name: "m101",
      address: "10.0.1.101",
      port: 6443,
      subnetId: made.subnetIds[0],
      weight: 1,
    });
    await settled(balancerId);
    expect(await members()).toMatchObject([
      { id: added.id, provisioningStatus: "ACTIVE", tags: ["first"], backup: false },
    ]);
  });

  it("is known by address and port: a second is a Conflict, whatever its name", async () => {
    const { member } = get();
    expect(await outcome(member.octavia.createMember(poolId, wanted(101, { name: "another" })))).toBe("Conflict");
    expect((await member.octavia.getLoadBalancer(balancerId)).provisioningStatus).toBe("ACTIVE");
  });

  it("merges a batch: new ones come, known ones change, others stay", async () => {
    const { member, settled } = get();
    await member.octavia.mergeMembers(poolId, [wanted(102), wanted(103, { tags: ["new"] })]);
    await settled(balancerId);
    await member.octavia.mergeMembers(poolId, [wanted(101, { name: "renamed", tags: ["changed"] })]);
    await settled(balancerId);
    const found = (await members()).map(({ address, name, tags, provisioningStatus }) => ({
      address,
      name,
      tags,
      provisioningStatus,
    }));
    expect(found.toSorted(byText(({ address }) => address))).toEqual([
      { address: "10.0.1.101", name: "renamed", tags: ["changed"], provisioningStatus: "ACTIVE" },
      { address: "10.0.1.102", name: "m102", tags: [], provisioningStatus: "ACTIVE" },
      { address: "10.0.1.103", name: "m103", tags: ["new"], provisioningStatus: "ACTIVE" },
    ]);
  });

  it("in ERROR below a balancer that is ACTIVE is set up again by a merge, and stays the same member", async () => {
    const { member, settled, faults } = get();
    const broken = (await members()).find(({ address }) => address === "10.0.1.102");
    await faults.setStatus("members", broken?.id ?? "", { provisioning: "ERROR" });
    await member.octavia.mergeMembers(poolId, [wanted(102)]);
    await settled(balancerId);
    const found = (await members()).find(({ address }) => address === "10.0.1.102");
    expect(found).toMatchObject({ id: broken?.id, provisioningStatus: "ACTIVE" });
    expect(await members()).toHaveLength(3);
  });

  it("changes no member with an empty batch", async () => {
    const { member, settled } = get();
    // With members in the pool the balancer is PENDING even for this.
    await member.octavia.mergeMembers(poolId, []);
    await settled(balancerId);
    expect(await members()).toHaveLength(3);
  });

  it("shows one member down as DEGRADED, up to the balancer", async (context) => {
    const { faults, until, provider } = get();
    if (provider === "ovn") return context.skip("nothing checks members here with ovn");
    await until("all ONLINE", async () => {
      const { balancer, members: each } = await health();
      return balancer === "ONLINE" && each?.every((one) => one.endsWith("ONLINE")) ? true : undefined;
    });
    await faults.setMemberDown({ address: "10.0.1.102", port: 6443 }, true);
    try {
      await until("DEGRADED", async () => ((await health()).balancer === "DEGRADED" ? true : undefined));
      expect(await health()).toEqual({
        balancer: "DEGRADED",
        pool: "DEGRADED",
        members: ["10.0.1.101 ONLINE", "10.0.1.102 ERROR", "10.0.1.103 ONLINE"],
      });
    } finally {
      await faults.setMemberDown({ address: "10.0.1.102", port: 6443 }, false);
    }
    await until("ONLINE again", async () => ((await health()).balancer === "ONLINE" ? true : undefined));
  });

  it("shows one of weight 0 as DRAINING, and its balancer as ONLINE", async (context) => {
    const { member, settled, until, provider } = get();
    if (provider === "ovn") return context.skip("weights do nothing with ovn");
    const shown = async () => (await health()).members?.[0];
    const id = (await members()).find(({ address }) => address === "10.0.1.101")?.id ?? "";
    await member.octavia.updateMember(poolId, id, { weight: 0 });
    await settled(balancerId);
    await until("DRAINING", async () => ((await shown()) === "10.0.1.101 DRAINING" ? true : undefined));
    expect(await health()).toMatchObject({ balancer: "ONLINE", pool: "ONLINE" });
    await member.octavia.updateMember(poolId, id, { weight: 1 });
    await settled(balancerId);
    await until("ONLINE again", async () => ((await shown()) === "10.0.1.101 ONLINE" ? true : undefined));
  });

  it("gives one of weight 0 weight 1 again when it is merged", async () => {
    const { member, settled } = get();
    const { name = "", tags = [], id = "" } = (await members()).find(({ address }) => address === "10.0.1.101") ?? {};
    expect(await member.octavia.updateMember(poolId, id, { weight: 0 })).toMatchObject({ weight: 0 });
    await settled(balancerId);
    await member.octavia.mergeMembers(poolId, [wanted(101, { name, tags })]);
    await settled(balancerId);
    expect((await members()).find((one) => one.id === id)).toMatchObject({ weight: 1, name, tags });
  });

  it("gives a merged one other tags and leaves the rest of it, when the batch says what the rest is", async () => {
    const { member, settled } = get();
    const rest = { weight: 7, adminStateUp: false };
    const { id } = await member.octavia.createMember(poolId, wanted(110, { tags: ["theirs", "red"], ...rest }));
    await settled(balancerId);
    const found = async () => (await members()).find((one) => one.id === id);
    await member.octavia.mergeMembers(poolId, [wanted(110, { tags: ["theirs", "green"], ...rest })]);
    await settled(balancerId);
    const merged = await found();
    expect(merged).toMatchObject({ name: "m110", backup: false, ...rest });
    expect(merged?.tags.toSorted()).toEqual(["green", "theirs"]);
    // What it does not say gets its default.
    await member.octavia.mergeMembers(poolId, [wanted(110)]);
    await settled(balancerId);
    expect(await found()).toMatchObject({ tags: [], weight: 1, backup: false, adminStateUp: true });
    await member.octavia.deleteMember(poolId, id);
    await settled(balancerId);
  });

  it("refuses a weight that is none, alone and in a batch", async () => {
    const { octavia } = get().member;
    expect(await outcome(octavia.createMember(poolId, wanted(105, { weight: 257 })))).toBe("BadRequest");
    expect(await outcome(octavia.mergeMembers(poolId, [wanted(101, { weight: -1 })]))).toBe("BadRequest");
  });

  it("shows the tree from the balancer to its members in one call", async () => {
    const { member, served } = get();
    const { listener } = await served();
    const tree = await member.octavia.statusTree(balancerId);
    expect(tree).toMatchObject({ id: balancerId, provisioningStatus: "ACTIVE" });
    expect(tree.listeners.find(({ id }) => id === listener.id)).toMatchObject({ name: "api", poolIds: [poolId] });
    const pool = tree.pools.find(({ id }) => id === poolId);
    expect(pool?.healthMonitor).toMatchObject({ name: "watch", type: "TCP", provisioningStatus: "ACTIVE" });
    expect(pool?.members.map(({ address, port }) => `${address}:${port}`).toSorted()).toEqual([
      "10.0.1.101:6443",
      "10.0.1.102:6443",
      "10.0.1.103:6443",
    ]);
    expect(await outcome(member.octavia.statusTree(nobody))).toBe("NotFound");
  });

  it("without a monitor says NO_MONITOR, which is no failure", async () => {
    const { member, settled, until, served } = get();
    const { octavia } = member;
    const [monitor] = (await octavia.listHealthMonitors({})).filter((each) => each.poolId === poolId);
    await octavia.deleteHealthMonitor(monitor?.id ?? "");
    await settled(balancerId);
    await octavia.mergeMembers(poolId, [wanted(101)]);
    await settled(balancerId);
    const lines = ["10.0.1.101 NO_MONITOR", "10.0.1.102 NO_MONITOR", "10.0.1.103 NO_MONITOR"];
    await until("NO_MONITOR", async () => ((await health()).members?.join() === lines.join() ? true : undefined));
    expect((await health()).balancer).toBe("ONLINE");
    const tree = await octavia.statusTree((await served()).balancer.id);
    expect(tree.pools.find(({ id }) => id === poolId)).not.toHaveProperty("healthMonitor");
  });

  it("changes name, tags and weight, but never its address", async () => {
    const { member, settled, raw } = get();
    const [first] = await members();
    const changed = await member.octavia.updateMember(poolId, first?.id ?? "", {
      name: "other",
      tags: ["x"],
      weight: 0,
    });
    expect(changed).toMatchObject({ name: "other", tags: ["x"], weight: 0 });
    await settled(balancerId);
    const path = `/v2.0/lbaas/pools/${poolId}/members/${first?.id}`;
    const body = { member: { address: "10.0.1.250" } };
    expect((await raw("password", { service: "octavia", method: "PUT", path, body })).status).toBe(400);
  });

  it("goes, and going again is done", async () => {
    const { member, settled } = get();
    const [first] = await members();
    await member.octavia.deleteMember(poolId, first?.id ?? "");
    await settled(balancerId);
    expect((await members()).map(({ id }) => id)).not.toContain(first?.id);
    expect(await members()).toHaveLength(2);
    expect(await outcome(member.octavia.deleteMember(poolId, first?.id ?? ""))).toBe("done");
  });

  it("refuses what is no address, no port or no subnet, and pools that are not there", async () => {
    const { member } = get();
    const { octavia } = member;
    expect(await outcome(octavia.createMember(poolId, wanted(104, { address: "machine-1" })))).toBe("BadRequest");
    expect(await outcome(octavia.createMember(poolId, wanted(104, { port: 0 })))).toBe("BadRequest");
    expect(await outcome(octavia.createMember(poolId, wanted(104, { subnetId: nobody })))).toBe("BadRequest");
    expect(await outcome(octavia.createMember(nobody, wanted(104)))).toBe("NotFound");
    expect(await outcome(octavia.listMembers(nobody))).toBe("NotFound");
    expect(await outcome(octavia.updateMember(poolId, nobody, { name: "x" }))).toBe("NotFound");
    expect((await octavia.getLoadBalancer(balancerId)).provisioningStatus).toBe("ACTIVE");
  });
}
