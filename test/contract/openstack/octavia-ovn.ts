// What the provider ovn answers with Unsupported, at the moment it is asked; and what it takes and never ends.

import { expect, it } from "vitest";
import type { HealthMonitor, Pool } from "../../../src/core/openstack/octavia-objects.ts";
import { type GetStage, outcome } from "./stage.ts";

export function ovnBehaviours(get: GetStage): void {
  const ovn = (promise: string, body: () => Promise<void>) =>
    it(promise, async (context) => {
      if (get().provider !== "ovn") return context.skip("of the provider ovn only");
      await body();
    });

  ovn("has no access lists", async () => {
    const { member, served } = get();
    const { balancer, listener } = await served();
    const allowedCidrs = ["192.0.2.0/24"];
    const wanted = { loadBalancerId: balancer.id, name: "acl", protocol: "TCP", port: 8443, tags: [], allowedCidrs };
    expect(await outcome(member.octavia.createListener(wanted))).toBe("Unsupported");
    expect(await outcome(member.octavia.updateListener(listener.id, { allowedCidrs }))).toBe("Unsupported");
    expect((await member.octavia.getLoadBalancer(balancer.id)).provisioningStatus).toBe("ACTIVE");
  });

  ovn("has no ROUND_ROBIN, no HTTP and no PROXY", async () => {
    const { raw, served, member, settled } = get();
    const { balancer } = await served();
    const listener = await member.octavia.createListener({
      loadBalancerId: balancer.id,
      name: "rr",
      protocol: "TCP",
      port: 8444,
      tags: [],
    });
    await settled(balancer.id);
    const wanted = {
      listenerId: listener.id,
      name: "rr",
      protocol: "TCP",
      algorithm: "ROUND_ROBIN",
      tags: [],
    } as const;
    expect(await outcome(member.octavia.createPool(wanted))).toBe("Unsupported");
    const post = async (path: string, body: unknown) =>
      (await raw("password", { service: "octavia", method: "POST", path: `/v2.0/lbaas/${path}`, body })).status;
    const http = { protocol: "HTTP", protocol_port: 8080, loadbalancer_id: balancer.id };
    expect(await post("listeners", { listener: http })).toBe(501);
    const proxy = { protocol: "PROXY", lb_algorithm: "SOURCE_IP_PORT", loadbalancer_id: balancer.id };
    expect(await post("pools", { pool: proxy })).toBe(501);
    await member.octavia.deleteListener(listener.id);
    await settled(balancer.id);
  });

  ovn("wants to know the subnet of a member that is not in the VIP's", async () => {
    const { member, served, settled, made } = get();
    const { balancer, pool } = await served();
    const elsewhere = { name: "far", address: "10.0.2.201", port: 6443, tags: [] };
    expect(await outcome(member.octavia.createMember(pool.id, elsewhere))).toBe("Unsupported");
    expect(await outcome(member.octavia.mergeMembers(pool.id, [elsewhere]))).toBe("Unsupported");
    expect((await member.octavia.getLoadBalancer(balancer.id)).provisioningStatus).toBe("ACTIVE");
    const far = await member.octavia.createMember(pool.id, { ...elsewhere, subnetId: made.subnetIds[1] });
    await settled(balancer.id);
    await member.octavia.deleteMember(pool.id, far.id);
    await settled(balancer.id);
  });

  ovn("has no monitor ports and no HTTP monitors", async () => {
    const { raw, served, made } = get();
    const { pool } = await served();
    const post = async (path: string, body: unknown) =>
      (await raw("password", { service: "octavia", method: "POST", path: `/v2.0/lbaas/${path}`, body })).status;
    const member = { address: "10.0.1.202", protocol_port: 6443, subnet_id: made.subnetIds[0], monitor_port: 99 };
    expect(await post(`pools/${pool.id}/members`, { member })).toBe(501);
    const healthmonitor = { pool_id: pool.id, type: "HTTP", delay: 5, timeout: 3, max_retries: 3 };
    expect(await post("healthmonitors", { healthmonitor })).toBe(501);
  });

  ovn("never ends a listener that comes after a health monitor of its transport, and does end another", async () => {
    const { raw, member, settled, pass, faults } = get();
    const { id, monitors } = await monitored(get, [6443]);
    const udp = { protocol: "UDP", protocol_port: 53, loadbalancer_id: id };
    const post = {
      service: "octavia",
      method: "POST",
      path: "/v2.0/lbaas/listeners",
      body: { listener: udp },
    } as const;
    expect((await raw("password", post)).status).toBe(201);
    await settled(id);
    await member.octavia.createListener({ loadBalancerId: id, name: "late", protocol: "TCP", port: 9345, tags: [] });
    await pass(10_000);
    expect((await member.octavia.getLoadBalancer(id)).provisioningStatus).toBe("PENDING_UPDATE");
    expect(monitors).toHaveLength(1);
    // Only an administrator of the cloud can end it; so that the suite can clean up, that is done here.
    await faults.setStatus("loadbalancers", id, { provisioning: "ACTIVE" });
    await settled(id);
  });

  ovn("ends a listener that comes when all monitors are gone", async () => {
    const { member, settled } = get();
    const { id, monitors, pools } = await monitored(get, [6443, 9345]);
    for (const monitor of monitors) {
      await member.octavia.deleteHealthMonitor(monitor.id);
      await settled(id);
    }
    await member.octavia.createListener({ loadBalancerId: id, name: "late", protocol: "TCP", port: 8132, tags: [] });
    await settled(id);
    // It took one pool for the other: that one is PENDING and immutable until it is changed itself.
    const tree = await member.octavia.statusTree(id);
    const forgotten = tree.pools.filter(({ provisioningStatus }) => provisioningStatus === "PENDING_UPDATE");
    expect(forgotten).toHaveLength(1);
    const again = { poolId: forgotten[0]?.id ?? "", name: "again", type: "TCP", tags: [], ...timings };
    expect(await outcome(member.octavia.createHealthMonitor(again))).toBe("Conflict");
    const { name = "" } = pools.find((pool) => pool.id === forgotten[0]?.id) ?? {};
    await member.octavia.updatePool(again.poolId, { name });
    await settled(id);
    await member.octavia.createHealthMonitor(again);
    await settled(id);
  });
}

const timings = { delaySeconds: 5, timeoutSeconds: 3, maxRetries: 3, maxRetriesDown: 3 };

/** A balancer of its own with a monitored pool behind each port. */
async function monitored(get: GetStage, ports: readonly number[]) {
  const { member, settled, unique, made, algorithm } = get();
  const { octavia } = member;
  const fields = { name: unique("monitored"), description: "monitored", tags: [] };
  const { id } = await octavia.createLoadBalancer({ ...fields, vipSubnetId: made.subnetIds[0] });
  await settled(id);
  const pools: Pool[] = [];
  for (const port of ports) {
    const listener = await octavia.createListener({
      loadBalancerId: id,
      name: `l${port}`,
      protocol: "TCP",
      port,
      tags: [],
    });
    await settled(id);
    pools.push(
      await octavia.createPool({ listenerId: listener.id, name: `p${port}`, protocol: "TCP", algorithm, tags: [] }),
    );
    await settled(id);
  }
  const monitors: HealthMonitor[] = [];
  for (const { id: poolId, name } of pools) {
    monitors.push(await octavia.createHealthMonitor({ poolId, name, type: "TCP", tags: [], ...timings }));
    await settled(id);
  }
  return { id, pools, monitors };
}
