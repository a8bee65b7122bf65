// Lists: filters, pages, and whose things they show.

import { expect, it } from "vitest";
import { type GetStage, nobody, outcome } from "./stage.ts";

interface Links {
  readonly [key: string]: readonly { readonly rel: string; readonly href: string }[];
}

export function listBehaviours(get: GetStage): void {
  it("finds balancers by name and by all of several tags", async () => {
    const { member, balancer, settled, unique } = get();
    const { id, name } = await balancer();
    const [a, b] = [unique("a"), unique("b")];
    await settled(id);
    await member.octavia.updateLoadBalancer(id, { tags: [a, b] });
    await settled(id);
    const ids = async (query: Parameters<typeof member.octavia.listLoadBalancers>[0]) =>
      (await member.octavia.listLoadBalancers(query)).map((each) => each.id);
    expect(await ids({ name })).toEqual([id]);
    expect(await ids({ tags: [a, b] })).toEqual([id]);
    expect(await ids({ tags: [a], name })).toEqual([id]);
    expect(await ids({ tags: [a, "other"] })).toEqual([]);
    expect(await ids({ name: name.slice(0, -1) })).toEqual([]);
  });

  it("finds balancers by any of several tags, each once", async () => {
    const { member, made, balancer, settled, unique } = get();
    const { id } = await balancer();
    const [a, b, c] = [unique("a"), unique("b"), unique("c")];
    await settled(id);
    await member.octavia.updateLoadBalancer(id, { tags: [a, b] });
    await settled(id);
    const fields = { name: unique("second"), description: "", tags: [c], vipSubnetId: made.subnetIds[0] };
    const second = await member.octavia.createLoadBalancer(fields);
    const ids = async (tagsAny: readonly string[]) =>
      (await member.octavia.listLoadBalancers({ tagsAny })).map((each) => each.id).toSorted();
    expect(await ids([a, b])).toEqual([id]);
    expect(await ids([b, c])).toEqual([id, second.id].toSorted());
    expect(await ids([unique("d")])).toEqual([]);
    const many = Array.from({ length: 50 }, (_, index) => unique(`mainstay-owner=${index}`.padEnd(60, "x")));
    expect(await ids([...many, c])).toEqual([second.id]);
    await settled(second.id);
    await member.octavia.deleteLoadBalancer(second.id);
  });

  it("finds children by balancer and tags", async () => {
    const { member, served } = get();
    const { balancer, pool } = await served();
    const pools = await member.octavia.listPools({ loadBalancerId: balancer.id, tags: ["pool"] });
    expect(pools.map(({ id }) => id)).toEqual([pool.id]);
    expect(await member.octavia.listPools({ loadBalancerId: nobody })).toEqual([]);
    expect(await member.octavia.listListeners({ loadBalancerId: nobody })).toEqual([]);
    expect(await member.octavia.listListeners({ loadBalancerId: balancer.id, tags: ["no such tag"] })).toEqual([]);
  });

  it("drops the filters from the link to the next page, and gives one with every full page", async () => {
    const { raw, balancer } = get();
    const { name, id } = await balancer();
    const path = `/v2.0/lbaas/loadbalancers?name=${name}&limit=1`;
    const { body } = await raw("password", { service: "octavia", method: "GET", path });
    const { loadbalancers_links: links } = body as Links;
    const next = links?.find(({ rel }) => rel === "next")?.href ?? "";
    expect(next).toContain(`marker=${id}`);
    expect(next).not.toContain("name=");
  });

  it("refuses filters that it does not know, health monitors by balancer among them", async () => {
    const { raw, balancer } = get();
    const { id } = await balancer();
    const status = async (path: string) =>
      (await raw("password", { service: "octavia", method: "GET", path: `/v2.0/lbaas/${path}` })).status;
    expect(await status("loadbalancers?colour=blue")).toBe(400);
    expect(await status(`healthmonitors?loadbalancer_id=${id}`)).toBe(400);
    expect(await status(`loadbalancers?marker=${nobody}`)).toBe(400);
    expect(await status("loadbalancers?limit=few")).toBe(400);
  });

  it("shows nothing of one project to another", async () => {
    const { project, balancer, made } = get();
    const { id } = await balancer();
    const { octavia } = project("other");
    const theirs = await octavia.listLoadBalancers({});
    expect(theirs.filter(({ projectId }) => projectId !== made.otherProjectId)).toEqual([]);
    expect(theirs.map((each) => each.id)).not.toContain(id);
    expect(await octavia.listListeners({ loadBalancerId: id })).toEqual([]);
    expect(await octavia.listPools({ loadBalancerId: id })).toEqual([]);
    expect(await octavia.listHealthMonitors({})).toEqual([]);
    // Octavia says that it may not, Neutron that it is not there.
    expect(await outcome(octavia.getLoadBalancer(id))).toBe("Forbidden");
    expect(await outcome(octavia.deleteLoadBalancer(id))).toBe("Forbidden");
    expect(await outcome(octavia.statusTree(id))).toBe("Forbidden");
  });

  it("shows an administrator of the project no more than the project's", async () => {
    const { project, made } = get();
    const found = await project("admin").octavia.listLoadBalancers({});
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ projectId }) => projectId !== made.projectId)).toEqual([]);
  });

  it("answers a member who lists another project with 403", async () => {
    const { raw, made } = get();
    const path = `/v2.0/lbaas/loadbalancers?project_id=${made.otherProjectId}`;
    expect((await raw("password", { service: "octavia", method: "GET", path })).status).toBe(403);
  });

  it("has no balancer of an unknown id", async () => {
    const { member } = get();
    expect(await outcome(member.octavia.getLoadBalancer(nobody))).toBe("NotFound");
    expect(await outcome(member.octavia.updateLoadBalancer(nobody, { name: "x" }))).toBe("NotFound");
    expect(await outcome(member.octavia.deleteLoadBalancer(nobody))).toBe("done");
  });
}
