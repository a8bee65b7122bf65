// One look through a door at everything that a cluster's endpoint is made of: the object, its machines, and the cloud with the object's
// own credentials. Controllers and commands see with the same eyes; who may look, and when, is theirs to decide.

import { dnsEndpoints } from "../../../apis/external-dns/dns-endpoint.ts";
import { formatRef, type KubeObject, refOf } from "../../../apis/kube/kube-object.ts";
import { MainstayError } from "../../../core/errors.ts";
import type { Known, Unknown } from "../../../core/known.ts";
import { bearsMarkFor, finalizerOf, foreignFinalizers, hasFinalizer } from "../../../core/ownership.ts";
import type { Reader } from "../../../engine/feature.ts";
import type { OpenStack } from "../../../ports/openstack.ts";
import { pausedAnnotation } from "../apis/annotations.ts";
import { publishedBy } from "../core/dns/dns-endpoint.ts";
import type { EndpointIntent } from "../core/model/intent.ts";
import type { EndpointObserved, ObjectFacts, RecordedEndpoint } from "../core/model/observed.ts";
import { ledElsewhere, recordedAt } from "../core/situation/location.ts";
import { gateBeside, stateOf, withBastion } from "./beside-capo.ts";
import type { CloudMemory } from "./cloud/cloud-memory.ts";
import type { ComputeZones } from "./cloud/compute-zones.ts";
import { type CloudView, lookAtCloud, unknownBecause, unseenCloud } from "./cloud/observe-cloud.ts";
import { openProject } from "./cloud/open-project.ts";
import type { ServerZones } from "./cloud/server-zones.ts";
import type { Session } from "./cloud/sessions.ts";
import type { ClusterFacts, EndpointDoor } from "./front-door.ts";
import { machinesOf, type ServerZones as ServerZoneOf } from "./machines-of.ts";

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
  const there = closed === undefined ? await lookThere(look) : nothingOf(closed, look);
  const gate = await gateBeside(look);
  return {
    intent,
    object: { ...ownFacts(object, cluster, door), handOff: stateOf(gate), ...publishedDns(object, door, reader) },
    problems: door.problemsOf(object),
    recorded: there.recorded,
    ...there.view,
    ...(there.location === undefined ? {} : { location: there.location }),
    places: withBastion(there.view.places, object, gate.seen),
    ...(there.computeZones === undefined ? {} : { computeZones: there.computeZones }),
    machines: await machinesOf(cluster.ref, reader, there.serverZone),
  };
}

interface There {
  readonly view: CloudView;
  /** What status remembers, as far as it is about this cloud. */
  readonly recorded: RecordedEndpoint;
  readonly location?: string;
  readonly serverZone: ServerZoneOf;
  readonly computeZones?: Known<readonly string[]>;
}

/** A cloud that cannot be reached leaves everything in it unknown, with the reason. */
async function lookThere(look: DoorLook): Promise<There> {
  const { door, object, intent, reader, eyes, opened } = look;
  try {
    const { kube, signal, nowMs } = reader;
    const session = await openProject({ door, object, kube, openStack: eyes.openStack, signal });
    const strayed = ledElsewhere(intent, session.location);
    if (strayed !== undefined) return nothingOf(strayed, look);
    opened?.(session);
    const call = { signal };
    const location = session.hasOctavia ? session.location : undefined;
    const recorded = recordedAt(door.recordedOf(object), location);
    const { nova } = session.project;
    const [view, computeZones] = await Promise.all([
      lookAtCloud({ key: formatRef(intent.object), intent, recorded, ...session, nowMs, call }, eyes.memory),
      eyes.computeZones.get({ nova, endpointKey: session.endpointKey }, nowMs, call),
    ]);
    return {
      view,
      recorded,
      ...(location === undefined ? {} : { location }),
      computeZones,
      serverZone: eyes.serverZones.of(nova, call),
    };
  } catch (error) {
    if (!(error instanceof MainstayError)) throw error;
    return nothingOf(unknownBecause(error), look);
  }
}

function nothingOf(why: Unknown, { door, object }: DoorLook): There {
  return { view: unseenCloud(why), recorded: door.recordedOf(object), serverZone: async () => undefined };
}

/** What the object itself and its cluster say, without a look at anything else. */
export function ownFacts(
  object: KubeObject,
  cluster: ClusterFacts,
  door: EndpointDoor,
): Omit<ObjectFacts, "handOff" | "dnsEndpoint" | "isDnsEndpointForeign"> {
  const { uid = "", resourceVersion = "", annotations = {}, deletionTimestamp } = object.metadata;
  const pausedBy = [
    ...(annotations[pausedAnnotation] === undefined ? [] : [`its annotation ${pausedAnnotation}`]),
    ...(cluster.paused ? [`spec.paused of Cluster ${formatRef(cluster.ref)}`] : []),
  ];
  return {
    uid,
    resourceVersion,
    hasFinalizer: hasFinalizer(object, finalizerOf(door.name)),
    foreignFinalizers: foreignFinalizers(object),
    ...(deletionTimestamp === undefined ? {} : { deletingSinceMs: Date.parse(deletionTimestamp) }),
    paused: pausedBy.length > 0,
    pausedBy,
    provisioned: door.isProvisioned(object),
  };
}

/** Somebody else's of the same name is never read, only known to be there. */
function publishedDns(
  object: KubeObject,
  door: EndpointDoor,
  reader: Reader,
): Pick<ObjectFacts, "dnsEndpoint" | "isDnsEndpointForeign"> {
  const published = reader.cached(dnsEndpoints).get(refOf(object));
  if (published === undefined) return {};
  return bearsMarkFor(door.name, object, published)
    ? { dnsEndpoint: publishedBy(published) }
    : { isDnsEndpointForeign: true };
}
