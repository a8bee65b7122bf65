// A cluster whose Secret is overwritten with credentials of another project of the same cloud.

import { describe, expect, it } from "vitest";
import type { OpenStackLab } from "../../lab.ts";
import { testPatienceMs, until } from "../until.ts";
import { seenBalancers } from "./balancers.ts";
import {
  clusterFor,
  conditionOf,
  infrastructureFor,
  mapping,
  namespace,
  provisioned,
  readInfrastructure,
} from "./cluster-objects.ts";
import type { EndpointLab } from "./endpoint-lab.ts";
import { credentials } from "./install.ts";
import { removeCluster } from "./machines.ts";

const name = "astray";
const secret = "astray-cloud-config";
const timeout = testPatienceMs;

export function changedProject(get: () => EndpointLab, cloud: OpenStackLab): void {
  describe.concurrent("a cluster whose credentials come to lead to another project", () => {
    it("is touched in neither, also when it is deleted, and leaves nothing once they lead back", {
      timeout,
    }, async () => {
      const lab = get();
      const { project } = lab;
      const other = await lab.addProject(cloud, "other-cloud-config");
      const before = await other.census();
      const lead = (where: typeof project) => lab.kubectl(["apply", "-f", "-"], credentials(secret, where));
      await lead(project);
      const spec = {
        identityRef: { name: secret, cloudName: "openstack" },
        network: { id: project.networkId },
        controlPlaneEndpoint: { host: "api.astray.example.com", port: 6443 },
        disableAPIServerFloatingIP: true,
        apiServerLoadBalancer: mapping(project, 1, 2),
      };
      await lab.kubectl(["apply", "-f", "-"], [clusterFor(name), infrastructureFor(name, spec)]);
      await provisioned(lab, name);
      const { metadata } = (await readInfrastructure(lab, name)) ?? {};
      expect(metadata?.annotations?.["mainstay.dev/project-id"]).toMatch(new RegExp(`^${project.id}/.`));
      const ids = async () => (await seenBalancers(lab, `-${name}-`)).map(({ id }) => id);
      const made = await ids();
      await lead(other);
      const words = await until("the refusal", async () => {
        const said = conditionOf(await readInfrastructure(lab, name), "Ready");
        return said.startsWith("False ProjectChanged") && said;
      });
      expect(words).toContain(`is in project ${project.id}`);
      expect(words).toContain(`lead to project ${other.id}`);
      await lab.kubectl(["delete", "openstackcluster", "-n", namespace, name, "--wait=false"]);
      await until("a look at the deleted object", async () => {
        const held = await readInfrastructure(lab, name);
        return (
          held?.metadata.deletionTimestamp !== undefined && conditionOf(held, "Ready").includes("is then left there")
        );
      });
      expect(await ids()).toEqual(made);
      expect(await other.census()).toEqual(before);
      await lead(project);
      await removeCluster(lab, name, []);
      expect(await ids()).toEqual([]);
      expect(await other.census()).toEqual(before);
    });
  });
}
