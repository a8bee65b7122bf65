// A cluster as CAPO leaves it: one balancer with a floating IP, listener, pool, monitor and member, built through the OpenStack API with
// CAPO's names, descriptions and bodies, and the Kubernetes objects with the status that CAPO would have written.

import { openStackClusters } from "../../../src/apis/openstack-cluster.ts";
import { clusterFor, type EndpointLab, namespace, readInfrastructure } from "./endpoint-lab.ts";
import { addMachine } from "./machines.ts";
import { rowOf, rowsOf, text } from "./rest.ts";
import { until } from "./until.ts";

export interface LegacyCluster {
  readonly id: string;
  readonly name: string;
  readonly vip: string;
  readonly floatingIp: string;
  readonly member: string;
}

/** `host` stands in the endpoint; absent, the floating IP does, as with every cluster whose balancer CAPO manages. */
export async function buildLegacyCluster(lab: EndpointLab, cluster: string, host?: string): Promise<LegacyCluster> {
  const built = await buildBalancer(lab, cluster);
  const { project } = lab;
  await lab.kubectl(
    ["apply", "-f", "-"],
    [
      clusterFor(cluster),
      {
        apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
        kind: "OpenStackCluster",
        // Paused as long as CAPO's part of its life is being written.
        metadata: {
          name: cluster,
          namespace,
          annotations: { "cluster.x-k8s.io/managed-by": "mainstay", "cluster.x-k8s.io/paused": "" },
        },
        spec: {
          identityRef: { name: "my-cluster-cloud-config", cloudName: "openstack" },
          network: { id: project.networkId },
          controlPlaneEndpoint: { host: host ?? built.floatingIp, port: 6443 },
          apiServerLoadBalancer: { enabled: true },
        },
      },
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

async function buildBalancer({ project }: EndpointLab, cluster: string): Promise<LegacyCluster> {
  const { rest } = project;
  const name = `k8s-clusterapi-cluster-${namespace}-${cluster}-kubeapi`;
  const description = `Created by cluster-api-provider-openstack cluster ${namespace}-${cluster}`;
  const create = async (key: string, path: string, body: object) =>
    rowOf(await rest("octavia", "POST", path, { [key]: body }), key);
  const balancer = await create("loadbalancer", "/loadbalancers", {
    name,
    description,
    vip_network_id: project.networkId,
    vip_subnet_id: project.subnetIds[0],
  });
  const active = () =>
    until(`${name} to be ACTIVE`, async () => {
      const now = rowOf(await rest("octavia", "GET", `/loadbalancers/${balancer.id}`), "loadbalancer");
      return now["provisioning_status"] === "ACTIVE";
    });
  await active();
  const [external] = rowsOf(await rest("neutron", "GET", "/networks?router:external=true"), "networks");
  const floating = rowOf(
    await rest("neutron", "POST", "/floatingips", { floatingip: { description, floating_network_id: external?.id } }),
    "floatingip",
  );
  await rest("neutron", "PUT", `/floatingips/${floating.id}`, { floatingip: { port_id: balancer["vip_port_id"] } });
  const common = { name: `${name}-6443`, protocol: "TCP" };
  const listener = await create("listener", "/listeners", {
    ...common,
    protocol_port: 6443,
    loadbalancer_id: balancer.id,
  });
  await active();
  const pool = await create("pool", "/pools", { ...common, lb_algorithm: "ROUND_ROBIN", listener_id: listener.id });
  await active();
  const timings = { type: "TCP", delay: 10, timeout: 5, max_retries: 5, max_retries_down: 3 };
  await create("healthmonitor", "/healthmonitors", { name: common.name, ...timings, pool_id: pool.id });
  await active();
  const member = project.address(1);
  const behind = { name: `${common.name}-${cluster}-cp-1`, address: member, protocol_port: 6443 };
  await create("member", `/pools/${pool.id}/members`, behind);
  await active();
  return {
    id: balancer.id,
    name,
    vip: text(balancer, "vip_address"),
    floatingIp: text(floating, "floating_ip_address"),
    member,
  };
}
