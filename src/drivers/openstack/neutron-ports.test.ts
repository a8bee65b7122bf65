import { describe, expect, it } from "vitest";
import { type ScriptedAnswer, type SentRequest, scriptedCloud } from "../../../test/support/scripted-cloud.ts";
import type { PortSeen } from "../../core/openstack/neutron-objects.ts";

const mac = "fa:16:3e:00:00:01";
const port = {
  id: "v1",
  name: "vip",
  network_id: "n1",
  device_id: "service",
  device_owner: "",
  mac_address: mac,
  fixed_ips: [{ subnet_id: "s1", ip_address: "10.0.1.9" }],
  allowed_address_pairs: [{ mac_address: mac, ip_address: "10.0.1.20" }],
  port_security_enabled: false,
  status: "DOWN",
  description: "ours",
  tags: ["a", "b"],
  project_id: "p1",
  "binding:vnic_type": "normal",
};
const counted = { ...port, revision_number: 4 };
const seen: PortSeen = {
  name: "vip",
  description: "ours",
  deviceId: "service",
  deviceOwner: "",
  fixedIps: [{ subnetId: "s1", address: "10.0.1.9" }],
  allowedAddressPairs: [{ address: "10.0.1.20", macAddress: mac }],
  tags: ["b", "a"],
};
const wanted = { networkId: "n1", subnetId: "s1", name: "vip", description: "ours", deviceId: "service", tags: ["a"] };
const recent = ["port-security", "revision-if-match", "tag-ports-during-bulk-creation"];

/** A Neutron with these extensions, that shows the port like this, or knows of none. */
function neutronWith(aliases: readonly string[], shown: object | "gone" = counted) {
  const services = ({ method, url }: SentRequest): ScriptedAnswer => {
    if (url.endsWith("/extensions")) return { json: { extensions: aliases.map((alias) => ({ alias })) } };
    if (shown === "gone") return { status: 404 };
    return method === "DELETE" ? { status: 204, text: "" } : { json: { port: shown } };
  };
  const world = scriptedCloud({ services });
  const sent = () => world.sent.map(({ method, url }) => `${method} ${new URL(url).pathname.split("/")[2]}`);
  const fields = () =>
    world.sent.flatMap(({ body }): readonly object[] =>
      typeof body === "string" ? [(JSON.parse(body) as { readonly port: object }).port] : [],
    );
  const conditions = () => world.sent.map(({ headers }) => headers["if-match"]).filter(Boolean);
  return { neutron: world.project.neutron, sent, fields, conditions };
}

describe("a port", () => {
  it("is read with everything that a decision about it needs, and without the rest", async () => {
    const { neutron } = neutronWith([]);
    expect(await neutron.getPort("v1")).toEqual({
      ...seen,
      id: "v1",
      networkId: "n1",
      macAddress: mac,
      hasPortSecurity: false,
      status: "DOWN",
      tags: ["a", "b"],
      projectId: "p1",
      revisionNumber: 4,
    });
  });

  it("is made with its marks in one call", async () => {
    const { neutron, sent, fields } = neutronWith(recent);
    await neutron.createPort({ ...wanted, address: "10.0.1.9", hasPortSecurity: false });
    expect(sent()).toEqual(["GET extensions", "POST ports"]);
    expect(fields()).toEqual([
      {
        network_id: "n1",
        fixed_ips: [{ subnet_id: "s1", ip_address: "10.0.1.9" }],
        name: "vip",
        description: "ours",
        device_id: "service",
        tags: ["a"],
        port_security_enabled: false,
      },
    ]);
  });

  it("is not asked to have what its Neutron does not list", async () => {
    const { neutron, fields } = neutronWith(["revision-if-match"]);
    await neutron.createPort({ ...wanted, hasPortSecurity: false });
    expect(Object.keys(fields()[0] ?? {})).toEqual(["network_id", "fixed_ips", "name", "description", "device_id"]);
  });

  it("is made without a question about extensions where nothing depends on one", async () => {
    const { neutron, sent } = neutronWith(recent);
    await neutron.createPort({ ...wanted, tags: [] });
    expect(sent()).toEqual(["POST ports"]);
  });

  it("that is to be changed to nothing is only read, since it would count as a change", async () => {
    const { neutron, sent } = neutronWith(recent);
    expect(await neutron.updatePort("v1", {}, { seen })).toMatchObject({ id: "v1" });
    expect(sent()).toEqual(["GET ports"]);
  });

  it("gets the pairs that were said, with a MAC address only where one was said", async () => {
    const { neutron, fields } = neutronWith(recent);
    const allowedAddressPairs = [{ address: "10.0.1.20", macAddress: mac }, { address: "10.0.1.21" }];
    await neutron.updatePort("v1", { allowedAddressPairs });
    await neutron.updatePort("v1", { allowedAddressPairs: [], description: "theirs" });
    expect(fields()).toEqual([
      { allowed_address_pairs: [{ ip_address: "10.0.1.20", mac_address: mac }, { ip_address: "10.0.1.21" }] },
      { description: "theirs", allowed_address_pairs: [] },
    ]);
  });
});

describe("a port that is to be changed as it was seen", () => {
  it("is compared by a Neutron that can, and nothing is read before", async () => {
    const { neutron, sent, conditions } = neutronWith(recent);
    await neutron.updatePort("v1", { allowedAddressPairs: [] }, { seen: { ...seen, revisionNumber: 0 } });
    await neutron.deletePort("v1", { seen: { ...seen, revisionNumber: 5 } });
    expect(sent()).toEqual(["GET extensions", "PUT ports", "DELETE ports"]);
    expect(conditions()).toEqual(["revision_number=0", "revision_number=5"]);
  });

  it.each([
    ["counts nothing", [], port, seen],
    ["counts, and does not compare", ["standard-attr-revisions"], counted, { ...seen, revisionNumber: 4 }],
  ])("is read again right before the change where Neutron %s", async (_, aliases, shown, as) => {
    const { neutron, sent, conditions } = neutronWith(aliases, shown);
    await neutron.updatePort("v1", { allowedAddressPairs: [] }, { seen: as });
    await neutron.deletePort("v1", { seen: as });
    const looks = ["GET ports", "PUT ports", "GET ports", "DELETE ports"];
    expect([sent().filter((one) => one !== "GET extensions"), conditions()]).toEqual([looks, []]);
  });

  it.each([
    ["another pair", { allowed_address_pairs: [{ mac_address: mac, ip_address: "10.0.1.21" }] }],
    ["a pair more", { allowed_address_pairs: [...port.allowed_address_pairs, { ip_address: "10.0.1.21" }] }],
    ["another MAC address in a pair", { allowed_address_pairs: [{ mac_address: "x", ip_address: "10.0.1.20" }] }],
    ["another tag", { tags: ["a", "c"] }],
    ["another description", { description: "theirs" }],
    ["another name", { name: "theirs" }],
    ["another device", { device_id: "theirs" }],
    ["another owner", { device_owner: "compute:nova" }],
    ["another address", { fixed_ips: [{ subnet_id: "s1", ip_address: "10.0.1.10" }] }],
    ["a revision", { revision_number: 4 }],
  ])("is left alone when it has %s", async (_, fields) => {
    const { neutron, sent } = neutronWith([], { ...port, ...fields });
    const changed = { code: "Changed", reason: "OpenStackObjectChanged", message: expect.stringContaining("v1") };
    await expect(neutron.updatePort("v1", { description: "" }, { seen })).rejects.toMatchObject(changed);
    await expect(neutron.deletePort("v1", { seen })).rejects.toMatchObject(changed);
    expect(sent()).toEqual(["GET ports", "GET ports"]);
  });

  it("and is gone by then is done when it was to be deleted", async () => {
    const { neutron } = neutronWith([], "gone");
    await neutron.deletePort("v1", { seen });
    await expect(neutron.updatePort("v1", { name: "" }, { seen })).rejects.toMatchObject({ code: "NotFound" });
  });
});
