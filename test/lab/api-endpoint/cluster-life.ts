// A cluster's whole life, from the seed's first example: built up, machines that come and go, members that fail, a zone more and a zone
// less, a broken balancer, a move to another management cluster, and its end.

import { describe, expect, it } from "vitest";
import { testPatienceMs, until } from "../until.ts";
import { membersBehind, seenBalancers } from "./balancers.ts";
import {
  clusterFor,
  conditionOf,
  mapping,
  namespace,
  notesOn,
  patchSpec,
  provisioned,
  readInfrastructure,
} from "./cluster-objects.ts";
import { mainstay } from "./command-line.ts";
import { callsBetween } from "./controller-process.ts";
import type { EndpointLab } from "./endpoint-lab.ts";
import { addMachine, deleteMachine, machineIsGone, removeCluster } from "./machines.ts";
import { moveCluster } from "./move-cluster.ts";

const name = "my-cluster";
const object = `openstackcluster/${namespace}/${name}`;
const timeout = testPatienceMs;

export function clusterLife(get: () => EndpointLab): void {
  describe("a cluster of the seed's first example", () => {
    let one: string;
    let two: string;
    const members = async () => membersBehind(await seenBalancers(get(), name));
    const status = async () => (await readInfrastructure(get(), name))?.status;
    const healthy = async (...counts: readonly number[]) =>
      await until(`healthy members: ${counts.join(", ")}`, async () => {
        const zones = (await status())?.apiServerLoadBalancers ?? [];
        return String(zones.map((zone) => zone.members?.healthy ?? "?")) === String(counts);
      });
    const map = async (...zones: readonly number[]) =>
      await patchSpec(get(), name, { apiServerLoadBalancer: mapping(get().project, ...zones) });

    it("becomes Provisioned through its OpenStackCluster, with endpoint and failure domains", { timeout }, async () => {
      const lab = get();
      await lab.kubectl(["apply", "-f", "-"], [clusterFor(name), lab.sample("openstackcluster-zones.yaml")]);
      const cluster = await provisioned(lab, name);
      expect(cluster.spec?.controlPlaneEndpoint).toEqual({ host: "api.mycluster.example.com", port: 6443 });
      expect(cluster.status?.failureDomains).toEqual([
        { name: "az1", controlPlane: true },
        { name: "az2", controlPlane: true },
      ]);
    });

    it("has a balancer in each zone's subnet, named as specified, each with a floating IP of its own", {
      timeout,
    }, async () => {
      const lab = get();
      // A create whose answer was lost can leave a duplicate for a while.
      const found = await until("two whole balancers", async () => {
        const seen = await seenBalancers(lab, name);
        return seen.length === 2 && seen.every(({ floatingIp }) => floatingIp !== "") && seen;
      });
      expect(found.map((seen) => [seen.name, seen.zone, seen.vipSubnetId, Object.keys(seen.ports)])).toEqual([
        [`k8s-clusterapi-cluster-${namespace}-my-cluster-az1-kubeapi`, "az1", lab.project.subnetIds[0], ["6443"]],
        [`k8s-clusterapi-cluster-${namespace}-my-cluster-az2-kubeapi`, "az2", lab.project.subnetIds[1], ["6443"]],
      ]);
      expect(new Set(found.map(({ floatingIp }) => floatingIp)).size).toBe(2);
      const { apiServerLoadBalancers, apiServerLoadBalancer, network } = await until(
        "status to show them",
        async () => {
          const now = await status();
          const shown = now?.apiServerLoadBalancers?.map(({ id, ip }) => `${id} ${ip}`);
          return String(shown) === String(found.map(({ id, floatingIp }) => `${id} ${floatingIp}`)) && now;
        },
      );
      expect(apiServerLoadBalancers).toMatchObject(
        found.map(({ zone, name: called, id, floatingIp, vip, vipSubnetId }) => ({
          availabilityZone: zone,
          name: called,
          id,
          ip: floatingIp,
          internalIP: vip,
          loadBalancerNetwork: { id: lab.project.networkId, subnets: [{ id: vipSubnetId }] },
        })),
      );
      expect(apiServerLoadBalancer).toMatchObject({ id: found[0]?.id, ip: found[0]?.floatingIp });
      expect(network).toBeUndefined();
      // Whoever never heard that something was made cannot tell of it.
      const told = ["LoadBalancer", "Listener", "Pool", "HealthMonitor", "FloatingIp"].map(
        (made) => new RegExp(`^(Normal ${made}Created Created |Warning OpenStackTimeout)`),
      );
      await until("an event for everything that was made", async () => {
        const notes = await notesOn(lab, name);
        return told.every((words) => notes.some((note) => words.test(note)));
      });
    });

    it("gets every machine behind the balancer of its zone", { timeout }, async () => {
      const lab = get();
      [one, two] = [lab.project.address(1), lab.project.address(2)];
      await addMachine(lab, { cluster: name, name: "cp-1", zone: "az1", addresses: [one] });
      await addMachine(lab, { cluster: name, name: "cp-2", zone: "az2", addresses: [two] });
      await healthy(1, 1);
      expect(await members()).toEqual({ az1: [one], az2: [two] });
    });

    it("is explained by the command line, which would do nothing now", { timeout }, async () => {
      await until("a plan with nothing to do", async () => {
        const { code, out } = await mainstay(get(), "plan", object);
        return code === 0 && /nothing/i.test(out);
      });
      const { code, out } = await mainstay(get(), "explain", object);
      expect([code, out]).toEqual([0, expect.stringContaining("MembersHealthy")]);
    });

    it("is looked at with one call to Octavia while nothing moves, and with few when something does", {
      timeout,
    }, async () => {
      const { controller, project } = get();
      // What was changed last is looked at once more, whole, before it comes to rest.
      let from = await controller.cloudCalls();
      const later = await until("three looks of one call each", async () => {
        const now = await controller.cloudCalls();
        const looks = callsBetween(from, now, "octavia list-load-balancers");
        if (looks < 3) return false;
        const isQuiet = callsBetween(from, now, "octavia") === looks;
        from = now;
        return isQuiet && now;
      });
      const [first] = await project.balancers();
      await project.rest("octavia", "PUT", `/loadbalancers/${first?.id}`, { loadbalancer: { admin_state_up: true } });
      const after = await until("a full look", async () => {
        const now = await controller.cloudCalls();
        return callsBetween(later, now, "octavia list-listeners") > 0 && now;
      });
      const zones = 2;
      const count = (operation: string) => callsBetween(later, after, `octavia ${operation}`);
      // The last of them may be under way.
      const looks = Math.max(count("list-listeners"), count("list-health-monitors"), count("get-status-tree") / zones);
      const beyondGlances = count("") - count("list-load-balancers");
      expect(beyondGlances).toBeLessThanOrEqual(Math.ceil(looks) * (1 + 2 * zones));
    });

    it("tells of a member that fails, and of its recovery", { timeout }, async () => {
      const lab = get();
      await lab.project.faults.setMemberDown(two, true);
      await until("the failure to be seen", async () => {
        return conditionOf(await readInfrastructure(lab, name), "MembersHealthy").startsWith("False MembersUnhealthy");
      });
      const { apiServerLoadBalancers = [] } = (await status()) ?? {};
      expect(apiServerLoadBalancers[1]).toMatchObject({ members: { total: 1, healthy: 0 } });
      // A member that fails is no fault of the balancers.
      expect(conditionOf(await readInfrastructure(lab, name), "Ready")).toMatch(/^True/);
      await until("an event", async () =>
        (await notesOn(lab, name)).some((note) => note.startsWith("Warning MembersUnhealthy")),
      );
      await lab.project.faults.setMemberDown(two, false);
      await until("the recovery to be seen", async () => {
        return conditionOf(await readInfrastructure(lab, name), "MembersHealthy").startsWith("True");
      });
    });

    it("rebuilds a balancer in ERROR with the same addresses", { timeout }, async () => {
      const lab = get();
      const [other, broken] = await seenBalancers(lab, name);
      await lab.project.faults.setStatus("loadbalancers", broken?.id ?? "", { provisioning: "ERROR" });
      const repaired = await until("the balancer to be made again", async () => {
        const [, now] = await seenBalancers(lab, name);
        return now !== undefined && now.id !== broken?.id && now.floatingIp !== "" ? now : undefined;
      });
      expect(repaired).toMatchObject({ name: broken?.name, vip: broken?.vip, floatingIp: broken?.floatingIp });
      await healthy(1, 1);
      const [still] = await seenBalancers(lab, name);
      expect(still).toEqual(other);
    });

    it("moves to another management cluster without a call meanwhile and without a change afterwards", {
      timeout,
    }, async () => {
      const lab = get();
      const before = await seenBalancers(lab, name);
      const calls = await moveCluster(lab, name);
      expect(calls).toBe(0);
      await provisioned(lab, name);
      await until("status to be rebuilt", async () => {
        const { apiServerLoadBalancers = [] } = (await status()) ?? {};
        return String(apiServerLoadBalancers.map(({ id }) => id)) === String(before.map(({ id }) => id));
      });
      // Nobody has told the addresses of the moved machines yet: what cannot be seen is not gone.
      expect(await seenBalancers(lab, name)).toEqual(before);
      await addMachine(lab, { cluster: name, name: "cp-1", zone: "az1", addresses: [one] });
      await addMachine(lab, { cluster: name, name: "cp-2", zone: "az2", addresses: [two] });
      await healthy(1, 1);
      expect(await seenBalancers(lab, name)).toEqual(before);
    });

    it("gets a third zone, and lets one go with its machine still healthy elsewhere", { timeout }, async () => {
      const lab = get();
      const [first] = await seenBalancers(lab, name);
      await map(1, 2, 3);
      const three = lab.project.address(3);
      await addMachine(lab, { cluster: name, name: "cp-3", zone: "az3", addresses: [three] });
      await healthy(1, 1, 1);
      await deleteMachine(lab, "cp-2");
      await until("the leaving machine to be out of its pool", async () => (await members())["az2"]?.length === 0);
      await machineIsGone(lab, "cp-2");
      await map(1, 3);
      await until("two zones to be left", async () => {
        const found = await members();
        return String(Object.keys(found)) === "az1,az3";
      });
      await healthy(1, 1);
      expect((await seenBalancers(lab, name))[0]).toEqual(first);
    });

    it("takes everything along when it is deleted", { timeout }, async () => {
      const lab = get();
      await removeCluster(lab, name, ["cp-1", "cp-3"]);
      expect(await seenBalancers(lab, name)).toEqual([]);
    });
  });
}
