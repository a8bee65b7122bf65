import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SentRequest, scriptedCloud } from "../../../test/support/scripted-cloud.ts";

const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${String(index).padStart(4, "0")}`);
const listener = (id: string) => ({
  id,
  name: id,
  provisioning_status: "ACTIVE",
  operating_status: "ONLINE",
  protocol: "TCP",
  protocol_port: 6443,
  admin_state_up: true,
  loadbalancers: [{ id: "b1" }],
  allowed_cidrs: null,
  tags: ["ours"],
  a_field_of_tomorrow: { x: 1 },
});

/** Pages as Octavia makes them: the next link has lost the filters, and a full last page has one, too. */
function pages(all: readonly string[], { query }: SentRequest) {
  const limit = Number(query.get("limit"));
  const marker = query.get("marker");
  const from = marker === null ? 0 : all.indexOf(marker) + 1;
  const page = all.slice(from, from + limit);
  const links = page.length === limit ? [{ rel: "next", href: `https://octavia.test/?marker=${page.at(-1)}` }] : [];
  return { json: { listeners: page.map(listener), listeners_links: links } };
}

describe("a list", () => {
  it("is whole whatever the page size, and every page is asked for with the same filters", async () => {
    const lengths = fc.record({ count: fc.integer({ min: 0, max: 25 }), pageSize: fc.integer({ min: 1, max: 10 }) });
    await fc.assert(
      fc.asyncProperty(lengths, async ({ count, pageSize }) => {
        const { project, sent } = scriptedCloud({
          options: { pageSize },
          services: (request) => pages(ids(count), request),
        });
        const found = await project.octavia.listListeners({ loadBalancerId: "b1", tags: ["ours"] });
        expect(found.map(({ id }) => id)).toEqual(ids(count));
        const filters = sent.map(({ query }) => [
          query.get("project_id"),
          query.get("loadbalancer_id"),
          query.get("tags"),
        ]);
        expect(new Set(filters.map(String))).toEqual(new Set(["p1,b1,ours"]));
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ["404, as Neutron says it", 404],
    ["400, as Octavia says it", 400],
  ])("is begun again when the last of a page goes before the next is asked for: %s", async (_, status) => {
    const all = ids(5);
    const gone = new Set<string>();
    const { project } = scriptedCloud({
      options: { pageSize: 2 },
      services: (request) => {
        const marker = request.query.get("marker");
        if (marker === "id-0003") gone.add(marker);
        const left = all.filter((id) => !gone.has(id));
        return marker !== null && gone.has(marker) ? { status } : pages(left, request);
      },
    });
    const found = await project.octavia.listListeners({});
    expect(found.map(({ id }) => id)).toEqual(["id-0000", "id-0001", "id-0002", "id-0004"]);
  });

  it("whose pages go missing one after the other is an error in the end", async () => {
    const { project } = scriptedCloud({
      options: { pageSize: 1 },
      services: (request) => (request.query.has("marker") ? { status: 404 } : pages(ids(3), request)),
    });
    await expect(project.octavia.listListeners({})).rejects.toMatchObject({ code: "NotFound" });
  });

  it("that goes in circles is an error, never a list without end", async () => {
    const links = [{ rel: "next", href: "https://x.test" }];
    const { project } = scriptedCloud({
      services: () => ({ json: { listeners: [listener("a")], listeners_links: links } }),
    });
    await expect(project.octavia.listListeners({})).rejects.toMatchObject({ code: "ServerError" });
  });

  it("holds only what has all the tags, also where the cloud pays no heed to the filter or the tag has a comma", async () => {
    const tagged = (id: string, ...tags: string[]) => ({ ...listener(id), tags });
    const { project, sent } = scriptedCloud({
      services: () => ({ json: { listeners: [tagged("a", "x", "y,z"), tagged("b", "x"), tagged("c")] } }),
    });
    const found = await project.octavia.listListeners({ tags: ["x", "y,z"] });
    expect(found.map(({ id }) => id)).toEqual(["a"]);
    expect(sent[0]?.query.get("tags")).toBe("x");
  });

  it("of balancers, listeners, pools, monitors, ports, routers and floating IPs is the project's own", async () => {
    const { project, sent } = scriptedCloud({
      services: () => ({
        json: {
          loadbalancers: [],
          listeners: [],
          pools: [],
          healthmonitors: [],
          ports: [],
          routers: [],
          floatingips: [],
          networks: [],
          subnets: [],
        },
      }),
    });
    const { octavia, neutron } = project;
    await octavia.listLoadBalancers({ name: "a" });
    await octavia.listListeners({});
    await octavia.listPools({});
    await octavia.listHealthMonitors({ tags: ["t"] });
    await neutron.listPorts({ networkId: "n" });
    await neutron.listRouters({ ids: ["r"] });
    await neutron.listFloatingIps({ tags: ["t"] });
    expect(sent.map(({ query }) => query.get("project_id"))).toEqual(sent.map(() => "p1"));
    const before = sent.length;
    await neutron.listNetworks({ name: "shared" });
    await neutron.listSubnets({ networkId: "n", projectId: "p2" });
    expect(sent.slice(before).map(({ query }) => query.get("project_id"))).toEqual([null, "p2"]);
  });

  it("of none of the values asks nothing, and of very many asks in parts", async () => {
    const { project, sent } = scriptedCloud({
      services: () => ({ json: { floatingips: [], ports: [], routers: [] } }),
    });
    expect(await project.neutron.listFloatingIps({ portIds: [] })).toEqual([]);
    expect(await project.neutron.listFloatingIps({ portIds: ["a"], descriptions: [] })).toEqual([]);
    expect(await project.neutron.listPorts({ deviceIds: [] })).toEqual([]);
    expect(await project.neutron.listRouters({ ids: [] })).toEqual([]);
    expect(sent).toEqual([]);
    await project.neutron.listFloatingIps({ portIds: ids(120), descriptions: ["d1", "d2"] });
    expect(sent.flatMap(({ query }) => query.getAll("port_id")).toSorted()).toEqual(ids(120));
    expect(sent.every(({ query }) => query.getAll("description").length === 2)).toBe(true);
    expect(Math.max(...sent.map(({ url }) => url.length))).toBeLessThan(4_000);
  });
});

describe("an answer", () => {
  it("keeps what we know and drops the rest; null is absent", async () => {
    const { project } = scriptedCloud({ services: () => ({ json: { listeners: [listener("a")] } }) });
    expect(await project.octavia.listListeners({})).toEqual([
      {
        id: "a",
        name: "a",
        provisioningStatus: "ACTIVE",
        operatingStatus: "ONLINE",
        loadBalancerId: "b1",
        protocol: "TCP",
        port: 6443,
        allowedCidrs: [],
        connectionLimit: -1,
        adminStateUp: true,
        tags: ["ours"],
      },
    ]);
  });

  it("that lacks what it must have is the service's error, with the place", async () => {
    for (const answer of [{ text: "<html>" }, { json: [] }, { json: { loadbalancer: { id: 7 } } }, { json: {} }]) {
      const { project } = scriptedCloud({ services: () => answer });
      await expect(project.octavia.getLoadBalancer("b1")).rejects.toMatchObject({
        code: "ServerError",
        message: expect.stringContaining("load balancer b1"),
      });
    }
  });

  it("about versions yields the newest, in any order", async () => {
    const versions = ["v2.0", "v2.9", "v2.26", "v2.3", "v1"].map((id) => ({ id }));
    const { project, sent } = scriptedCloud({ services: () => ({ json: { versions } }) });
    expect(await project.octavia.version()).toEqual([2, 26]);
    expect(sent[0]?.url).toBe("https://octavia-1-public.test/");
  });
});

describe("an id that is none", () => {
  it.each(["", ".", ".."])("such as %j never leaves: it would mean something else", async (id) => {
    const { project, sent } = scriptedCloud();
    await expect(project.octavia.deleteLoadBalancer(id)).rejects.toMatchObject({ code: "BadRequest" });
    await expect(project.neutron.getNetwork(id)).rejects.toMatchObject({ code: "BadRequest" });
    expect(sent).toEqual([]);
  });

  it("is kept in its place in the path, whatever it holds", async () => {
    const { project, sent } = scriptedCloud({ services: () => ({ status: 404 }) });
    await project.octavia.deleteMember("p/../x", "m?cascade=true");
    expect(sent[0]?.url).toBe("https://octavia-1-public.test/v2.0/lbaas/pools/p%2F..%2Fx/members/m%3Fcascade%3Dtrue");
  });
});

describe("a floating IP", () => {
  it.each([
    ["ERROR", true],
    ["DOWN", undefined],
    ["ACTIVE", undefined],
    [undefined, undefined],
  ])("of status %s", async (status, isInError) => {
    const floatingip = { id: "f1", floating_ip_address: "203.0.113.9", floating_network_id: "n1", status };
    const { project } = scriptedCloud({ services: () => ({ json: { floatingips: [floatingip] } }) });
    const [found] = await project.neutron.listFloatingIps({ addresses: ["203.0.113.9"] });
    expect(found?.isInError).toBe(isInError);
  });
});

describe("a change of a floating IP", () => {
  it("to nothing is only looked at: Neutron would detach it", async () => {
    const floatingip = { id: "f1", floating_ip_address: "203.0.113.9", floating_network_id: "n1", port_id: "v1" };
    const { project, sent } = scriptedCloud({ services: () => ({ json: { floatingip } }) });
    expect(await project.neutron.updateFloatingIp("f1", {})).toMatchObject({ portId: "v1" });
    expect(sent.map(({ method }) => method)).toEqual(["GET"]);
    await project.neutron.updateFloatingIp("f1", { portId: null });
    expect(sent[1]).toMatchObject({ method: "PUT", body: '{"floatingip":{"port_id":null}}' });
  });
});
