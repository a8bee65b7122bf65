// Which machines should stand behind a balancer, by which there are and where.

import {
  clusterNameLabel,
  type Machine,
  machines,
  type OpenStackMachine,
  openStackMachines,
} from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { familyOf } from "../../../../core/net/ip.ts";
import { resourceOf } from "../endpoint-objects.ts";
import { type EndpointCluster, zonesOfCloud } from "../endpoint-setting.ts";
import type { EndpointSim } from "../endpoint-sim.ts";
import { zoneOfMachine } from "./machine-objects.ts";

/** Its control plane, those on their way out included. */
export function machinesOf({ world }: EndpointSim, { namespace, name }: EndpointCluster): readonly Machine[] {
  return world.view
    .objects(resourceOf(machines))
    .filter(({ metadata }) => metadata.namespace === namespace && metadata.labels?.[clusterNameLabel] === name);
}

/** One in each zone is wanted in the end, and nobody on the way out. */
export function areMachinesSettled(sim: EndpointSim, cluster: EndpointCluster): boolean {
  const ours = machinesOf(sim, cluster);
  return ours.length >= zonesOfCloud.length && ours.every(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** Addresses of its family, sorted. Without a zone: everybody's. */
export function machinesBehind(
  sim: EndpointSim,
  cluster: EndpointCluster,
  zone: string | undefined,
): readonly string[] {
  const { namespace, family } = cluster;
  return machinesOf(sim, cluster)
    .filter(
      (machine) =>
        machine.metadata.deletionTimestamp === undefined && (zone === undefined || zoneOfMachine(machine) === zone),
    )
    .flatMap(({ metadata }) => {
      const machine: OpenStackMachine | undefined = sim.world.view.objectAt(
        resourceOf(openStackMachines),
        `${namespace}/${metadata.name}`,
      );
      const addresses = (machine?.status?.addresses ?? []).map(({ address }) => address);
      return addresses.filter((address) => familyOf(address) === family);
    })
    .toSorted();
}
