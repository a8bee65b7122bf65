// The seed's second example, with an application credential; and a cluster whose places are named by filters and whose machines live in
// another network behind the same router.

import { describe, expect, it } from "vitest";
import { z } from "zod";
import { testPatienceMs, until } from "../until.ts";
import { membersBehind, seenBalancers } from "./balancers.ts";
import { clusterFor, infrastructureFor, patchSpec, provisioned, readInfrastructure } from "./cluster-objects.ts";
import type { EndpointLab } from "./endpoint-lab.ts";
import { addMachine, removeCluster } from "./machines.ts";

const timeout = testPatienceMs;

export function otherShapes(get: () => EndpointLab): void {
  describe.concurrent("a cluster of the seed's second example, with an application credential", () => {
    const name = "my-cross-zone-cluster";

    it("has every machine behind every balancer, and behind its own zone's alone once that is asked for", {
      timeout,
    }, async () => {
      const lab = get();
      const sample = lab.sample("openstackcluster-cross-zone.yaml");
      const identityRef = { name: "my-cluster-cloud-config", cloudName: "appcred" };
      await lab.kubectl(["apply", "-f", "-"], [clusterFor(name), { ...sample, spec: { ...sample.spec, identityRef } }]);
      const [one, two] = [lab.project.address(1), lab.project.address(2)];
      await addMachine(lab, { cluster: name, name: "cross-1", zone: "az1", addresses: [one] });
      await addMachine(lab, { cluster: name, name: "cross-2", zone: "az2", addresses: [two] });
      await provisioned(lab, name);
      const behind = async (wanted: object) =>
        await until(`members ${JSON.stringify(wanted)}`, async () => {
          return JSON.stringify(membersBehind(await seenBalancers(lab, name))) === JSON.stringify(wanted);
        });
      const both = [one, two].toSorted();
      await behind({ az1: both, az2: both });
      await patchSpec(lab, name, { apiServerLoadBalancer: { allowCrossAZLoadBalancerMembers: false } });
      await behind({ az1: [one], az2: [two] });
      await removeCluster(lab, name, ["cross-1", "cross-2"]);
    });
  });

  describe.concurrent("a cluster whose networks are named by filters, with machines in another network", () => {
    const name = "filtered";

    it("finds them, reaches its machines there, and serves more ports", { timeout }, async () => {
      const lab = get();
      const { project } = lab;
      await lab.kubectl(["apply", "-f", "-"], [clusterFor(name), infrastructureFor(name, filtered)]);
      const [elsewhere, node] = [project.address(1), project.address("nodes")];
      await addMachine(lab, { cluster: name, name: "far-1", zone: "az3", addresses: [elsewhere, node] });
      await provisioned(lab, name);
      await until("the machine behind both ports", async () => {
        const [seen] = await seenBalancers(lab, name);
        return ["6443", "8132"].every((port) => String(Object.keys(seen?.ports[port] ?? {})) === node);
      });
      const [found] = await seenBalancers(lab, name);
      expect(found).toMatchObject({ vipSubnetId: project.subnetIds[2], zone: "az3", floatingIp: "" });
      expect(await subnetsOfMembers(lab, found?.id ?? "")).toEqual([project.nodes.subnetId, project.nodes.subnetId]);
      const { status } = (await readInfrastructure(lab, name)) ?? {};
      expect(status?.network).toMatchObject({ id: project.nodes.networkId, subnets: [{ id: project.nodes.subnetId }] });
      expect(status?.apiServerLoadBalancers?.[0]).toMatchObject({
        internalIP: found?.vip,
        loadBalancerNetwork: { id: project.networkId, subnets: [{ id: project.subnetIds[2] }] },
        allowedCIDRs: expect.arrayContaining(["192.0.2.7/32"]),
      });
      await removeCluster(lab, name, ["far-1"]);
    });
  });
}

const filtered = {
  network: { filter: { name: "nodes" } },
  controlPlaneEndpoint: { host: "api.filtered.example.com", port: 6443 },
  disableAPIServerFloatingIP: true,
  apiServerLoadBalancer: {
    network: { filter: { name: "tenant" } },
    availabilityZoneSubnets: [{ availabilityZone: "az3", subnet: { filter: { name: "tenant-3" } } }],
    additionalPorts: [8132],
    allowedCIDRs: ["192.0.2.7"],
  },
};

async function subnetsOfMembers({ project: { rest } }: EndpointLab, balancerId: string): Promise<readonly unknown[]> {
  const pools = z
    .array(z.object({ id: z.string() }))
    .parse((await rest("octavia", "GET", `/pools?loadbalancer_id=${balancerId}`))["pools"]);
  const members = await Promise.all(pools.map(({ id }) => rest("octavia", "GET", `/pools/${id}/members`)));
  return members.flatMap((answer) =>
    z
      .array(z.object({ subnet_id: z.string().nullable() }))
      .parse(answer["members"])
      .map(({ subnet_id }) => subnet_id),
  );
}
