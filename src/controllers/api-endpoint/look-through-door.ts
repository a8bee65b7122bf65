// One look through a door at everything that a cluster's endpoint is made of: the object, its machines, and the cloud with the object's
// own credentials. Controllers and commands see with the same eyes; who may look, and when, is theirs to decide.

import { pausedAnnotation } from "../../apis/api-endpoint-annotations.ts";
import { dnsEndpoints } from "../../apis/dns-endpoint.ts";
import { formatRef, type KubeObject, refOf } from "../../apis/kube-object.ts";
import { publishedBy } from "../../core/api-endpoint/dns-endpoint.ts";
import { bastionAddresses } from "../../core/api-endpoint/doors/bastion-addresses.ts";
import type { EndpointIntent } from "../../core/api-endpoint/intent.ts";
import type { EndpointObserved, ObjectFacts } from "../../core/api-endpoint/observed.ts";
import { MainstayError } from "../../core/errors.ts";
import { type Known, known, type Unknown } from "../../core/known.ts";
import { bearsMarkFor, finalizerOf, foreignFinalizers, hasFinalizer } from "../../core/ownership.ts";
import type { Reader } from "../../engine/feature.ts";
import type { OpenStack } from "../../ports/openstack.ts";
import type { CloudMemory } from "./cloud-memory.ts";
import type { ComputeZones } from "./compute-zones.ts";
import type { ClusterFacts, EndpointDoor } from "./endpoint-door.ts";
import { gateOf } from "./gate.ts";
import { type CloudView, lookAtCloud, unknownBecause, unseenCloud } from "./look-at-cloud.ts";
import { machinesOf, type ServerZones as ServerZoneOf } from "./machines-of.ts";
import { openProject } from "./open-project.ts";
import type { ServerZones } from "./server-zones.ts";
import type { Session } from "./sessions.ts";

/** A way to clouds, and what is remembered of them between looks. */
export interface Eyes {
  readonly openStack: OpenStack;
  readonly memory: CloudMemory;
  readonly serverZones: ServerZones;
  readonly computeZones: ComputeZones;
}

export interface DoorLook {
  readonly door: EndpointDoor;
  readonly object: KubeObject;
  readonly cluster: ClusterFacts;
  readonly intent: EndpointIntent;
  /** Of the caches only machines, infrastructure machines and DNSEndpoints are asked. */
  readonly reader: Reader;
  readonly eyes: Eyes;
  /** Why the cloud is not to be asked anything. */
  readonly closed?: Unknown | undefined;
  /** Told which project the object's credentials led to. */
  readonly opened?: (session: Session) => void;
}

export async function lookThroughDoor(look: DoorLook): Promise<EndpointObserved> {
  const { door, object, cluster, intent, reader, closed } = look;
  const there = closed === undefined ? await lookThere(look) : nothingOf(closed);
  const { places } = there.view;
  const bastion = bastionAddresses(object);
  return {
    intent,
    object: await objectFacts(look),
    problems: door.problemsOf(object),
    recorded: door.recordedOf(object),
    ...there.view,
    places: places.known && bastion.length > 0 ? known({ ...places.value, bastionAddresses: bastion }) : places,
    ...(there.computeZones === undefined ? {} : { computeZones: there.computeZones }),
    machines: await machinesOf(cluster.ref, reader, there.serverZone),
  };
}

interface There {
  readonly view: CloudView;
  readonly serverZone: ServerZoneOf;
  readonly computeZones?: Known<readonly string[]>;
}

/** A cloud that cannot be reached leaves everything in it unknown, with the reason. */
async function lookThere({ door, object, intent, reader, eyes, opened }: DoorLook): Promise<There> {
  try {
    const { kube, signal, nowMs } = reader;
    const session = await openProject({ door, object, kube, openStack: eyes.openStack, signal });
    opened?.(session);
    const call = { signal };
    const recorded = door.recordedOf(object);
    const { nova } = session.project;
    const [view, computeZones] = await Promise.all([
      lookAtCloud({ key: formatRef(intent.object), intent, recorded, ...session, nowMs, call }, eyes.memory),
      eyes.computeZones.get({ nova, endpointKey: session.endpointKey }, nowMs, call),
    ]);
    return { view, computeZones, serverZone: eyes.serverZones.of(nova, call) };
  } catch (error) {
    if (!(error instanceof MainstayError)) throw error;
    return nothingOf(unknownBecause(error));
  }
}

function nothingOf(why: Unknown): There {
  return { view: unseenCloud(why), serverZone: async () => undefined };
}

/** What the object itself and its cluster say, without a look at anything else. */
export function ownFacts(
  object: KubeObject,
  cluster: ClusterFacts,
  door: EndpointDoor,
): Omit<ObjectFacts, "gate" | "dnsEndpoint"> {
  const { uid = "", resourceVersion = "", annotations = {}, deletionTimestamp } = object.metadata;
  return {
    uid,
    resourceVersion,
    hasFinalizer: hasFinalizer(object, finalizerOf(door.name)),
    foreignFinalizers: foreignFinalizers(object),
    ...(deletionTimestamp === undefined ? {} : { deletingSinceMs: Date.parse(deletionTimestamp) }),
    paused: cluster.paused || annotations[pausedAnnotation] !== undefined,
    provisioned: door.isProvisioned(object),
  };
}

async function objectFacts({ object, cluster, door, reader }: DoorLook): Promise<ObjectFacts> {
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
