// From one balancer to one per zone and back, for clusters that CAPO built; and the cluster that cannot go. Before and after, the commands
// say what people go by.

import { describe, expect, it } from "vitest";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import type { LegacyBalancer } from "../openstack/legacy-balancer.ts";
import { step, testPatienceMs, until } from "../until.ts";
import { membersBehind, seenBalancers } from "./balancers.ts";
import {
  conditionOf,
  mapping,
  namespace,
  notesOn,
  patchSpec,
  publishedRecords,
  readInfrastructure,
} from "./cluster-objects.ts";
import { checkMigration, mainstay } from "./command-line.ts";
import type { EndpointLab } from "./endpoint-lab.ts";
import { buildLegacyCluster } from "./legacy-cluster.ts";
import { addMachine, removeCluster } from "./machines.ts";

const timeout = testPatienceMs;

export function migration(get: () => EndpointLab): void {
  const toZones = () => mapping(get().project, 1, 2);
  const taken = async (name: string, legacy: LegacyBalancer) =>
    await until(`${name} to be taken over`, async () => {
      const [row] = (await get().project.balancers()).filter(({ id }) => id === legacy.id);
      const isReady = conditionOf(await readInfrastructure(get(), name), "Ready").startsWith("True");
      return isReady && JSON.stringify(row?.["tags"]).includes("mainstay-owner=");
    });

  describe.concurrent("a cluster that CAPO built, with a DNS name as endpoint", () => {
    const name = "legacy-dns";
    const host = "api.legacy.example.com";
    let legacy: LegacyBalancer;
    const addresses = async () => (await seenBalancers(get(), name)).map(({ floatingIp }) => floatingIp).toSorted();

    it("is taken over as it is", step, async () => {
      const lab = get();
      legacy = await buildLegacyCluster(lab, name, host);
      await taken(name, legacy);
      const found = await seenBalancers(lab, name);
      expect(found).toMatchObject([
        { id: legacy.id, name: legacy.name, vip: legacy.vip, floatingIp: legacy.floatingIp },
      ]);
      expect(Object.values(membersBehind(found))).toEqual([[legacy.member]]);
      expect((await readInfrastructure(lab, name))?.spec?.controlPlaneEndpoint?.host).toBe(host);
    });

    it("is said to be able to move, into which zone its balancer goes, and what that takes", step, async () => {
      const { code, out } = await checkMigration(get(), name, host, toZones());
      expect(out).toContain(`${namespace}/${name} can move to one API balancer per zone through its OpenStackCluster.`);
      expect(out).toMatch(/ok +zone az1: .*legacy/);
      expect(out).toMatch(/ok +zone az2: a new balancer in subnet tenant-2/);
      expect(out).toMatch(/From the project's quota: 1 load balancer, 1 listener, 1 pool, 1 health monitor,/);
      expect(code).toBe(0);
    });

    it("has its one address published for external-dns when that is asked for", step, async () => {
      const lab = get();
      const body = { metadata: { annotations: { "mainstay.dev/publish-dns": "true" } } };
      await lab.kube.patch(openStackClusters, { name, namespace }, { type: "merge", body });
      await until(
        "the record",
        async () => (await publishedRecords(lab, name)) === `${host} 30 A ${legacy.floatingIp}`,
      );
    });

    it("moves to one balancer per zone, where the old one keeps VIP and floating IP", step, async () => {
      const lab = get();
      const two = lab.project.address(2);
      await addMachine(lab, { cluster: name, name: `${name}-cp-2`, zone: "az2", addresses: [two] });
      await patchSpec(lab, name, { apiServerLoadBalancer: toZones() });
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

    it(
      "has the same records written for external-dns and printed for people: those of healthy zones",
      step,
      async () => {
        const lab = get();
        const { faults } = lab.project;
        const follows = async (wanted: readonly string[]) => {
          await until(`records of ${wanted.join(" and ")}`, async () => {
            return (await publishedRecords(lab, name)) === [host, 30, "A", ...wanted].join(" ");
          });
          await until("the command to say the same", async () => {
            const { code, out } = await mainstay(lab, "dns", "records", `${namespace}/${name}`, "-o", "bind");
            const printed = out.split("\n").filter((line) => /\tA\t/.test(line));
            const lines = wanted.map((address) => `${host}.\t30\tIN\tA\t${address}`);
            return code === 0 && printed.toSorted().join("\n") === lines.toSorted().join("\n");
          });
        };
        await follows(await addresses());
        await faults.setMemberDown(legacy.member, true);
        await follows((await addresses()).filter((address) => address !== legacy.floatingIp));
        await faults.setMemberDown(legacy.member, false);
        await follows(await addresses());
      },
    );

    it("goes back to one balancer, which serves every machine before the others go", step, async () => {
      const lab = get();
      await patchSpec(lab, name, { apiServerLoadBalancer: { availabilityZoneSubnets: null, network: null } });
      const found = await until("one balancer to be left", async () => {
        const seen = await seenBalancers(lab, name);
        return seen.length === 1 && seen[0]?.name === legacy.name && seen;
      });
      expect(found).toMatchObject([{ id: legacy.id, vip: legacy.vip, floatingIp: legacy.floatingIp }]);
      expect(Object.keys(found[0]?.ports["6443"] ?? {})).toHaveLength(2);
    });

    it("leaves nothing of CAPO's or ours when it is deleted", step, async () => {
      const lab = get();
      await removeCluster(lab, name, [`${name}-cp-1`, `${name}-cp-2`]);
      expect([await seenBalancers(lab, name), await publishedRecords(lab, name)]).toEqual([[], undefined]);
    });
  });

  describe.concurrent("a cluster that CAPO built, with an address as endpoint", () => {
    const name = "legacy-ip";

    it("cannot move, is told why by command and by admission, and is served on as it is", { timeout }, async () => {
      const lab = get();
      const legacy = await buildLegacyCluster(lab, name);
      await taken(name, legacy);
      const { code, out } = await checkMigration(lab, name, legacy.floatingIp, toZones());
      expect([code, out]).toEqual([1, expect.stringMatching(/NO +endpoint: .*DNS name/)]);
      await expect(patchSpec(lab, name, { apiServerLoadBalancer: toZones() })).rejects.toThrow(/DNS name/);
      expect(await seenBalancers(lab, name)).toMatchObject([
        { id: legacy.id, name: legacy.name, vip: legacy.vip, floatingIp: legacy.floatingIp },
      ]);
      // Its children are still being marked as ours.
      await until("the balancer to be at rest", async () => (await seenBalancers(lab, name))[0]?.status === "ACTIVE");
      expect((await readInfrastructure(lab, name))?.spec?.controlPlaneEndpoint?.host).toBe(legacy.floatingIp);
      await removeCluster(lab, name, [`${name}-cp-1`]);
      expect(await seenBalancers(lab, name)).toEqual([]);
    });
  });
}
