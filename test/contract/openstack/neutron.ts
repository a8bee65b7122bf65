// Networks, subnets, routers and ports, and how they are found.

import { afterAll, expect, it } from "vitest";
import { type GetStage, nobody, outcome } from "./stage.ts";

export function neutronBehaviours(get: GetStage): void {
  afterAll(async () => {
    const { member, made } = get();
    await member.neutron.replaceTags("networks", made.isolated.networkId, []);
  });

  it("says that it has tags", async () => {
    expect(await get().member.neutron.extensions()).toContain("standard-attr-tag");
  });

  it("finds a network by id and by name, with its subnets", async () => {
    const { member, made } = get();
    const byId = await member.neutron.getNetwork(made.networkId);
    expect(byId).toMatchObject({ name: "tenant", external: false, projectId: made.projectId });
    expect(byId.subnetIds.toSorted()).toEqual([...made.subnetIds].toSorted());
    const byName = await member.neutron.listNetworks({ name: "tenant", projectId: made.projectId });
    expect(byName.map(({ id }) => id)).toEqual([made.networkId]);
  });

  it("shows the external network to everybody", async () => {
    const { member, project, made } = get();
    for (const each of [member, project("other")]) {
      const found = await each.neutron.listNetworks({ external: true });
      expect(found.map(({ id }) => id)).toEqual([made.externalNetworkId]);
    }
  });

  it("answers NotFound for a network, a subnet and a router that are not there", async () => {
    const { neutron } = get().member;
    expect(await outcome(neutron.getNetwork(nobody))).toBe("NotFound");
    expect(await outcome(neutron.getSubnet(nobody))).toBe("NotFound");
    expect(await outcome(neutron.getRouter(nobody))).toBe("NotFound");
  });

  it("finds subnets by network, address range, family and gateway", async () => {
    const { member, made } = get();
    const [first, second] = made.subnetIds;
    const ids = async (query: Parameters<typeof member.neutron.listSubnets>[0]) =>
      (await member.neutron.listSubnets(query)).map(({ id }) => id);
    expect(await ids({ networkId: made.networkId, cidr: "10.0.1.0/24" })).toEqual([first]);
    expect(await ids({ networkId: made.networkId, name: "tenant-2" })).toEqual([second]);
    expect(await ids({ networkId: made.networkId, gatewayIp: "10.0.2.1" })).toEqual([second]);
    expect((await ids({ networkId: made.networkId, ipVersion: 4 })).toSorted()).toEqual([...made.subnetIds].toSorted());
    expect(await ids({ networkId: made.networkId, ipVersion: 6 })).toEqual([]);
    expect(await member.neutron.getSubnet(first)).toMatchObject({
      networkId: made.networkId,
      cidr: "10.0.1.0/24",
      ipVersion: 4,
      gatewayIp: "10.0.1.1",
    });
  });

  it("keeps tags that replace all others, and finds networks by them", async () => {
    const { member, made, unique } = get();
    const { neutron } = member;
    const [a, b, c] = [unique("a"), unique("b"), unique("c")];
    const id = made.isolated.networkId;
    const found = async (query: Parameters<typeof neutron.listNetworks>[0]) =>
      (await neutron.listNetworks({ projectId: made.projectId, ...query })).some((network) => network.id === id);
    await neutron.replaceTags("networks", id, ["gone"]);
    await neutron.replaceTags("networks", id, [a, b]);
    expect((await neutron.getNetwork(id)).tags.toSorted()).toEqual([a, b].toSorted());
    expect(await found({ tags: [a, b] })).toBe(true);
    expect(await found({ tags: [a, c] })).toBe(false);
    expect(await found({ tagsAny: [a, c] })).toBe(true);
    expect(await found({ notTags: [a, b] })).toBe(false);
    expect(await found({ notTags: [a, c] })).toBe(true);
    expect(await found({ notTagsAny: [a, c] })).toBe(false);
    expect(await found({ notTagsAny: [c] })).toBe(true);
  });

  it("knows a router's external addresses", async () => {
    const { member, made } = get();
    const router = await member.neutron.getRouter(made.routerId);
    expect(router.externalAddresses).toHaveLength(1);
    expect(router.externalAddresses[0]).toMatch(/^203\.0\.113\./);
    expect(await member.neutron.listRouters({ ids: [made.routerId, nobody] })).toEqual([router]);
    expect(await member.neutron.listRouters({ ids: [] })).toEqual([]);
  });

  it("hides one project's networks and routers from another", async () => {
    const { project, made } = get();
    const { neutron } = project("other");
    expect(await outcome(neutron.getNetwork(made.networkId))).toBe("NotFound");
    expect(await outcome(neutron.getSubnet(made.subnetIds[0]))).toBe("NotFound");
    expect(await outcome(neutron.getRouter(made.routerId))).toBe("NotFound");
    expect(await neutron.listRouters({ ids: [made.routerId] })).toEqual([]);
  });

  it("refuses a filter that it does not know", async () => {
    const { raw } = get();
    const answer = await raw("password", { service: "neutron", method: "GET", path: "/v2.0/networks?colour=blue" });
    expect(answer.status).toBe(400);
  });

  it("leaves the filters in the link to the next page", async () => {
    const { raw, made } = get();
    const path = `/v2.0/subnets?network_id=${made.networkId}&limit=1`;
    const { body } = await raw("password", { service: "neutron", method: "GET", path });
    const { subnets_links: links } = body as { subnets_links: { rel: string; href: string }[] };
    const next = links.find(({ rel }) => rel === "next")?.href ?? "";
    expect(next).toContain(`network_id=${made.networkId}`);
    expect(next).toContain("marker=");
  });
}
