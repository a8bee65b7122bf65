// A cluster written in v1beta2, which the server converts by our webhook, with credentials that an OpenStackClusterIdentity lends from
// another namespace to those that it chooses.

import { describe, expect, it } from "vitest";
import { z } from "zod";
import { step, until } from "../until.ts";
import { seenBalancers } from "./balancers.ts";
import { clusterFor, conditionOf, mapping, namespace, provisioned, readInfrastructure } from "./cluster-objects.ts";
import type { EndpointLab } from "./endpoint-lab.ts";
import { credentials } from "./install.ts";
import { removeCluster } from "./machines.ts";

const name = "lent";
const group = "infrastructure.cluster.x-k8s.io";
const resource = `openstackclusters.v1beta2.${group}`;

const seenInBeta2 = z.object({
  apiVersion: z.literal(`${group}/v1beta2`),
  spec: z.object({
    apiServer: z.object({ managedLoadBalancer: z.object({ additionalPorts: z.array(z.number()).optional() }) }),
  }),
  status: z.object({
    apiServerManagedLoadBalancers: z.array(z.object({ availabilityZone: z.string(), id: z.string() })),
    failureDomains: z.array(z.object({ name: z.string(), controlPlane: z.boolean() })),
  }),
});

export function lentCredentials(get: () => EndpointLab): void {
  describe.concurrent("a cluster written in v1beta2 with credentials that an identity lends", () => {
    it("is told that its namespace may not use them, and goes on when it may", step, async () => {
      const lab = get();
      await lab.kubectl(
        ["apply", "-f", "-"],
        [
          { apiVersion: "v1", kind: "Namespace", metadata: { name: "vault" } },
          credentials("shared-cloud-config", lab.project, "vault"),
          {
            apiVersion: `${group}/v1alpha1`,
            kind: "OpenStackClusterIdentity",
            metadata: { name: "shared" },
            spec: {
              secretRef: { name: "shared-cloud-config", namespace: "vault" },
              namespaceSelector: { matchLabels: { team: "blue" } },
            },
          },
          clusterFor(name),
          writtenInBeta2(lab),
        ],
      );
      const words = await until("the refusal", async () => {
        const said = conditionOf(await readInfrastructure(lab, name), "OpenStackAuthenticationSucceeded");
        return said.startsWith("False") && said;
      });
      expect(words).toMatch(/CredentialsUnusable .*OpenStackClusterIdentity shared: namespace clusters is not among/);
      expect(await seenBalancers(lab, `-${name}-`)).toEqual([]);
      await lab.kubectl(["label", "namespace", namespace, "team=blue"]);
      await provisioned(lab, name);
      expect((await seenBalancers(lab, `-${name}-`)).map(({ zone }) => zone)).toEqual(["az1", "az2"]);
    });

    it("is read and changed in either version", step, async () => {
      const lab = get();
      const read = async () =>
        seenInBeta2.parse(JSON.parse(await lab.kubectl(["get", resource, "-n", namespace, name, "-o", "json"])));
      const balancers = await seenBalancers(lab, `-${name}-`);
      const { status } = await read();
      expect(status.apiServerManagedLoadBalancers).toEqual(
        balancers.map(({ zone, id }) => ({ availabilityZone: zone, id })),
      );
      expect(status.failureDomains.filter(({ controlPlane }) => controlPlane).map((domain) => domain.name)).toEqual([
        "az1",
        "az2",
      ]);
      expect((await readInfrastructure(lab, name))?.spec?.apiServerLoadBalancer).toMatchObject(
        mapping(lab.project, 1, 2),
      );
      const change = { spec: { apiServer: { managedLoadBalancer: { additionalPorts: [9345] } } } };
      await lab.kubectl(["patch", resource, "-n", namespace, name, "--type=merge", "-p", JSON.stringify(change)]);
      await until("the port on both balancers", async () => {
        const seen = await seenBalancers(lab, `-${name}-`);
        return seen.every(({ ports }) => "9345" in ports);
      });
      expect((await readInfrastructure(lab, name))?.spec?.apiServerLoadBalancer?.additionalPorts).toEqual([9345]);
    });

    it("is refused a change in v1beta2 as in v1beta1, and leaves nothing when it is deleted", step, async () => {
      const lab = get();
      const change = { spec: { controlPlaneEndpoint: { host: "elsewhere.example.com" } } };
      const asked = lab.kubectl([
        "patch",
        resource,
        "-n",
        namespace,
        name,
        "--type=merge",
        "-p",
        JSON.stringify(change),
      ]);
      await expect(asked).rejects.toThrow(/controlPlaneEndpoint/);
      await removeCluster(lab, name, []);
      expect(await seenBalancers(lab, `-${name}-`)).toEqual([]);
    });
  });
}

function writtenInBeta2({ project }: EndpointLab): object {
  return {
    apiVersion: `${group}/v1beta2`,
    kind: "OpenStackCluster",
    metadata: { name, namespace, annotations: { "cluster.x-k8s.io/managed-by": "mainstay" } },
    spec: {
      identityRef: { type: "ClusterIdentity", name: "shared", cloudName: "openstack" },
      network: { id: project.networkId },
      controlPlaneEndpoint: { host: "api.lent.example.com", port: 6443 },
      apiServer: { enableFloatingIP: false, managedLoadBalancer: { enabled: true, ...mapping(project, 1, 2) } },
    },
  };
}
