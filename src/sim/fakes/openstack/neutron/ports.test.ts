// What the contract suite does not reach on the lab's Neutron: clouds that lack something, limits of whole projects, a full subnet.

import { describe, expect, it } from "vitest";
import { refusal } from "../../../../../test/contract/openstack/stage.ts";
import { VirtualClock } from "../../../../../test/support/virtual-clock.ts";
import { seededRandom } from "../../../time/seeded-random.ts";
import type { FakeOpenStackOptions } from "../cloud-settings.ts";
import { addNetwork, addSubnet } from "../cloud-setup.ts";
import { createLabShaped } from "../lab-shaped.ts";

function open(options: Partial<FakeOpenStackOptions> = {}) {
  const lab = createLabShaped({ clock: new VirtualClock(), random: seededRandom(1), ...options });
  const { neutron } = lab.fake.project(lab.clouds.password);
  const place = { networkId: lab.networkId, subnetId: lab.subnetIds[0] };
  return { lab, neutron, wanted: { ...place, name: "", description: "", deviceId: "", tags: [] } };
}

describe("a Neutron", () => {
  it("that lacks extensions makes ports without what they bring, and says so", async () => {
    const { neutron, wanted } = open({
      neutronLacks: ["allowed-address-pairs", "port-security", "tag-ports-during-bulk-creation"],
    });
    const port = await neutron.createPort({ ...wanted, tags: ["a"], hasPortSecurity: false });
    expect(port).toMatchObject({ tags: [] });
    expect(port).not.toHaveProperty("hasPortSecurity");
    const pairs = neutron.updatePort(port.id, { allowedAddressPairs: [{ address: "10.0.1.9" }] });
    expect(await refusal(pairs)).toBe("BadRequest HTTPBadRequest");
  });

  it("that counts nothing has ports changed and deleted only as they were seen", async () => {
    const { neutron, wanted } = open({ neutronRevisions: false });
    const seen = await neutron.createPort(wanted);
    expect(seen).not.toHaveProperty("revisionNumber");
    const pair = { allowedAddressPairs: [{ address: "10.0.1.200" }] };
    const first = await neutron.updatePort(seen.id, pair, { seen });
    expect(await refusal(neutron.updatePort(seen.id, { description: "" }, { seen }))).toMatch(/^Changed /);
    expect(await refusal(neutron.deletePort(seen.id, { seen }))).toMatch(/^Changed /);
    expect(await neutron.getPort(seen.id)).toEqual(first);
    expect(await refusal(neutron.deletePort(seen.id, { seen: first }))).toBe("done");
  });

  it("that forgets conditions has the later of two changes win, and counts both", async () => {
    const { lab, neutron, wanted } = open();
    const seen = await neutron.createPort(wanted);
    const set = (address: string) => neutron.updatePort(seen.id, { allowedAddressPairs: [{ address }] }, { seen });
    await set("10.0.1.200");
    lab.fake.faults.setForgetful(true);
    expect(await refusal(set("10.0.1.201"))).toBe("done");
    lab.fake.faults.setForgetful(false);
    expect(await refusal(set("10.0.1.202"))).toMatch(/^Changed /);
    const { allowedAddressPairs, revisionNumber } = await neutron.getPort(seen.id);
    expect([allowedAddressPairs.map(({ address }) => address), revisionNumber]).toEqual([["10.0.1.201"], 3]);
  });

  it("has as many address pairs to a port as its operator says", async () => {
    const { neutron, wanted } = open({ maxAddressPairs: 1 });
    const { id } = await neutron.createPort(wanted);
    const pairs = [{ address: "10.0.1.200" }, { address: "10.0.1.201" }];
    const both = await refusal(neutron.updatePort(id, { allowedAddressPairs: pairs }));
    expect(both).toBe("QuotaExceeded AllowedAddressPairExhausted");
    expect(await refusal(neutron.updatePort(id, { allowedAddressPairs: pairs.slice(1) }))).toBe("done");
  });
});

describe("a project", () => {
  it("has 500 ports and 50 floating IPs where nobody said otherwise", async () => {
    const { lab, neutron, wanted } = open();
    const place = { projectId: lab.projectId, networkId: lab.isolated.networkId };
    const { id: subnetId } = addSubnet(lab.fake.cloud, { ...place, name: "wide", cidr: "172.20.0.0/20" });
    const wide = { ...wanted, networkId: lab.isolated.networkId, subnetId };
    const there = (await neutron.listPorts({})).length;
    for (let made = there; made < 500; made += 1) await neutron.createPort(wide);
    expect(await refusal(neutron.createPort(wide))).toBe("QuotaExceeded OverQuota");
    const floating = { floatingNetworkId: lab.externalNetworkId, description: "" };
    for (let made = 0; made < 50; made += 1) await neutron.createFloatingIp(floating);
    expect(await refusal(neutron.createFloatingIp(floating))).toBe("QuotaExceeded OverQuota");
    lab.fake.faults.setQuota(lab.projectId, "port", 501);
    expect(await refusal(neutron.createPort(wide))).toBe("done");
  });

  it("finds no address in a subnet that is full, which is no matter of quota", async () => {
    const { lab, neutron, wanted } = open();
    const { projectId } = lab;
    const { id: networkId } = addNetwork(lab.fake.cloud, { name: "small", projectId });
    const { id: subnetId } = addSubnet(lab.fake.cloud, { name: "s", projectId, networkId, cidr: "172.20.0.0/30" });
    await neutron.createPort({ ...wanted, networkId, subnetId });
    const more = neutron.createPort({ ...wanted, networkId, subnetId });
    expect(await refusal(more)).toBe("Conflict IpAddressGenerationFailure");
  });
});
