// One look at everything a cluster's endpoint is made of, with the controllers' own eyes and without their memory. It looks where they
// would not, at objects that are paused or that nobody has claimed yet, and it writes nothing.

import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import { newCloudMemory } from "../controller/cloud/cloud-memory.ts";
import { ComputeZones } from "../controller/cloud/compute-zones.ts";
import { ServerZones } from "../controller/cloud/server-zones.ts";
import type { ClusterFacts, EndpointDoor } from "../controller/front-door.ts";
import { lookThroughDoor } from "../controller/observe-endpoint.ts";
import type { EndpointObserved } from "../core/model/observed.ts";
import { clusterReader } from "./cluster-reader.ts";

export interface LookOnce {
  readonly door: EndpointDoor;
  readonly object: KubeObject;
  readonly cluster: ClusterFacts;
  readonly kube: KubeReader;
  readonly ports: Pick<CliPorts, "clock" | "openStack" | "interrupted">;
}

/** Stands in where an object has no owner id yet; nothing in any cloud is marked with it. */
const nobody = "unclaimed";

export async function lookOnce({ door, object, cluster, kube, ports }: LookOnce): Promise<EndpointObserved> {
  const asked = door.intentOf(object, cluster);
  const reader = await clusterReader(kube, {
    cluster: cluster.ref,
    object,
    nowMs: ports.clock.nowMs(),
    signal: ports.interrupted ?? new AbortController().signal,
  });
  return await lookThroughDoor({
    door,
    object,
    cluster,
    intent: { ...asked, ownerId: asked.ownerId ?? object.metadata.uid ?? nobody },
    reader,
    eyes: {
      openStack: ports.openStack,
      memory: newCloudMemory(),
      serverZones: new ServerZones(),
      computeZones: new ComputeZones(),
    },
  });
}
