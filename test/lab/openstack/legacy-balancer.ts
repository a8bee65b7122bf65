// A balancer as CAPO leaves it: with a floating IP, listener, pool, monitor and member, built through the OpenStack API with CAPO's names,
// descriptions and bodies.

import { until } from "../until.ts";
import type { OwnProject } from "./own-project.ts";
import { rowOf, rowsOf, text } from "./rest.ts";

export interface LegacyBalancer {
  readonly id: string;
  readonly name: string;
  readonly vip: string;
  readonly floatingIp: string;
  readonly member: string;
}

export async function buildLegacyBalancer(
  project: OwnProject,
  namespace: string,
  cluster: string,
): Promise<LegacyBalancer> {
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
