// The control-plane machines of a cluster, from caches. A machine's zone is its failure domain, else what its server says; nothing is
// guessed. Addresses come from the infrastructure machine first: it knows them before the Machine does.

import {
  clusterNameLabel,
  controlPlaneLabel,
  type Machine,
  machines,
  type OpenStackMachine,
  openStackMachines,
} from "../../../apis/cluster-api/cluster-api-kinds.ts";
import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { isBeingDeleted } from "../../../core/ownership.ts";
import type { Reader } from "../../../engine/feature.ts";
import type { MachineObserved } from "../core/model/observed.ts";
import { refuseForbidden, refuseUnlisted } from "./unlisted.ts";

/** Index of machines and infrastructure machines by `namespace/cluster`. */
export const clusterIndex = "cluster";

export function clusterIndexOf({ metadata }: KubeObject): readonly string[] {
  const name = metadata.labels?.[clusterNameLabel];
  return name === undefined ? [] : [`${metadata.namespace ?? ""}/${name}`];
}

/** Zone of a server by its id, where nothing in Kubernetes says it. */
export type ZoneOfServer = (serverId: string) => Promise<string | undefined>;

export async function observeMachines(
  cluster: { readonly namespace: string; readonly name: string },
  reader: Reader,
  zoneOfServer: ZoneOfServer,
): Promise<readonly MachineObserved[]> {
  const key = `${cluster.namespace}/${cluster.name}`;
  // Planning from an empty list would empty every pool.
  refuseUnlisted(reader, machines, "nobody knows who belongs behind the balancers");
  refuseForbidden(reader, openStackMachines, "nobody knows the addresses of the machines, or which of them are going");
  const infrastructure = new Map(
    reader
      .cached(openStackMachines)
      .byIndex(clusterIndex, key)
      .map((machine) => [machine.metadata.name, machine]),
  );
  const controlPlane = reader
    .cached(machines)
    .byIndex(clusterIndex, key)
    .filter(({ metadata }) => metadata.labels?.[controlPlaneLabel] !== undefined)
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return await Promise.all(
    controlPlane.map((machine) =>
      observedMachine(machine, infrastructure.get(machine.spec?.infrastructureRef?.name ?? ""), zoneOfServer),
    ),
  );
}

async function observedMachine(
  machine: Machine,
  infrastructure: OpenStackMachine | undefined,
  zoneOfServer: ZoneOfServer,
): Promise<MachineObserved> {
  const known = [...(infrastructure?.status?.addresses ?? []), ...(machine.status?.addresses ?? [])];
  const addresses = known.filter(({ type }) => type === "InternalIP").map(({ address }) => address);
  return {
    name: machine.spec?.infrastructureRef?.name ?? machine.metadata.name,
    zone: await zoneOf(machine, infrastructure, zoneOfServer),
    addresses: [...new Set(addresses)],
    deleting: isBeingDeleted(machine) || (infrastructure !== undefined && isBeingDeleted(infrastructure)),
  };
}

async function zoneOf(
  { spec, status }: Machine,
  infrastructure: OpenStackMachine | undefined,
  zoneOfServer: ZoneOfServer,
): Promise<string | undefined> {
  const domain = spec?.failureDomain || status?.failureDomain;
  if (domain) return domain;
  const id = infrastructure?.status?.instanceID;
  return id === undefined ? undefined : await zoneOfServer(id);
}
