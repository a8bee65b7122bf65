// From one balancer to one per zone and back, for clusters that CAPO built; and the cluster that cannot go.

import { describe, expect, it } from "vitest";
import { openStackClusters } from "../../../src/apis/openstack-cluster.ts";
import { membersBehind, seenBalancers } from "./balancers.ts";
import {
  conditionOf,
  type EndpointLab,
  namespace,
  notesOn,
  readInfrastructure,
  removeCluster,
} from "./endpoint-lab.ts";
import { buildLegacyCluster, type LegacyCluster } from "./legacy-cluster.ts";
import { addMachine, machineIsGone } from "./machines.ts";
import { until } from "./until.ts";

const timeout = 900_000;

export function migration(get: () => EndpointLab): void {
  const toZones = () => ({
    network: { id: get().project.networkId },
    availabilityZoneSubnets: [1, 2].map((zone) => ({
      availabilityZone: `az${zone}`,
      subnet: { id: get().project.subnetIds[zone - 1] },
    })),
  });
  const patchBlock = async (name: string, apiServerLoadBalancer: object) =>
    await get().kube.patch(
      openStackClusters,
      { name, namespace },
      { type: "merge", body: { spec: { apiServerLoadBalancer } } },
    );
  const taken = async (name: string, legacy: LegacyCluster) =>
    await until(`${name} to be taken over`, async () => {
      const [row] = (await get().project.balancers()).filter(({ id }) => id === legacy.id);
      const isReady = conditionOf(await readInfrastructure(get(), name), "Ready").startsWith("True");
      return isReady && JSON.stringify(row?.["tags"]).includes("mainstay-owner=");
    });

  describe("a cluster that CAPO built, with a DNS name as endpoint", () => {
    const name = "legacy-dns";
    let legacy: LegacyCluster;

    it("is taken over as it is", { timeout }, async () => {
      const lab = get();
      legacy = await buildLegacyCluster(lab, name, "api.legacy.example.com");
      await taken(name, legacy);
      const found = await seenBalancers(lab, name);
      expect(found).toMatchObject([
        { id: legacy.id, name: legacy.name, vip: legacy.vip, floatingIp: legacy.floatingIp },
      ]);
      expect(Object.values(membersBehind(found))).toEqual([[legacy.member]]);
      expect((await readInfrastructure(lab, name))?.spec?.controlPlaneEndpoint?.host).toBe("api.legacy.example.com");
    });

    it("moves to one balancer per zone, where the old one keeps VIP and floating IP", { timeout }, async () => {
      const lab = get();
      const two = lab.project.address(2);
      await addMachine(lab, { cluster: name, name: `${name}-cp-2`, zone: "az2", addresses: [two] });
      await patchBlock(name, toZones());
      const found = await until("each zone to serve its machine", async () => {
        const seen = await seenBalancers(lab, name);
        return JSON.stringify(membersBehind(seen)) === JSON.stringify({ az1: [legacy.member], az2: [two] }) && seen;
      });
      expect(found[0]).toMatchObject({ id: legacy.id, vip: legacy.vip, floatingIp: legacy.floatingIp });
      expect(found[1]?.floatingIp).not.toBe("");
      const { rest, id } = lab.project;
      for (const kind of ["listeners", "pools", "healthmonitors"] as const) {
        const said = JSON.stringify(
          await rest("octavia", "GET", `/${kind}?project_id=${id}&name=${found[0]?.name}-6443`),
        );
        expect([kind, said]).toEqual([kind, expect.stringContaining(`${found[0]?.name}-6443`)]);
      }
      await until("an event about the move", async () =>
        (await notesOn(lab, name)).some((note) => /legacy/i.test(note)),
      );
    });

    it("goes back to one balancer, which serves every machine before the others go", { timeout }, async () => {
      const lab = get();
      await patchBlock(name, { availabilityZoneSubnets: null, network: null });
      const found = await until("one balancer to be left", async () => {
        const seen = await seenBalancers(lab, name);
        return seen.length === 1 && seen[0]?.name === legacy.name && seen;
      });
      expect(found).toMatchObject([{ id: legacy.id, vip: legacy.vip, floatingIp: legacy.floatingIp }]);
      expect(Object.keys(found[0]?.ports["6443"] ?? {})).toHaveLength(2);
    });

    it("leaves nothing of CAPO's or ours when it is deleted", { timeout }, async () => {
      await remove(get(), name, [`${name}-cp-1`, `${name}-cp-2`]);
    });
  });

  describe("a cluster that CAPO built, with an address as endpoint", () => {
    const name = "legacy-ip";

    it("cannot move, is told why, and is served on as it is", { timeout }, async () => {
      const lab = get();
      const legacy = await buildLegacyCluster(lab, name);
      await taken(name, legacy);
      await expect(patchBlock(name, toZones())).rejects.toThrow(/DNS name/);
      expect(await seenBalancers(lab, name)).toMatchObject([
        { id: legacy.id, name: legacy.name, vip: legacy.vip, floatingIp: legacy.floatingIp, status: "ACTIVE" },
      ]);
      expect((await readInfrastructure(lab, name))?.spec?.controlPlaneEndpoint?.host).toBe(legacy.floatingIp);
      await remove(lab, name, [`${name}-cp-1`]);
    });
  });
}

async function remove(lab: EndpointLab, name: string, machines: readonly string[]): Promise<void> {
  const removing = removeCluster(lab, name);
  for (const machine of machines) await machineIsGone(lab, machine);
  await removing;
  expect(await seenBalancers(lab, name)).toEqual([]);
}
