// One look at everything a cluster's endpoint is made of, with the controllers' own eyes and without their memory. It looks where they
// would not, at objects that are paused or that nobody has claimed yet, and it writes nothing.

import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import type { ClusterFacts, FrontDoor } from "../controller/front-door.ts";
import { CloudMemory } from "../controller/memory.ts";
import { observeFrontDoor } from "../controller/observe-front-door.ts";
import type { EndpointObserved } from "../core/model/observed.ts";
import { clusterReader } from "./cluster-reader.ts";

export interface LookOnce {
  readonly door: FrontDoor;
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
  const ownerId = asked.ownerId ?? object.metadata.uid ?? nobody;
  return await observeFrontDoor({
    door,
    object,
    cluster,
    intent: { ...asked, ownerId },
    standing: { is: "ours", ownerId },
    reader,
    openStack: ports.openStack,
    memory: new CloudMemory(),
  });
}
