// One look at everything a cluster's endpoint is made of, with the controllers' own eyes and without their memory. It looks where they
// would not, at objects that are paused or that nobody has claimed yet, and it writes nothing.

import { formatRef, type KubeObject, refOf } from "../../apis/kube-object.ts";
import { newCloudMemory } from "../../controllers/api-endpoint/cloud-memory.ts";
import type { ClusterFacts, EndpointDoor } from "../../controllers/api-endpoint/endpoint-door.ts";
import { lookAtCloud, unknownBecause, unseenCloud } from "../../controllers/api-endpoint/look-at-cloud.ts";
import { machinesOf } from "../../controllers/api-endpoint/machines-of.ts";
import { ownFacts } from "../../controllers/api-endpoint/observe.ts";
import { openProject } from "../../controllers/api-endpoint/open-project.ts";
import { ServerZones } from "../../controllers/api-endpoint/server-zones.ts";
import type { EndpointIntent } from "../../core/api-endpoint/intent.ts";
import type { EndpointObserved } from "../../core/api-endpoint/observed.ts";
import type { KubeReader } from "../../ports/kube.ts";
import type { CliPorts } from "../cli-ports.ts";
import { machineReader } from "./machine-reader.ts";

export interface LookOnce {
  readonly door: EndpointDoor;
  readonly object: KubeObject;
  readonly cluster: ClusterFacts;
  readonly kube: KubeReader;
  readonly ports: CliPorts;
}

/** Stands in where an object has no owner id yet; nothing in any cloud is marked with it. */
const nobody = "unclaimed";

export async function lookOnce({ door, object, cluster, kube, ports }: LookOnce): Promise<EndpointObserved> {
  const { uid = nobody } = object.metadata;
  const asked = door.intentOf(object, cluster);
  const intent: EndpointIntent = { ...asked, ownerId: asked.ownerId ?? uid };
  const signal = ports.interrupted ?? new AbortController().signal;
  const nowMs = ports.clock.nowMs();
  const reader = await machineReader(kube, cluster.ref, { nowMs, signal });
  const { view, serverZone } = await lookThere({ door, object, intent, kube, ports, nowMs, signal });
  return {
    intent,
    recorded: door.recordedOf(object),
    object: { ...ownFacts(object, cluster, door), gate: "none" },
    problems: door.problemsOf(object),
    ...view,
    machines: await machinesOf(cluster.ref, reader, serverZone),
  };
}

interface There extends Pick<LookOnce, "door" | "object" | "kube" | "ports"> {
  readonly intent: EndpointIntent;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** A cloud that cannot be reached leaves everything in it unknown, with the reason. */
async function lookThere({ door, object, intent, kube, ports, nowMs, signal }: There) {
  try {
    const { project, endpointKey } = await openProject({ door, object, kube, openStack: ports.openStack, signal });
    const call = { signal };
    const look = {
      key: formatRef(refOf(object)),
      intent,
      recorded: door.recordedOf(object),
      project,
      endpointKey,
      nowMs,
      call,
    };
    return { view: await lookAtCloud(look, newCloudMemory()), serverZone: new ServerZones().of(project.nova, call) };
  } catch (error) {
    return { view: unseenCloud(unknownBecause(error)), serverZone: async () => undefined };
  }
}
