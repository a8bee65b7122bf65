// The end of a balancer.

import { expect, it } from "vitest";
import { type GetStage, outcome } from "./stage.ts";

export function deletionBehaviours(get: GetStage): void {
  it("refuses to delete a balancer with children, unless it may delete those, too", async () => {
    const { raw, served, settled } = get();
    const { balancer } = await served();
    await settled(balancer.id);
    const path = `/v2.0/lbaas/loadbalancers/${balancer.id}`;
    expect((await raw("password", { service: "octavia", method: "DELETE", path })).status).toBe(400);
    await settled(balancer.id);
  });

  it("deletes it with everything below it, PENDING_DELETE meanwhile", async () => {
    const { member, served, until } = get();
    const { balancer, pool } = await served();
    const { octavia, neutron } = member;
    await octavia.deleteLoadBalancer(balancer.id);
    const shown = await octavia.listLoadBalancers({ name: balancer.name });
    expect(shown.filter(({ provisioningStatus }) => provisioningStatus !== "PENDING_DELETE")).toEqual([]);
    const again = await outcome(octavia.deleteLoadBalancer(balancer.id));
    expect(["Conflict", "done"]).toContain(again);
    await until("it is gone", async () => {
      return (await outcome(octavia.getLoadBalancer(balancer.id))) === "NotFound" ? true : undefined;
    });
    expect(await octavia.listLoadBalancers({ name: balancer.name })).toEqual([]);
    expect(await octavia.listListeners({ loadBalancerId: balancer.id })).toEqual([]);
    expect(await octavia.listPools({ loadBalancerId: balancer.id })).toEqual([]);
    expect(await outcome(octavia.listMembers(pool.id))).toBe("NotFound");
    const ports = await neutron.listPorts({ networkId: balancer.vipNetworkId });
    expect(ports.map(({ id }) => id)).not.toContain(balancer.vipPortId);
  });

  it("deletes what is gone already", async () => {
    const { member, served } = get();
    const { balancer } = await served();
    expect(await outcome(member.octavia.deleteLoadBalancer(balancer.id))).toBe("done");
    expect(await outcome(member.octavia.updateLoadBalancer(balancer.id, { name: "late" }))).toBe("NotFound");
    expect(await outcome(member.octavia.statusTree(balancer.id))).toBe("NotFound");
  });
}
