// Clusters of three zones with a machine in each, as Cluster API creates them, before a manager has reconciled them.

import { addNetwork, addSubnet } from "../../src/sim/fakes/openstack/cloud-setup.ts";
import type { EndpointWorld } from "../../test/api-endpoint/world/endpoint-world.ts";

export const zones = ["az1", "az2", "az3"];

interface Place {
  readonly networkId: string;
  readonly subnetIds: readonly string[];
}

export async function raiseFleet(
  world: EndpointWorld,
  clusters: number,
  onRaised: (clusters: number) => void,
): Promise<void> {
  const { fake, projectId } = world.lab;
  for (const kind of ["load_balancer", "listener", "pool", "health_monitor", "member"] as const)
    fake.faults.setQuota(projectId, kind, 1_000_000);
  const place = roomyPlace(world);
  for (let index = 0; index < clusters; index += 1) {
    await raise(world, place, index);
    onRaised(index + 1);
  }
}

/** The lab's subnets hold 250 addresses; a fleet needs more. */
function roomyPlace({ lab: { fake, projectId } }: EndpointWorld): Place {
  const { id: networkId } = addNetwork(fake.cloud, { name: "fleet", projectId });
  const subnetIds = zones.map(
    (zone, index) =>
      addSubnet(fake.cloud, { name: zone, projectId, networkId, cidr: `10.${64 + index}.0.0/16`, zone }).id,
  );
  return { networkId, subnetIds };
}

async function raise(world: EndpointWorld, { networkId, subnetIds }: Place, index: number): Promise<void> {
  const name = `c${index}`;
  const availabilityZoneSubnets = zones.map((availabilityZone, zone) => ({
    availabilityZone,
    subnet: { id: subnetIds[zone] ?? "" },
  }));
  await world.cluster(name, {
    spec: {
      controlPlaneEndpoint: { host: `api.${name}.example.com`, port: 6443 },
      network: { id: networkId },
      apiServerLoadBalancer: { enabled: true, network: { id: networkId }, availabilityZoneSubnets },
      disableAPIServerFloatingIP: true,
    },
  });
  for (const [zone, failureDomain] of zones.entries()) {
    const address = `10.${64 + zone}.${200 + Math.floor(index / 250)}.${1 + (index % 250)}`;
    await world.machineAt(name, failureDomain, address);
  }
}
