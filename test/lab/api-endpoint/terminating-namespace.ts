// A namespace is deleted whole, its Secret first: the real namespace controller takes everything in an order of its own. That nothing is
// left in the cloud is looked at when the whole suite ends.

import { describe, it } from "vitest";
import { namespaces, secrets } from "../../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { isKubeError } from "../../../src/core/kube-error.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { step, until } from "../until.ts";
import { clusterFor, mapping } from "./cluster-objects.ts";
import type { EndpointLab } from "./endpoint-lab.ts";
import { credentials } from "./install.ts";

const name = "leaving";
const namespace = "leaving-namespace";
const inIt = (object: KubeObject): KubeObject => ({ ...object, metadata: { ...object.metadata, namespace } });

export function terminatingNamespace(get: () => EndpointLab): void {
  describe.concurrent("a namespace that is deleted", () => {
    it("goes with everything that its APIEndpoint had, although its Secret was deleted first", step, async () => {
      const lab = get();
      const { kube } = lab;
      await kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
      const objects = [credentials(name, lab.project), clusterFor(name), endpointFor(lab)].map(inIt);
      await lab.kubectl(["apply", "-f", "-"], objects);
      await until("the endpoint to be ready", async () => {
        const { status } = await kube.get(apiEndpoints, { name, namespace });
        return status?.conditions?.some(({ type, status: truth }) => type === "Ready" && truth === "True");
      });
      await kube.delete(secrets, { name, namespace });
      await kube.delete(namespaces, { name: namespace });
      await until("the namespace to be gone", async () => {
        try {
          await kube.get(namespaces, { name: namespace });
          return false;
        } catch (error) {
          return isKubeError(error, "NotFound");
        }
      });
    });
  });
}

function endpointFor({ project }: EndpointLab): KubeObject {
  return {
    apiVersion: "mainstay.dev/v1alpha1",
    kind: "APIEndpoint",
    metadata: { name },
    spec: {
      clusterRef: { name },
      identityRef: { name, cloudName: "openstack" },
      controlPlaneEndpoint: { host: `api.${name}.example.com`, port: 6443 },
      network: { id: project.networkId },
      apiServerLoadBalancer: mapping(project, 1, 2),
    },
  } as KubeObject;
}
