// What stands in the cloud before we come: balancers of CAPO's for clusters that will move, and foreign ones, with names, descriptions
// and tags that come close to ours.

import { endPhase } from "../../../../sim/fakes/openstack/octavia/provisioning.ts";
import { balancerDescription, portName, singleName, zoneName } from "../../core/model/names.ts";
import { ownerTag } from "../../core/model/ownership.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import type { EndpointSim } from "../endpoint-sim.ts";
import { apiPort, isTakenOver } from "../people/desired-endpoint.ts";

interface AddedBalancer {
  readonly id: string;
  readonly name: string;
  readonly vipAddress: string;
  readonly floatingAddress: string | undefined;
  readonly poolId: string;
}

interface BalancerToAdd {
  readonly name: string;
  readonly description: string;
  readonly tags?: readonly string[];
  readonly floating?: boolean;
}

/** A whole balancer, ready at once. */
async function addBalancer(sim: EndpointSim, wanted: BalancerToAdd): Promise<AddedBalancer> {
  const { project, fake, lab, setting } = sim;
  const { octavia, neutron } = project;
  const { name, description, tags = [] } = wanted;
  const vipSubnetId = lab.subnetIds[0];
  const done = async <T>(id: string | undefined, call: Promise<T>): Promise<T> => {
    const made = await call;
    const balancerId = id ?? (made as { readonly id: string }).id;
    endPhase(fake.cloud, balancerId);
    return made;
  };
  const { id, vipPortId, vipAddress } = await done(
    undefined,
    octavia.createLoadBalancer({ name, description, tags, vipSubnetId }),
  );
  const port = portName(name, apiPort);
  const listener = await done(
    id,
    octavia.createListener({ loadBalancerId: id, name: port, protocol: "TCP", port: apiPort.number, tags }),
  );
  const algorithm = setting.provider === "ovn" ? "SOURCE_IP_PORT" : "ROUND_ROBIN";
  const pool = await done(
    id,
    octavia.createPool({ listenerId: listener.id, name: port, protocol: "TCP", algorithm, tags }),
  );
  const timings = { delaySeconds: 10, timeoutSeconds: 5, maxRetries: 5, maxRetriesDown: 3 };
  await done(id, octavia.createHealthMonitor({ poolId: pool.id, name: port, type: "TCP", tags, ...timings }));
  if (wanted.floating !== true) return { id, name, vipAddress, floatingAddress: undefined, poolId: pool.id };
  const place = { floatingNetworkId: lab.externalNetworkId, portId: vipPortId };
  const floating = await neutron.createFloatingIp({ ...place, description });
  return { id, name, vipAddress, floatingAddress: floating.address, poolId: pool.id };
}

/** As CAPO leaves it: our names, its sentence, no tags. Beside an APIEndpoint it stays CAPO's. */
export async function addLegacyBalancer(sim: EndpointSim, cluster: EndpointCluster): Promise<AddedBalancer> {
  const made = await addBalancer(sim, {
    name: singleName(cluster),
    description: balancerDescription(cluster),
    floating: cluster.floatingIps,
  });
  if (!isTakenOver(cluster)) return made;
  sim.legacy.set(made.id, cluster);
  const { floatingips } = sim.fake.cloud.tables;
  for (const { id, address } of floatingips.all()) if (address === made.floatingAddress) sim.legacy.set(id, cluster);
  return made;
}

/** Others' balancers that bear our names: one with CAPO's sentence, one with another owner's mark. */
export async function addForeignBalancers(sim: EndpointSim): Promise<void> {
  const [cluster] = sim.setting.clusters;
  if (cluster === undefined) return;
  await addBalancer(sim, { name: zoneName(cluster, "az1"), description: "made by hand", floating: true });
  await addBalancer(sim, {
    name: singleName(cluster),
    description: balancerDescription(cluster),
    tags: [ownerTag("00000000-0000-4000-8000-000000000000")],
  });
}
