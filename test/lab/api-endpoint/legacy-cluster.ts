// A cluster as CAPO leaves it: its balancer, and the Kubernetes objects with the status that CAPO would have written.

import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { buildLegacyBalancer, type LegacyBalancer } from "../openstack/legacy-balancer.ts";
import { until } from "../until.ts";
import { clusterFor, infrastructureFor, namespace, readInfrastructure } from "./cluster-objects.ts";
import type { EndpointLab } from "./endpoint-lab.ts";
import { addMachine } from "./machines.ts";

/** `host` stands in the endpoint; absent, the floating IP does, as with every cluster whose balancer CAPO manages. */
export async function buildLegacyCluster(lab: EndpointLab, cluster: string, host?: string): Promise<LegacyBalancer> {
  const { project } = lab;
  const built = await buildLegacyBalancer(project, namespace, cluster);
  await lab.kubectl(
    ["apply", "-f", "-"],
    [
      clusterFor(cluster),
      infrastructureFor(
        cluster,
        {
          network: { id: project.networkId },
          controlPlaneEndpoint: { host: host ?? built.floatingIp, port: 6443 },
          apiServerLoadBalancer: { enabled: true },
        },
        // As long as CAPO's part of its life is being written.
        { "cluster.x-k8s.io/paused": "" },
      ),
    ],
  );
  await until(
    `${cluster} to have an owner`,
    async () => (await readInfrastructure(lab, cluster))?.metadata.ownerReferences?.length,
  );
  const loadBalancerNetwork = {
    id: project.networkId,
    name: "tenant",
    subnets: [{ id: project.subnetIds[0], name: "tenant-1", cidr: "" }],
  };
  const { id, name, vip, floatingIp } = built;
  const status = {
    ready: true,
    initialization: { provisioned: true },
    apiServerLoadBalancer: { id, name, ip: floatingIp, internalIP: vip, loadBalancerNetwork },
  };
  const ref = { name: cluster, namespace };
  await lab.kube.patch(openStackClusters, ref, { type: "merge", body: { status } }, { subresource: "status" });
  await addMachine(lab, { cluster, name: `${cluster}-cp-1`, zone: "az1", addresses: [built.member] });
  const body = { metadata: { annotations: { "cluster.x-k8s.io/paused": null } } };
  await lab.kube.patch(openStackClusters, ref, { type: "merge", body });
  return built;
}
