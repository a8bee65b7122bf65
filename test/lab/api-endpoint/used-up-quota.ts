// A project that may have fewer balancers than the cluster has zones.

import { describe, expect, it } from "vitest";
import type { OpenStackLab } from "../../lab.ts";
import { testPatienceMs, until } from "../until.ts";
import { seenBalancers } from "./balancers.ts";
import {
  clusterFor,
  conditionOf,
  infrastructureFor,
  mapping,
  notesOn,
  provisioned,
  readCluster,
  readInfrastructure,
} from "./cluster-objects.ts";
import type { EndpointLab } from "./endpoint-lab.ts";
import { removeCluster } from "./machines.ts";

const name = "poor";
const timeout = testPatienceMs;

export function usedUpQuota(get: () => EndpointLab, cloud: OpenStackLab): void {
  describe.concurrent("a cluster in a project whose quota is used up", () => {
    it("has what the quota allows, says what is missing and why, and is whole once it is raised", {
      timeout,
    }, async () => {
      const lab = get();
      const project = await lab.addProject(cloud, "poor-cloud-config");
      const before = await project.census();
      await project.setQuota("load_balancer", 1);
      const spec = {
        identityRef: { name: "poor-cloud-config", cloudName: "openstack" },
        network: { id: project.networkId },
        controlPlaneEndpoint: { host: "api.poor.example.com", port: 6443 },
        disableAPIServerFloatingIP: true,
        apiServerLoadBalancer: mapping(project, 1, 2),
      };
      await lab.kubectl(["apply", "-f", "-"], [clusterFor(name), infrastructureFor(name, spec)]);
      await until("one zone to be whole and the other to say why it is not", async () => {
        const object = await readInfrastructure(lab, name);
        const balancers = conditionOf(object, "LoadBalancersReady");
        const whole = object?.status?.apiServerLoadBalancers?.filter((one) => one.provisioningStatus === "ACTIVE");
        return whole?.length === 1 && /^False OpenStackQuotaExceeded .*az\d.*quota/i.test(balancers);
      });
      expect(await seenBalancers({ project }, name)).toHaveLength(1);
      expect((await readCluster(lab, name))?.status?.phase).not.toBe("Provisioned");
      await until("an event", async () =>
        (await notesOn(lab, name)).some((note) => note.startsWith("Warning OpenStackQuotaExceeded")),
      );
      await project.setQuota("load_balancer", 2);
      await provisioned(lab, name);
      expect((await seenBalancers({ project }, name)).map(({ zone }) => zone)).toEqual(["az1", "az2"]);
      await removeCluster(lab, name, []);
      await until("Octavia to clear up", async () => (await project.leftovers()).length === 0);
      expect(await project.census()).toEqual(before);
    });
  });
}
