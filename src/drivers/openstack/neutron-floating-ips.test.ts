import { describe, expect, it } from "vitest";
import { type ScriptedAnswer, type SentRequest, scriptedCloud } from "../../../test/support/scripted-cloud.ts";

const floatingip = { id: "f1", floating_ip_address: "203.0.113.9", floating_network_id: "n1" };
const counted = { ...floatingip, revision_number: 4 };

/** A Neutron with these extensions, that shows the floating IP like this, or knows of none. */
function neutronWith(aliases: readonly string[], shown: object | "gone") {
  const services = ({ method, url }: SentRequest): ScriptedAnswer => {
    if (url.endsWith("/extensions")) return { json: { extensions: aliases.map((alias) => ({ alias })) } };
    if (shown === "gone") return { status: 404 };
    return method === "DELETE" ? { status: 204, text: "" } : { json: { floatingip: shown } };
  };
  const world = scriptedCloud({ services });
  const sent = () => world.sent.map(({ method, url }) => `${method} ${new URL(url).pathname.split("/")[2]}`);
  return { ...world, sent, conditions: () => world.sent.map(({ headers }) => headers["if-match"]).filter(Boolean) };
}

describe("a floating IP that is to be changed as it was seen", () => {
  const recent = ["router", "revision-if-match"];

  it("is compared by a Neutron that can, and nothing is read before", async () => {
    const { project, sent, conditions } = neutronWith(recent, counted);
    await project.neutron.updateFloatingIp("f1", { portId: "v1" }, { seen: { revisionNumber: 0 } });
    await project.neutron.deleteFloatingIp("f1", { seen: { portId: "v1", revisionNumber: 5 } });
    expect(sent()).toEqual(["GET extensions", "PUT floatingips", "DELETE floatingips"]);
    expect(conditions()).toEqual(["revision_number=0", "revision_number=5"]);
  });

  it("has a Neutron asked once an hour what it can do", async () => {
    const { project, sent, clock } = neutronWith(recent, counted);
    const remove = () => project.neutron.deleteFloatingIp("f1", { seen: { revisionNumber: 5 } });
    await remove();
    await clock.advance(3_599_000);
    await remove();
    await clock.advance(2_000);
    await remove();
    expect(sent().filter((one) => one === "GET extensions")).toHaveLength(2);
  });

  it.each([
    ["counts nothing", [], floatingip, {}],
    ["counts, and does not compare", ["standard-attr-revisions"], counted, { revisionNumber: 4 }],
  ])("is read again right before the change where Neutron %s", async (_, aliases, shown, seen) => {
    const { project, sent, conditions } = neutronWith(aliases, shown);
    await project.neutron.updateFloatingIp("f1", { portId: "v1" }, { seen });
    await project.neutron.deleteFloatingIp("f1", { seen });
    const looks = ["GET floatingips", "PUT floatingips", "GET floatingips", "DELETE floatingips"];
    expect([sent().filter((one) => one !== "GET extensions"), conditions()]).toEqual([looks, []]);
  });

  it.each([
    ["is on another port", { ...floatingip, port_id: "v2" }, {}],
    ["is on none any more", floatingip, { portId: "v1" }],
    ["was changed and changed back", { ...counted, revision_number: 6 }, { revisionNumber: 4 }],
  ])("is left alone when it %s", async (_, shown, seen) => {
    const { project, sent } = neutronWith([], shown);
    const changed = { code: "Changed", reason: "OpenStackObjectChanged", message: expect.stringContaining("f1") };
    const { neutron } = project;
    await expect(neutron.updateFloatingIp("f1", { portId: null }, { seen })).rejects.toMatchObject(changed);
    await expect(neutron.deleteFloatingIp("f1", { seen })).rejects.toMatchObject(changed);
    expect(sent().filter((one) => one !== "GET extensions")).toEqual(["GET floatingips", "GET floatingips"]);
  });

  it("is not taken for gone when Neutron does not say what it can do", async () => {
    const { project } = scriptedCloud({ services: () => ({ status: 404 }) });
    const removal = project.neutron.deleteFloatingIp("f1", { seen: { revisionNumber: 1 } });
    await expect(removal).rejects.toMatchObject({ code: "NotFound", message: expect.stringContaining("extensions") });
  });

  it("and is gone by then is done when it was to be deleted", async () => {
    const { project } = neutronWith([], "gone");
    await project.neutron.deleteFloatingIp("f1", { seen: {} });
    const attach = project.neutron.updateFloatingIp("f1", { portId: "v1" }, { seen: {} });
    await expect(attach).rejects.toMatchObject({ code: "NotFound" });
  });
});
