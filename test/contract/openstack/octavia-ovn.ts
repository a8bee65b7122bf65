// What the provider ovn answers with Unsupported, at the moment it is asked.

import { expect, it } from "vitest";
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
    const wanted = { loadBalancerId: balancer.id, name: "acl", port: 8443, tags: [], allowedCidrs };
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
      port: 8444,
      tags: [],
    });
    await settled(balancer.id);
    const wanted = { listenerId: listener.id, name: "rr", algorithm: "ROUND_ROBIN", tags: [] } as const;
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
}
