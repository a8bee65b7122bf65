// Ports: how they are made, marked, found and deleted, and which refusal means what.

import { afterAll, expect, it } from "vitest";
import type { CreatePort } from "../../../src/core/openstack/neutron-objects.ts";
import { type GetStage, nobody, outcome, refusal, type Stage } from "./stage.ts";

const tagsAtOnce = "tag-ports-during-bulk-creation";

/** On tenant-1, with nothing that has to be paid for. */
export function plainPort({ made }: Stage, fields: Partial<CreatePort> = {}): CreatePort {
  const place = { networkId: made.networkId, subnetId: made.subnetIds[0] };
  return { ...place, name: "", description: "", deviceId: "", tags: [], ...fields };
}

export function portBehaviours(get: GetStage): void {
  const leftovers: string[] = [];
  const make = async (fields: Partial<CreatePort> = {}) => {
    const port = await get().member.neutron.createPort(plainPort(get(), fields));
    leftovers.push(port.id);
    return port;
  };
  const attempt = (fields: Partial<CreatePort>, kind: "password" | "other" = "password") =>
    refusal(get().project(kind).neutron.createPort(plainPort(get(), fields)));
  afterAll(async () => {
    for (const id of leftovers) await get().member.neutron.deletePort(id);
  });

  it("comes with an address of its subnet and the marks that say whose it is, in one call", async () => {
    const { member, made, unique } = get();
    const marks = { name: unique("vip"), description: unique("ours"), deviceId: unique("service") };
    const port = await make(marks);
    expect(port).toMatchObject({ ...marks, networkId: made.networkId, projectId: made.projectId, deviceOwner: "" });
    expect(port).toMatchObject({ allowedAddressPairs: [], hasPortSecurity: true, tags: [], status: "DOWN" });
    expect(port.fixedIps).toEqual([{ subnetId: made.subnetIds[0], address: expect.stringMatching(/^10\.0\.1\./) }]);
    expect(port.macAddress).toMatch(/^([\da-f]{2}:){5}[\da-f]{2}$/);
    expect(await member.neutron.getPort(port.id)).toEqual(port);
  });

  it("is found by its id, its device, its description and its network, and by nothing else's", async () => {
    const { member, made, unique } = get();
    const port = await make({ description: unique("found"), deviceId: unique("device") });
    const { id, description, deviceId } = port;
    await make({ description: unique("other"), deviceId: unique("other") });
    const find = (query: Parameters<typeof member.neutron.listPorts>[0]) => member.neutron.listPorts(query);
    expect(await find({ ids: [id, nobody] })).toEqual([port]);
    expect(await find({ deviceIds: ["somebody-else", deviceId] })).toEqual([port]);
    expect(await find({ descriptions: [description, "somebody else's"] })).toEqual([port]);
    expect(await find({ networkId: made.networkId, descriptions: [description] })).toEqual([port]);
    expect(await find({ networkId: made.isolated.networkId, ids: [id] })).toEqual([]);
    expect(await find({ ids: [id], deviceIds: ["somebody-else"] })).toEqual([]);
    expect([await find({ ids: [] }), await find({ descriptions: [] })]).toEqual([[], []]);
    const all = (await find({})).map((each) => each.id);
    expect([all.includes(id), all.length > 2]).toEqual([true, true]);
  });

  it("bears its tags from the first moment where Neutron says that it can, and else none until they are set", async () => {
    const { member, unique } = get();
    const tags = [unique("a"), unique("b")];
    const { id, tags: first } = await make({ tags });
    const isAtOnce = (await member.neutron.extensions()).has(tagsAtOnce);
    expect(first.toSorted()).toEqual(isAtOnce ? tags.toSorted() : []);
    const found = async () => (await member.neutron.listPorts({ tags })).map((port) => port.id);
    expect(await found()).toEqual(isAtOnce ? [id] : []);
    await member.neutron.replaceTags("ports", id, tags);
    expect(await found()).toEqual([id]);
  });

  it("loses its tags without a word when they are sent to a Neutron that sets them in a call of their own", async () => {
    const { member, raw, made, unique } = get();
    const tags = [unique("sent")];
    const port = { network_id: made.networkId, fixed_ips: [{ subnet_id: made.subnetIds[0] }], tags };
    const answer = await raw("password", { service: "neutron", method: "POST", path: "/v2.0/ports", body: { port } });
    expect(answer.status).toBe(201);
    const { id } = (answer.body as { readonly port: { readonly id: string } }).port;
    leftovers.push(id);
    const isAtOnce = (await member.neutron.extensions()).has(tagsAtOnce);
    expect((await member.neutron.getPort(id)).tags).toEqual(isAtOnce ? tags : []);
  });

  it("has an address of one's choice, if nobody has it and it is one for hosts of the subnet", async () => {
    const address = "10.0.1.222";
    expect((await make({ address })).fixedIps.map((fixed) => fixed.address)).toEqual([address]);
    expect(await attempt({ address })).toBe("Conflict IpAddressAlreadyAllocated");
    expect(await attempt({ address: "10.0.1.1" })).toBe("Conflict IpAddressAlreadyAllocated");
    expect(await attempt({ address: "10.0.2.222" })).toBe("BadRequest InvalidIpForSubnet");
    expect(await attempt({ address: "10.0.1.255" })).toBe("BadRequest InvalidIpForSubnet");
    expect(await attempt({ address: "10.0.1.0" })).toBe("BadRequest InvalidIpForSubnet");
    expect(await attempt({ address: "nonsense" })).toBe("BadRequest HTTPBadRequest");
  });

  it("is told apart by what is not there: the network, the subnet, or the subnet on that network", async () => {
    const { made } = get();
    expect(await attempt({ networkId: nobody })).toBe("NotFound NetworkNotFound");
    expect(await attempt({}, "other")).toBe("NotFound NetworkNotFound");
    expect(await attempt({ subnetId: nobody })).toBe("NotFound SubnetNotFound");
    expect(await attempt({ subnetId: made.isolated.subnetId })).toBe("BadRequest InvalidInput");
    expect(await attempt({ networkId: made.externalNetworkId })).toBe("Forbidden HTTPForbidden");
  });

  it("takes no texts that are too long, or that have characters of four bytes", async () => {
    const long = "x".repeat(256);
    for (const field of ["name", "description", "deviceId"])
      expect(await attempt({ [field]: long })).toBe("BadRequest HTTPBadRequest");
    expect(await attempt({ description: "😀" })).toBe("ServerError HTTPInternalServerError");
    expect((await get().member.neutron.listPorts({})).filter(({ description }) => description === "😀")).toEqual([]);
  });

  it("has no port security when it is made without, on a network of one's own", async () => {
    const { member } = get();
    const { id, hasPortSecurity } = await make({ hasPortSecurity: false });
    expect([hasPortSecurity, (await member.neutron.getPort(id)).hasPortSecurity]).toEqual([false, false]);
  });

  it("is Forbidden on another project's network whatever is more than a port: then it is made without", async () => {
    const { project, made } = get();
    const { neutron } = project("other");
    const elsewhere = (fields: Partial<CreatePort>) => attempt({ ...made.shared, ...fields }, "other");
    const policy = "Forbidden PolicyNotAuthorized";
    expect(await elsewhere({ hasPortSecurity: false })).toBe(policy);
    expect(await elsewhere({ hasPortSecurity: true })).toBe(policy);
    expect(await elsewhere({ address: "10.8.1.50" })).toBe(policy);
    const { id } = await neutron.createPort(plainPort(get(), made.shared));
    const pairs = { allowedAddressPairs: [{ address: "10.8.1.99" }] };
    expect(await refusal(neutron.updatePort(id, pairs))).toBe(policy);
    expect(await outcome(neutron.updatePort(id, { description: "mine" }))).toBe("done");
    await neutron.deletePort(id);
  });

  it("is a matter of quota, which comes before policy and after the network", async () => {
    const { faults, made } = get();
    await faults.setQuota("port", 0);
    try {
      expect(await attempt(made.shared, "other")).toBe("QuotaExceeded OverQuota");
      expect(await attempt({ ...made.shared, hasPortSecurity: false }, "other")).toBe("QuotaExceeded OverQuota");
      expect(await attempt({ networkId: nobody }, "other")).toBe("NotFound NetworkNotFound");
    } finally {
      await faults.setQuota("port", undefined);
    }
  });

  it("is nobody else's", async () => {
    const { member, project } = get();
    const { id } = await make({});
    const { neutron } = project("other");
    expect(await refusal(neutron.getPort(id))).toBe("NotFound PortNotFound");
    expect(await refusal(neutron.updatePort(id, { description: "mine" }))).toBe("NotFound PortNotFound");
    expect(await outcome(neutron.deletePort(id))).toBe("done");
    expect(await neutron.listPorts({ ids: [id] })).toEqual([]);
    expect(await member.neutron.getPort(id)).toMatchObject({ id, description: "" });
  });

  it("leaves its address to others and its floating IP behind, with its marks, attached to nothing", async () => {
    const { member, made, unique } = get();
    const { neutron } = member;
    const address = "10.0.1.223";
    const port = await make({ address });
    const description = unique("left");
    const wanted = { floatingNetworkId: made.externalNetworkId, portId: port.id, description };
    const floating = await neutron.createFloatingIp(wanted);
    try {
      await neutron.replaceTags("floatingips", floating.id, ["ours"]);
      await neutron.deletePort(port.id);
      expect(await neutron.listFloatingIps({ portIds: [port.id] })).toEqual([]);
      const [left] = await neutron.listFloatingIps({ descriptions: [description], tags: ["ours"] });
      expect(left).toMatchObject({ id: floating.id, address: floating.address, description, tags: ["ours"] });
      expect([left?.portId, left?.fixedAddress]).toEqual([undefined, undefined]);
      await make({ address });
    } finally {
      await neutron.deleteFloatingIp(floating.id);
    }
  });

  it("gets no floating IP for reasons that can be told apart", async () => {
    const { member, project, faults, made } = get();
    const { id: lonely } = await make(made.isolated);
    const refused = (fields: { readonly portId?: string; readonly address?: string }, kind: "password" | "other") => {
      const wanted = { floatingNetworkId: made.externalNetworkId, description: "", ...fields };
      return refusal(project(kind).neutron.createFloatingIp(wanted));
    };
    expect(await refused({ portId: lonely }, "password")).toBe("NotFound ExternalGatewayForFloatingIPNotFound");
    expect(await refused({ portId: nobody }, "password")).toBe("NotFound PortNotFound");
    expect(await refused({ address: "203.0.113.253" }, "password")).toBe("Forbidden PolicyNotAuthorized");
    await faults.setQuota("floatingip", 0);
    try {
      expect(await refused({}, "other")).toBe("QuotaExceeded OverQuota");
    } finally {
      await faults.setQuota("floatingip", undefined);
    }
    expect(await refusal(member.neutron.replaceTags("ports", nobody, ["a"]))).toBe("NotFound TagResourceNotFound");
  });

  it("is deleted once; deleting it again is done, and changing it is not", async () => {
    const { member } = get();
    const { id } = await make({});
    await member.neutron.deletePort(id);
    expect(await outcome(member.neutron.deletePort(id))).toBe("done");
    expect(await refusal(member.neutron.getPort(id))).toBe("NotFound PortNotFound");
    expect(await refusal(member.neutron.updatePort(id, { description: "" }))).toBe("NotFound PortNotFound");
  });

  it("of a router is not deleted", async () => {
    const { member, made } = get();
    const [leg] = await member.neutron.listPorts({ deviceIds: [made.routerId] });
    const seen = { ...leg, revisionNumber: 4_711 } as NonNullable<typeof leg>;
    for (const options of [{}, { seen }])
      expect(await refusal(member.neutron.deletePort(leg?.id ?? "", options))).toBe("Conflict ServicePortInUse");
  });
}
