// A cluster's life on a cloud whose balancers are OVN's: no amphorae, no zones, no access lists, and members that say where they are. The
// same controller looks after clusters of another cloud meanwhile.

import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { OpenStackLab } from "../../lab.ts";
import type { OwnProject } from "../openstack/own-project.ts";
import { step, until } from "../until.ts";
import { membersBehind, seenBalancers } from "./balancers.ts";
import {
  clusterFor,
  conditionOf,
  infrastructureFor,
  mapping,
  notesOn,
  patchSpec,
  provisioned,
  readInfrastructure,
} from "./cluster-objects.ts";
import type { EndpointLab } from "./endpoint-lab.ts";
import { addMachine, deleteMachine, machineIsGone, removeCluster } from "./machines.ts";

const name = "ovn-cluster";
const example = "ovn-example";

export function onOvn(get: () => EndpointLab, cloud: OpenStackLab): void {
  describe.concurrent("a cluster on a cloud with OVN", () => {
    let project: OwnProject;
    let before: readonly string[];
    let one: string;
    let two: string;
    const members = async (port?: number) => membersBehind(await seenBalancers({ project }, name), port);
    const behind = async (wanted: object, port?: number) =>
      await until(`members ${JSON.stringify(wanted)}`, async () => {
        return JSON.stringify(await members(port)) === JSON.stringify(wanted);
      });

    it("becomes Provisioned with a balancer of the provider ovn for each zone", step, async () => {
      const lab = get();
      project = await lab.addProject(cloud, "ovn-cloud-config");
      before = await project.census();
      const spec = {
        identityRef: { name: "ovn-cloud-config", cloudName: "openstack" },
        network: { id: project.networkId },
        controlPlaneEndpoint: { host: "api.ovn.example.com", port: 6443 },
        apiServerLoadBalancer: {
          ...mapping(project, 1, 2),
          provider: "ovn",
          allowedCIDRs: ["192.0.2.0/24"],
        },
      };
      await lab.kubectl(["apply", "-f", "-"], [clusterFor(name), infrastructureFor(name, spec)]);
      await provisioned(lab, name);
      const found = await seenBalancers({ project }, name);
      expect(found.map(({ vipSubnetId, zone }) => [vipSubnetId, zone])).toEqual([
        [project.subnetIds[0], ""],
        [project.subnetIds[1], ""],
      ]);
      expect(found.every(({ floatingIp }) => floatingIp !== "")).toBe(true);
      const shapes = z.array(z.object({ lb_algorithm: z.string(), provider: z.string().optional() }));
      const { pools } = await project.rest("octavia", "GET", `/pools?project_id=${project.id}`);
      expect(shapes.parse(pools).map((pool) => pool.lb_algorithm)).toEqual(["SOURCE_IP_PORT", "SOURCE_IP_PORT"]);
      const providers = (await project.balancers()).map((row) => row["provider"]);
      expect(providers).toEqual(["ovn", "ovn"]);
    });

    it("says once what is not to be had there", step, async () => {
      const lab = get();
      await until("both warnings", async () => {
        const notes = await notesOn(lab, name);
        return ["ZoneHintIgnored", "AllowedCidrsUnsupported"].every((reason) =>
          notes.some((note) => note.startsWith(`Warning ${reason}`)),
        );
      });
      const { status } = (await readInfrastructure(lab, name)) ?? {};
      expect(status?.apiServerLoadBalancers?.map(({ allowedCIDRs = [] }) => allowedCIDRs)).toEqual([[], []]);
    });

    it("has its machines behind the balancers of their zones, each with its subnet", step, async () => {
      const lab = get();
      [one, two] = [project.address(1), project.address(2)];
      await addMachine(lab, { cluster: name, name: "ovn-1", zone: "az1", addresses: [one] });
      await addMachine(lab, { cluster: name, name: "ovn-2", zone: "az2", addresses: [two] });
      await behind({ az1: [one], az2: [two] });
      expect(await subnetsOfMembers(project)).toEqual(
        [`${one} ${project.subnetIds[0]}`, `${two} ${project.subnetIds[1]}`].toSorted(),
      );
    });

    it("serves one port more, and one less again", step, async () => {
      const lab = get();
      await patchSpec(lab, name, { apiServerLoadBalancer: { additionalPorts: [8132] } });
      await behind({ az1: [one], az2: [two] }, 8132);
      await patchSpec(lab, name, { apiServerLoadBalancer: { additionalPorts: null } });
      await until("one port each", async () => {
        const found = await seenBalancers({ project }, name);
        return found.every(({ ports }) => Object.keys(ports).join() === "6443");
      });
      await behind({ az1: [one], az2: [two] });
      await until("rest", async () => conditionOf(await readInfrastructure(lab, name), "Ready").startsWith("True"));
    });

    it("lets a machine that goes out of its pool", step, async () => {
      const lab = get();
      await deleteMachine(lab, "ovn-2");
      await behind({ az1: [one], az2: [] });
      await machineIsGone(lab, "ovn-2");
    });

    it("finds the subnets of machines where the object names no network of theirs", step, async () => {
      const lab = get();
      const spec = {
        identityRef: { name: "ovn-cloud-config", cloudName: "openstack" },
        controlPlaneEndpoint: { host: "api.example.example.com", port: 6443 },
        apiServerLoadBalancer: { enabled: true, ...mapping(project, 1), provider: "ovn" },
      };
      await lab.kubectl(["apply", "-f", "-"], [clusterFor(example), infrastructureFor(example, spec)]);
      await provisioned(lab, example);
      const beside = project.address(2);
      await addMachine(lab, { cluster: example, name: "ovn-beside", zone: "az1", addresses: [beside] });
      await addMachine(lab, { cluster: example, name: "ovn-far", zone: "az1", addresses: ["172.31.0.9"] });
      await until("the one that can be found", async () =>
        (await subnetsOfMembers(project)).includes(`${beside} ${project.subnetIds[1]}`),
      );
      await until("the other to be named", async () =>
        conditionOf(await readInfrastructure(lab, example), "MembersHealthy").includes(
          "machine ovn-far: its address 172.31.0.9 is in none of the subnets",
        ),
      );
      expect(membersBehind(await seenBalancers({ project }, example))).toEqual({ az1: [beside] });
      expect((await notesOn(lab, example)).filter((note) => note.includes("OpenStackUnsupported"))).toEqual([]);
      await removeCluster(lab, example, ["ovn-beside", "ovn-far"]);
    });

    it("leaves nothing behind when it is deleted", step, async () => {
      const lab = get();
      await removeCluster(lab, name, ["ovn-1"]);
      await until("Octavia to clear up", async () => (await project.leftovers()).length === 0);
      expect(await project.census()).toEqual(before);
    });
  });
}

async function subnetsOfMembers({ rest, id }: OwnProject): Promise<readonly string[]> {
  const pools = z.array(z.object({ id: z.string() }));
  const members = z.array(z.object({ address: z.string(), subnet_id: z.string().nullable() }));
  const found: string[] = [];
  for (const pool of pools.parse((await rest("octavia", "GET", `/pools?project_id=${id}`))["pools"])) {
    const answer = await rest("octavia", "GET", `/pools/${pool.id}/members`);
    found.push(...members.parse(answer["members"]).map(({ address, subnet_id }) => `${address} ${subnet_id}`));
  }
  return found.toSorted();
}
