// Pools and their health monitors.

import { beforeAll, expect, it } from "vitest";
import { type GetStage, nobody, outcome, patienceMs } from "./stage.ts";

const timings = { delaySeconds: 10, timeoutSeconds: 5, maxRetries: 5, maxRetriesDown: 3 };

export function poolBehaviours(get: GetStage): void {
  let balancerId = "";
  let listenerId = "";
  let poolId = "";
  let monitorId = "";

  beforeAll(async () => {
    const { balancer, listener, pool } = await get().served();
    balancerId = balancer.id;
    listenerId = listener.id;
    poolId = pool.id;
  }, patienceMs);

  it("is its listener's default pool", async () => {
    const { member, algorithm } = get();
    const found = (await member.octavia.listPools({ loadBalancerId: balancerId })).find(({ id }) => id === poolId);
    expect(found).toMatchObject({ listenerIds: [listenerId], algorithm, protocol: "TCP", loadBalancerId: balancerId });
    const listeners = await member.octavia.listListeners({ loadBalancerId: balancerId });
    expect(listeners.find(({ id }) => id === listenerId)?.defaultPoolId).toBe(poolId);
  });

  it("is one to a listener: a second is a Conflict", async () => {
    const { member, algorithm } = get();
    const second = { listenerId, name: "second", protocol: "TCP", algorithm, tags: [] };
    expect(await outcome(member.octavia.createPool(second))).toBe("Conflict");
  });

  it("is a ServerError on a listener that is not there", async () => {
    const { member, algorithm } = get();
    const lost = { listenerId: nobody, name: "lost", protocol: "TCP", algorithm, tags: [] };
    expect(await outcome(member.octavia.createPool(lost))).toBe("ServerError");
  });

  it("changes name and tags", async () => {
    const { member, settled } = get();
    const changed = await member.octavia.updatePool(poolId, { name: "renamed", tags: ["pool"] });
    expect(changed).toMatchObject({ name: "renamed", tags: ["pool"] });
    await settled(balancerId);
  });

  // Before there is a monitor: OVN's provider 3.0 fails for good over a listener that comes after one.
  it("stays when its listener goes, and is in no status tree any more", async () => {
    const { member, settled, algorithm } = get();
    const { octavia } = member;
    const listener = await octavia.createListener({
      loadBalancerId: balancerId,
      name: "brief",
      protocol: "TCP",
      port: 7443,
      tags: [],
    });
    await settled(balancerId);
    const pool = await octavia.createPool({
      listenerId: listener.id,
      name: "orphan",
      protocol: "TCP",
      algorithm,
      tags: [],
    });
    await settled(balancerId);
    expect((await octavia.statusTree(balancerId)).pools.map(({ id }) => id)).toContain(pool.id);
    await octavia.deleteListener(listener.id);
    await settled(balancerId);
    const pools = await octavia.listPools({ loadBalancerId: balancerId });
    expect(pools.find(({ id }) => id === pool.id)).toMatchObject({ listenerIds: [] });
    expect((await octavia.statusTree(balancerId)).pools.map(({ id }) => id)).not.toContain(pool.id);
    await octavia.deletePool(pool.id);
    await settled(balancerId);
    expect((await octavia.listPools({ loadBalancerId: balancerId })).map(({ id }) => id)).not.toContain(pool.id);
    expect(await outcome(octavia.deletePool(pool.id))).toBe("done");
  });

  it("goes before its listener, which then leads nowhere and goes after it", async () => {
    const { member, settled, algorithm } = get();
    const { octavia } = member;
    const listener = await octavia.createListener({
      loadBalancerId: balancerId,
      name: "emptied",
      protocol: "TCP",
      port: 7444,
      tags: [],
    });
    await settled(balancerId);
    const pool = await octavia.createPool({
      listenerId: listener.id,
      name: "first-out",
      protocol: "TCP",
      algorithm,
      tags: [],
    });
    await settled(balancerId);
    await octavia.deletePool(pool.id);
    await settled(balancerId);
    const left = (await octavia.statusTree(balancerId)).listeners.find(({ id }) => id === listener.id);
    expect(left?.poolIds).toEqual([]);
    expect((await octavia.listPools({ loadBalancerId: balancerId })).map(({ id }) => id)).not.toContain(pool.id);
    await octavia.deleteListener(listener.id);
    await settled(balancerId);
  });

  it("keeps a monitor's seconds in 32 bits", async () => {
    const { member } = get();
    const asked = { poolId, name: "patient", type: "TCP", tags: [], ...timings };
    const answer = (over: object) => outcome(member.octavia.createHealthMonitor({ ...asked, ...over }));
    expect(await answer({ delaySeconds: 2_147_483_648 })).toBe("ServerError");
    expect(await answer({ timeoutSeconds: 2_147_483_648 })).toBe("ServerError");
    expect(await member.octavia.listHealthMonitors({ name: "patient" })).toEqual([]);
  });

  it("has a health monitor", async () => {
    const { member, settled } = get();
    const monitor = await member.octavia.createHealthMonitor({
      poolId,
      name: "watch",
      type: "TCP",
      tags: ["watch"],
      ...timings,
    });
    monitorId = monitor.id;
    expect(monitor).toMatchObject({ poolId, type: "TCP", ...timings });
    await settled(balancerId);
    const [found] = await member.octavia.listHealthMonitors({ name: "watch", tags: ["watch"] });
    expect(found).toMatchObject({ id: monitorId, provisioningStatus: "ACTIVE", tags: ["watch"] });
    const pools = await member.octavia.listPools({ loadBalancerId: balancerId });
    expect(pools.find(({ id }) => id === poolId)?.healthMonitorId).toBe(monitorId);
  });

  it("has one monitor: a second is a Conflict", async () => {
    const { member } = get();
    expect(
      await outcome(member.octavia.createHealthMonitor({ poolId, name: "two", type: "TCP", tags: [], ...timings })),
    ).toBe("Conflict");
  });

  it("changes a monitor's timings, one by one", async () => {
    const { member, settled } = get();
    const changed = await member.octavia.updateHealthMonitor(monitorId, { delaySeconds: 7, maxRetriesDown: 2 });
    expect(changed).toMatchObject({ ...timings, delaySeconds: 7, maxRetriesDown: 2 });
    await settled(balancerId);
    expect(await outcome(member.octavia.updateHealthMonitor(monitorId, { maxRetries: 11 }))).toBe("BadRequest");
    expect(await outcome(member.octavia.updateHealthMonitor(monitorId, { maxRetries: 0 }))).toBe("BadRequest");
  });

  it("in ERROR makes its members and its monitor immutable, though the balancer is ACTIVE", async () => {
    const { member, faults, made } = get();
    await faults.setStatus("pools", poolId, { provisioning: "ERROR" });
    try {
      expect((await member.octavia.getLoadBalancer(balancerId)).provisioningStatus).toBe("ACTIVE");
      const wanted = { name: "m", address: "10.0.1.99", port: 6443, subnetId: made.subnetIds[0], tags: [] };
      expect(await outcome(member.octavia.createMember(poolId, wanted))).toBe("Conflict");
      expect(await outcome(member.octavia.mergeMembers(poolId, [wanted]))).toBe("Conflict");
      expect(await outcome(member.octavia.updateHealthMonitor(monitorId, { delaySeconds: 9 }))).toBe("Conflict");
    } finally {
      await faults.setStatus("pools", poolId, { provisioning: "ACTIVE" });
    }
  });
}
