// Load balancers: what is refused when one is made, and what nobody may do while it is PENDING.

import { expect, it } from "vitest";
import type {
  CreateLoadBalancer,
  LoadBalancer,
  UpdateLoadBalancer,
} from "../../../src/core/openstack/octavia-objects.ts";
import { complaint, type GetStage, nobody, outcome } from "./stage.ts";

export function balancerBehaviours(get: GetStage): void {
  const wanted = (fields: Partial<CreateLoadBalancer> = {}): CreateLoadBalancer => {
    const { made, unique } = get();
    return { name: unique("refused"), description: "", tags: [], vipSubnetId: made.subnetIds[1], ...fields };
  };
  const refusal = (fields: Partial<CreateLoadBalancer>) =>
    outcome(get().member.octavia.createLoadBalancer(wanted(fields)));
  let pending: LoadBalancer | undefined;
  /** A flavor and a zone, where the provider has them. */
  const placement = () => {
    const { made, provider } = get();
    const zone = made.balancerZones[0];
    if (provider === "ovn" || zone === undefined) return {};
    return { availabilityZone: zone, ...(made.flavor === undefined ? {} : { flavorId: made.flavor.id }) };
  };

  it("begins in PENDING_CREATE with its VIP known", async () => {
    const { member, made, unique, provider } = get();
    const name = unique("fresh");
    const tags = [unique("tag"), unique("another")];
    pending = await member.octavia.createLoadBalancer(
      wanted({ name, description: "a description", tags, ...placement() }),
    );
    expect(pending).toMatchObject({
      name,
      description: "a description",
      provisioningStatus: "PENDING_CREATE",
      projectId: made.projectId,
      provider,
      vipSubnetId: made.subnetIds[1],
      vipNetworkId: made.networkId,
      adminStateUp: true,
    });
    expect(pending.tags.toSorted()).toEqual(tags.toSorted());
    expect(pending.vipAddress).toMatch(/^10\.0\.2\./);
    expect({ flavorId: pending.flavorId, availabilityZone: pending.availabilityZone }).toEqual({
      flavorId: undefined,
      availabilityZone: undefined,
      ...placement(),
    });
  });

  it("becomes ACTIVE by itself, and ONLINE a moment later", async () => {
    const { settled, until, member } = get();
    const { id, name } = await settled(pending?.id ?? "");
    const online = await until("ONLINE", async () => {
      const found = await member.octavia.getLoadBalancer(id);
      return found.operatingStatus === "ONLINE" ? found : undefined;
    });
    expect(online).toMatchObject({ name, provisioningStatus: "ACTIVE" });
  });

  // Set by hand: some providers are done before the next call arrives.
  it("answers a change or deletion while it is PENDING with a Conflict", async () => {
    const { member, faults, settled } = get();
    const id = pending?.id ?? "";
    const listener = { loadBalancerId: id, name: "early", protocol: "TCP", port: 6443, tags: [] };
    for (const provisioning of ["PENDING_CREATE", "PENDING_UPDATE"]) {
      await faults.setStatus("loadbalancers", id, { provisioning });
      expect(await outcome(member.octavia.updateLoadBalancer(id, { name: "other" }))).toBe("Conflict");
      expect(await outcome(member.octavia.deleteLoadBalancer(id))).toBe("Conflict");
      expect(await outcome(member.octavia.createListener(listener))).toBe("Conflict");
    }
    await faults.setStatus("loadbalancers", id, { provisioning: "ACTIVE" });
    await settled(id);
  });

  it("has a port in the project's own network", async () => {
    const { member, made, provider } = get();
    const query = provider === "ovn" ? { networkId: made.networkId } : { deviceOwner: "Octavia" };
    const ports = await member.neutron.listPorts(query);
    const port = ports.find(({ id }) => id === pending?.vipPortId);
    expect(port?.fixedIps).toEqual([{ subnetId: made.subnetIds[1], address: pending?.vipAddress }]);
    // The provider ovn names no device.
    const device = await member.neutron.listPorts({ deviceIds: [`lb-${pending?.id}`] });
    expect(device).toEqual(provider === "ovn" ? [] : [port]);
  });

  it("refuses a VIP address that is in use with a ServerError, and makes nothing", async () => {
    const { member } = get();
    const again = wanted({ vipAddress: pending?.vipAddress ?? "" });
    const call = member.octavia.createLoadBalancer(again);
    expect(await complaint(call)).toContain(pending?.vipAddress ?? "?");
    expect(await outcome(call)).toBe("ServerError");
    expect(await member.octavia.listLoadBalancers({ name: again.name })).toEqual([]);
  });

  it("refuses a VIP address that is not in the subnet with a ServerError", async () => {
    expect(await refusal({ vipAddress: "10.0.3.77" })).toBe("ServerError");
  });

  it("changes name, description and tags, PENDING_UPDATE meanwhile", async () => {
    const { member, settled, unique } = get();
    const id = pending?.id ?? "";
    const change = { name: unique("renamed"), description: "new words", tags: [unique("new")] };
    expect(await member.octavia.updateLoadBalancer(id, change)).toMatchObject({
      ...change,
      provisioningStatus: "PENDING_UPDATE",
    });
    expect(await settled(id)).toMatchObject(change);
  });

  it("moves updated_at with every change below the balancer", async () => {
    const { member, settled, pass } = get();
    const id = pending?.id ?? "";
    const before = (await settled(id)).updatedAt;
    expect(before).toBeDefined();
    // Its grain is one second.
    await pass(1_200);
    const { id: listenerId } = await member.octavia.createListener({
      loadBalancerId: id,
      name: "moves",
      protocol: "TCP",
      port: 81,
      tags: [],
    });
    const after = (await settled(id)).updatedAt;
    expect(after).not.toBe(before);
    await pass(1_200);
    await member.octavia.deleteListener(listenerId);
    expect((await settled(id)).updatedAt).not.toBe(after);
  });

  it("refuses a zone that Octavia does not know as a BadRequest", async () => {
    expect(await refusal({ availabilityZone: "no-such-zone" })).toBe("BadRequest");
  });

  it("says that ovn has no zones, not even those that Octavia knows", async (context) => {
    const { member, provider } = get();
    if (provider !== "ovn") return context.skip("of the provider ovn only");
    const [zone] = await member.octavia.listAvailabilityZones();
    expect(await refusal({ availabilityZone: zone?.name ?? "none in this lab" })).toBe("Unsupported");
  });

  it("refuses unknown providers, flavors, subnets and networks as BadRequests", async () => {
    expect(await refusal({ provider: "no-such-provider" })).toBe("BadRequest");
    expect(await refusal({ flavorId: nobody })).toBe("BadRequest");
    expect(await refusal({ vipSubnetId: nobody })).toBe("BadRequest");
    const { made, member, unique } = get();
    const nowhere = { name: unique("refused"), description: "", tags: [] };
    expect(await outcome(member.octavia.createLoadBalancer(nowhere))).toBe("BadRequest");
    expect(await outcome(member.octavia.createLoadBalancer({ ...nowhere, vipNetworkId: nobody }))).toBe("BadRequest");
    const crossed = { ...nowhere, vipNetworkId: made.isolated.networkId, vipSubnetId: made.subnetIds[0] };
    expect(await outcome(member.octavia.createLoadBalancer(crossed))).toBe("BadRequest");
  });

  it("refuses names, descriptions and tags of more than 255 characters", async () => {
    expect(await refusal({ name: "n".repeat(256) })).toBe("BadRequest");
    expect(await refusal({ description: "d".repeat(256) })).toBe("BadRequest");
    expect(await refusal({ tags: ["t".repeat(256)] })).toBe("BadRequest");
  });

  it("takes no tag with characters of four bytes, and no two that differ in case, accents or spaces at the end", async () => {
    const { member, settled } = get();
    // One of its own: Octavia's worker has been told of a refused change already, and minutes later it marks the balancer
    // ACTIVE once more, whatever it is by then.
    const { id } = await member.octavia.createLoadBalancer(wanted());
    const before = await settled(id);
    const answer = (change: UpdateLoadBalancer) => outcome(member.octavia.updateLoadBalancer(id, change));
    const duplicates = [
      ["Team", "team"],
      ["café", "cafe"],
      ["a ", "a"],
      ["a", "a"],
      ["Straße", "strase"],
    ];
    for (const tags of [["team-😀"], ["half-\ud83d"], ...duplicates])
      expect([tags, await answer({ tags })]).toEqual([tags, "ServerError"]);
    // Nothing of it happened, and the balancer is not PENDING for ever.
    // Meanwhile its amphora may have said for the first time that it is there, which makes it ONLINE.
    const { updatedAt: _then, operatingStatus: _heard, ...same } = before;
    expect(await settled(id)).toMatchObject(same);
    const tags = ["a b", "a,b", "漢字", "x".repeat(255)];
    expect(await answer({ tags })).toBe("done");
    expect((await settled(id)).tags.toSorted()).toEqual(tags.toSorted());
  });

  it("refuses a field that it does not know", async () => {
    const { raw, made } = get();
    const body = { loadbalancer: { name: "odd", vip_subnet_id: made.subnetIds[0], colour: "blue" } };
    const path = "/v2.0/lbaas/loadbalancers";
    expect((await raw("password", { service: "octavia", method: "POST", path, body })).status).toBe(400);
  });

  it("is a matter of quota", async () => {
    const { project, faults, made } = get();
    await faults.setQuota("load_balancer", 0);
    try {
      const theirs = { name: "over", description: "", tags: [], vipNetworkId: made.externalNetworkId };
      expect(await outcome(project("other").octavia.createLoadBalancer(theirs))).toBe("QuotaExceeded");
    } finally {
      await faults.setQuota("load_balancer", undefined);
    }
  });

  it("lets two balancers have one name", async () => {
    const { member, balancer, settled } = get();
    const { id, name } = await balancer();
    await member.octavia.updateLoadBalancer(pending?.id ?? "", { name });
    const found = await member.octavia.listLoadBalancers({ name });
    expect(found.map((each) => each.id).toSorted()).toEqual([pending?.id ?? "", id].toSorted());
    await settled(pending?.id ?? "");
    await member.octavia.updateLoadBalancer(pending?.id ?? "", { name: "unlike any other" });
    await settled(pending?.id ?? "");
  });

  it("shows ERROR as it is, and allows nothing but deletion and an administrator's failover then", async () => {
    const { member, faults, project, settled, provider } = get();
    const id = pending?.id ?? "";
    await faults.setStatus("loadbalancers", id, { provisioning: "ERROR" });
    expect((await member.octavia.getLoadBalancer(id)).provisioningStatus).toBe("ERROR");
    expect(await outcome(member.octavia.updateLoadBalancer(id, { name: "broken" }))).toBe("Conflict");
    expect(await outcome(member.octavia.failoverLoadBalancer(id))).toBe("Forbidden");
    const failover = await outcome(project("admin").octavia.failoverLoadBalancer(id));
    expect(failover).toBe(provider === "ovn" ? "Unsupported" : "done");
    if (provider === "ovn") await faults.setStatus("loadbalancers", id, { provisioning: "ACTIVE" });
    await settled(id);
  });

  it("leaves the floating IP behind when it is deleted, attached to nothing", async () => {
    const { member, made, until, unique } = get();
    const { id = "", vipPortId = "" } = pending ?? {};
    const description = unique("outlives");
    const wish = { floatingNetworkId: made.externalNetworkId, portId: vipPortId, description };
    const floatingIp = await member.neutron.createFloatingIp(wish);
    await member.octavia.deleteLoadBalancer(id);
    await until("the balancer is gone", async () => {
      return (await outcome(member.octavia.getLoadBalancer(id))) === "NotFound" ? true : undefined;
    });
    const [left] = await member.neutron.listFloatingIps({ descriptions: [description] });
    expect(left).toMatchObject({ id: floatingIp.id, address: floatingIp.address });
    expect(left).not.toHaveProperty("portId");
    await member.neutron.deleteFloatingIp(floatingIp.id);
  });
}
