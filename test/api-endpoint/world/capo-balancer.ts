// A cluster's API balancer as CAPO leaves it behind: names and descriptions of its making, no mark of ours.

import type { EndpointWorld } from "./endpoint-world.ts";
import { namespace } from "./endpoint-world.ts";

export interface CapoBalancer {
  readonly id: string;
  readonly vipAddress: string;
  readonly floatingAddress: string;
}

export interface CapoOptions {
  /** Index of the lab's subnet. */
  readonly subnet?: 0 | 1 | 2;
  readonly description?: string;
  readonly floatingDescription?: string;
  readonly members?: Readonly<Record<string, string>>;
}

export async function capoBalancer(
  world: EndpointWorld,
  cluster: string,
  options: CapoOptions = {},
): Promise<CapoBalancer> {
  const made = `Created by cluster-api-provider-openstack cluster ${namespace}-${cluster}`;
  const { subnet = 0, description = made, floatingDescription = made, members = {} } = options;
  const { octavia, neutron } = world.cloud;
  const name = `k8s-clusterapi-cluster-${namespace}-${cluster}-kubeapi`;
  const port = `${name}-6443`;
  const vipSubnetId = world.lab.subnetIds[subnet];
  const done = async <T>(call: Promise<T>): Promise<T> => {
    await world.clock.advance(5_000);
    return await call;
  };
  const { id, vipPortId, vipAddress } = await done(
    octavia.createLoadBalancer({ name, description, tags: [], vipSubnetId }),
  );
  const listener = await done(
    octavia.createListener({ loadBalancerId: id, name: port, protocol: "TCP", port: 6443, tags: [] }),
  );
  const pool = await done(
    octavia.createPool({ listenerId: listener.id, name: port, protocol: "TCP", algorithm: "ROUND_ROBIN", tags: [] }),
  );
  const timings = { delaySeconds: 10, timeoutSeconds: 5, maxRetries: 5, maxRetriesDown: 3 };
  await done(octavia.createHealthMonitor({ poolId: pool.id, name: port, type: "TCP", tags: [], ...timings }));
  for (const [machine, address] of Object.entries(members))
    await done(octavia.createMember(pool.id, { name: `${port}-${machine}`, address, port: 6443, tags: [] }));
  const wanted = {
    floatingNetworkId: world.lab.externalNetworkId,
    portId: vipPortId,
    description: floatingDescription,
  };
  const floating = await done(neutron.createFloatingIp(wanted));
  return { id, vipAddress, floatingAddress: floating.address };
}
