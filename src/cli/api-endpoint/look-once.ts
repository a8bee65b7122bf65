// One look at everything a cluster's endpoint is made of, with the controllers' own eyes and without their memory. It looks where they
// would not, at objects that are paused or that nobody has claimed yet, and it writes nothing.

import { pausedAnnotation } from "../../apis/api-endpoint-annotations.ts";
import { formatRef, type KubeObject, refOf } from "../../apis/kube-object.ts";
import { BalancerLooks } from "../../controllers/api-endpoint/balancer-looks.ts";
import { CapabilityCache } from "../../controllers/api-endpoint/capability-cache.ts";
import { cloudOf } from "../../controllers/api-endpoint/cloud-of.ts";
import type { ClusterFacts, EndpointDoor } from "../../controllers/api-endpoint/endpoint-door.ts";
import { FailoverMemory } from "../../controllers/api-endpoint/failover-memory.ts";
import { FloatingIpLooks } from "../../controllers/api-endpoint/floating-ip-looks.ts";
import { type CloudView, lookAtCloud, unknownBecause } from "../../controllers/api-endpoint/look-at-cloud.ts";
import { machinesOf } from "../../controllers/api-endpoint/machines-of.ts";
import { PlacesCache } from "../../controllers/api-endpoint/places-cache.ts";
import { ServerZones } from "../../controllers/api-endpoint/server-zones.ts";
import type { EndpointIntent } from "../../core/api-endpoint/intent.ts";
import type { EndpointObserved, ObjectFacts } from "../../core/api-endpoint/observed.ts";
import { MainstayError } from "../../core/errors.ts";
import { finalizerOf, hasFinalizer } from "../../core/ownership.ts";
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
    object: factsOf(object, cluster, door),
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
    const identity = door.identityOf(object);
    if (identity === undefined)
      throw new MainstayError({
        reason: "CredentialsUnusable",
        message: `${object.kind} ${formatRef(intent.object)}: spec.identityRef is not set`,
      });
    const cloud = await cloudOf({ kube, identity, namespace: intent.object.namespace ?? "", signal });
    const project = ports.openStack.project(cloud);
    const { endpointKey } = await project.identify({ signal });
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
    const memory = {
      looks: new BalancerLooks(),
      capabilities: new CapabilityCache(),
      places: new PlacesCache(),
      failovers: new FailoverMemory(),
      floatingIps: new FloatingIpLooks(),
    };
    return { view: await lookAtCloud(look, memory), serverZone: new ServerZones().of(project.nova, call) };
  } catch (error) {
    const why = unknownBecause(error);
    const view: CloudView = { capabilities: why, places: why, balancers: why, floatingIps: why };
    return { view, serverZone: async () => undefined };
  }
}

function factsOf(object: KubeObject, cluster: ClusterFacts, door: EndpointDoor): ObjectFacts {
  const { uid = "", resourceVersion = "", annotations = {} } = object.metadata;
  return {
    uid,
    resourceVersion,
    hasFinalizer: hasFinalizer(object, finalizerOf(door.name)),
    paused: cluster.paused || annotations[pausedAnnotation] !== undefined,
    provisioned: door.isProvisioned(object),
    gate: "none",
  };
}
