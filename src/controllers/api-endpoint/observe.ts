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
import { cloudOf } from "./cloud-of.ts";
import type { ComputeZones } from "./compute-zones.ts";
import type { ClusterFacts, EndpointDoor } from "./endpoint-door.ts";
import { gateOf } from "./gate.ts";
import { type CloudMemory, type CloudView, lookAtCloud, unknownBecause } from "./look-at-cloud.ts";
import { machinesOf, type ServerZones as ServerZoneOf } from "./machines-of.ts";
import type { ServerZones } from "./server-zones.ts";
import type { Sessions } from "./sessions.ts";

export interface EndpointShell {
  readonly openStack: OpenStack;
  readonly sessions: Sessions;
  readonly memory: CloudMemory;
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
    const session = await sessionOf({ door, object, intent, reader, shell });
    const call = { signal: reader.signal };
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
    return { view: blind(unknownBecause(error)), serverZone: nobody };
  }
}

async function sessionOf({ door, object, intent, reader, shell }: Omit<ViewInput, "facts">) {
  const { kube, signal } = reader;
  const identity = door.identityOf(object);
  if (identity === undefined) {
    throw new MainstayError({
      reason: "CredentialsUnusable",
      message: `${object.kind} ${formatRef(intent.object)}: spec.identityRef is not set`,
      hint: "Name the Secret with the clouds.yaml.",
    });
  }
  const cloud = await cloudOf({ kube, identity, namespace: intent.object.namespace ?? "", signal });
  const project = shell.openStack.project(cloud);
  const { endpointKey } = await project.identify({ signal });
  const session = { project, endpointKey };
  shell.sessions.remember(intent.object, session);
  return session;
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

async function objectFacts(
  object: KubeObject,
  cluster: ClusterFacts,
  door: EndpointDoor,
  reader: Reader,
): Promise<ObjectFacts> {
  const { uid = "", resourceVersion = "", annotations = {} } = object.metadata;
  const provisioned = door.isProvisioned(object);
  return {
    uid,
    resourceVersion,
    hasFinalizer: hasFinalizer(object, finalizerOf(door.name)),
    paused: cluster.paused || annotations[pausedAnnotation] !== undefined,
    provisioned,
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
  return blind({ known: false, reason, message });
}

function blind(why: Unknown): CloudView {
  return { capabilities: why, places: why, balancers: why, floatingIps: why };
}

function forgotten(key: ObjectRef, { sessions, memory }: EndpointShell): undefined {
  sessions.forget(key);
  memory.looks.forget(formatRef(key));
  memory.places.forget(formatRef(key));
  memory.floatingIps.forget(formatRef(key));
  return undefined;
}
