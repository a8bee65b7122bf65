// Reads the world for one object of a door: from caches what Kubernetes has, from the cloud what it has. Reads only. An object that is
// paused, or not yet claimed, costs the cloud no call.

import { pausedAnnotation } from "../../apis/api-endpoint-annotations.ts";
import { clusters } from "../../apis/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../apis/dns-endpoint.ts";
import { formatRef, type KubeObject, type ObjectRef, refOf } from "../../apis/kube-object.ts";
import { publishedBy } from "../../core/api-endpoint/dns-endpoint.ts";
import { bastionAddresses } from "../../core/api-endpoint/doors/bastion-addresses.ts";
import type { EndpointIntent } from "../../core/api-endpoint/intent.ts";
import type { EndpointObserved, ObjectFacts } from "../../core/api-endpoint/observed.ts";
import { MainstayError } from "../../core/errors.ts";
import { type Known, known, type Unknown } from "../../core/known.ts";
import { bearsMarkFor, finalizerOf, hasFinalizer } from "../../core/ownership.ts";
import type { Reader } from "../../engine/feature.ts";
import type { OpenStack } from "../../ports/openstack.ts";
import type { CloudMemory } from "./cloud-memory.ts";
import type { ClusterKeys } from "./cluster-keys.ts";
import type { ComputeZones } from "./compute-zones.ts";
import type { ClusterFacts, EndpointDoor } from "./endpoint-door.ts";
import { gateOf } from "./gate.ts";
import { type CloudView, lookAtCloud, unknownBecause, unseenCloud } from "./look-at-cloud.ts";
import { machinesOf, type ServerZones as ServerZoneOf } from "./machines-of.ts";
import { openProject } from "./open-project.ts";
import type { ServerZones } from "./server-zones.ts";
import type { Sessions } from "./sessions.ts";

export interface EndpointShell {
  readonly openStack: OpenStack;
  readonly sessions: Sessions;
  readonly memory: CloudMemory;
  readonly keys: ClusterKeys;
  readonly serverZones: ServerZones;
  readonly computeZones: ComputeZones;
}

/** What the report needs beside what the planner sees. */
export interface ObservedEndpoint extends EndpointObserved {
  readonly kubeObject: KubeObject;
}

export function observeEndpoint(door: EndpointDoor, shell: EndpointShell) {
  return async (key: ObjectRef, reader: Reader): Promise<ObservedEndpoint | undefined> => {
    const object = reader.cached(door.root).get(key);
    if (object === undefined) return forgotten(key, shell);
    const cluster = clusterFacts(door.clusterOf(object), reader);
    if (cluster === undefined) return undefined;
    const intent = door.intentOf(object, cluster);
    const facts = await objectFacts(object, cluster, door, reader);
    const cloud = await viewOf({ door, object, intent, facts, reader, shell });
    return {
      kubeObject: object,
      intent,
      object: facts,
      problems: door.problemsOf(object),
      recorded: door.recordedOf(object),
      ...cloud.view,
      places: withBastion(cloud.view.places, object),
      ...(cloud.computeZones === undefined ? {} : { computeZones: cloud.computeZones }),
      machines: await machinesOf(cluster.ref, reader, cloud.serverZone),
    };
  };
}

interface ViewInput {
  readonly door: EndpointDoor;
  readonly object: KubeObject;
  readonly intent: EndpointIntent;
  readonly facts: ObjectFacts;
  readonly reader: Reader;
  readonly shell: EndpointShell;
}

interface Viewed {
  readonly view: CloudView;
  readonly serverZone: ServerZoneOf;
  readonly computeZones?: Known<readonly string[]>;
}

async function viewOf({ door, object, intent, facts, reader, shell }: ViewInput): Promise<Viewed> {
  const nobody = async () => undefined;
  if (facts.paused)
    return { view: unseen("EndpointPaused", "nothing is asked of the cloud while paused"), serverZone: nobody };
  if (intent.ownerId === undefined || !facts.hasFinalizer)
    return {
      view: unseen("EndpointUnclaimed", "nothing is asked of the cloud before the object is claimed"),
      serverZone: nobody,
    };
  try {
    const { kube, signal } = reader;
    const session = await openProject({ door, object, kube, openStack: shell.openStack, signal });
    shell.sessions.remember(intent.object, session);
    const call = { signal };
    const recorded = door.recordedOf(object);
    const look = { key: formatRef(intent.object), intent, recorded, ...session, nowMs: reader.nowMs, call };
    const { nova } = session.project;
    const [view, computeZones] = await Promise.all([
      lookAtCloud(look, shell.memory),
      shell.computeZones.get({ nova, endpointKey: session.endpointKey }, reader.nowMs, call),
    ]);
    return { view, computeZones, serverZone: shell.serverZones.of(nova, call) };
  } catch (error) {
    if (!(error instanceof MainstayError)) throw error;
    return { view: unseenCloud(unknownBecause(error)), serverZone: nobody };
  }
}

function clusterFacts(ref: ObjectRef | undefined, reader: Reader): ClusterFacts | undefined {
  const cluster = ref === undefined ? undefined : reader.cached(clusters).get(ref);
  if (ref === undefined || cluster === undefined) return undefined;
  const { host = "", port = 0 } = cluster.spec?.controlPlaneEndpoint ?? {};
  return {
    ref: { namespace: ref.namespace ?? "", name: ref.name },
    paused: cluster.spec?.paused ?? false,
    endpoint: host === "" ? undefined : { host, port },
  };
}

/** What the object itself and its cluster say, without a look at anything else. */
export function ownFacts(object: KubeObject, cluster: ClusterFacts, door: EndpointDoor): Omit<ObjectFacts, "gate"> {
  const { uid = "", resourceVersion = "", annotations = {} } = object.metadata;
  return {
    uid,
    resourceVersion,
    hasFinalizer: hasFinalizer(object, finalizerOf(door.name)),
    paused: cluster.paused || annotations[pausedAnnotation] !== undefined,
    provisioned: door.isProvisioned(object),
  };
}

async function objectFacts(
  object: KubeObject,
  cluster: ClusterFacts,
  door: EndpointDoor,
  reader: Reader,
): Promise<ObjectFacts> {
  return {
    ...ownFacts(object, cluster, door),
    gate: door.opensGate(object) ? await gateFacts(cluster, reader) : "none",
    dnsEndpoint: publishedDns(object, door, reader),
  };
}

async function gateFacts({ ref }: ClusterFacts, { kube, signal }: Reader): Promise<ObjectFacts["gate"]> {
  const gate = await gateOf(ref, kube, signal);
  return gate === undefined ? "none" : gate.isOpen ? "open" : "closed";
}

/** Ours alone: somebody else's of the same name is met when we would write. */
function publishedDns(object: KubeObject, door: EndpointDoor, reader: Reader): ObjectFacts["dnsEndpoint"] {
  const published = reader.cached(dnsEndpoints).get(refOf(object));
  return published !== undefined && bearsMarkFor(door.name, object, published) ? publishedBy(published) : undefined;
}

function withBastion(places: CloudView["places"], object: KubeObject): CloudView["places"] {
  const addresses = bastionAddresses(object);
  return places.known && addresses.length > 0 ? known({ ...places.value, bastionAddresses: addresses }) : places;
}

function unseen(reason: Unknown["reason"], message: string): CloudView {
  return unseenCloud({ known: false, reason, message });
}

function forgotten(key: ObjectRef, { sessions, memory, keys }: EndpointShell): undefined {
  keys.forget(key);
  sessions.forget(key);
  memory.looks.forget(formatRef(key));
  memory.places.forget(formatRef(key));
  memory.floatingIps.forget(formatRef(key));
  return undefined;
}
