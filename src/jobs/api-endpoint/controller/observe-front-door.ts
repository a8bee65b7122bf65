// Observes everything that a cluster's endpoint is made of: the object of its front door, its machines, and the cloud with the object's
// own credentials. Controllers and commands observe alike; which objects, and when, is theirs to decide.

import { dnsEndpoints } from "../../../apis/external-dns/dns-endpoint.ts";
import { formatRef, type KubeObject, refOf, resourceName } from "../../../apis/kube/kube-object.ts";
import { conditionsOf, findCondition } from "../../../core/conditions.ts";
import type { Unknown } from "../../../core/known.ts";
import { bearsMarkFor, finalizerOf, foreignFinalizers, hasFinalizer } from "../../../core/ownership.ts";
import { present } from "../../../core/present.ts";
import type { Reader } from "../../../engine/feature.ts";
import { versionForPeople } from "../../../engine/round/known-step.ts";
import type { OpenStack } from "../../../ports/openstack.ts";
import {
  cleanedUpAnnotation,
  deleteForMoveAnnotation,
  isKeeping,
  outlivesClusterAnnotation,
  pausedAnnotation,
} from "../apis/annotations.ts";
import { publishedBy } from "../core/dns/dns-endpoint.ts";
import type { EndpointIntent } from "../core/model/intent.ts";
import type { EndpointObserved, ObjectFacts, RecordedEndpoint } from "../core/model/observed.ts";
import { bondOf } from "../core/situation/cluster-bond.ts";
import { elsewhere, recordedAt } from "../core/situation/location.ts";
import { mayAskCloud, type NotOurs, type Standing, unknownFor } from "../core/situation/standing.ts";
import { unknownBecause } from "./cloud/attempt.ts";
import { type CloudView, unobservedCloud } from "./cloud/observe-cloud.ts";
import { openProject, readCredentials } from "./cloud/open-project.ts";
import { observeHandOff, stateOf, withBastion } from "./endpoint-hand-off.ts";
import type { ClusterFacts, FrontDoor } from "./front-door.ts";
import type { CloudMemory } from "./memory.ts";
import { observeCredentials, type SecretFacts, secretFacts } from "./observe-credentials.ts";
import { observeMachines, type ZoneOfServer } from "./observe-machines.ts";

/** The way to clouds, and what is remembered of them. */
export interface Clouds {
  readonly openStack: OpenStack;
  readonly memory: CloudMemory;
}

export interface FrontDoorQuestion extends Clouds {
  readonly door: FrontDoor;
  readonly object: KubeObject;
  readonly cluster: ClusterFacts;
  readonly intent: EndpointIntent;
  /** Of the caches only machines, infrastructure machines and DNSEndpoints are asked. */
  readonly reader: Reader;
  /** Decides whether the cloud is asked anything. */
  readonly standing: Standing;
  /** See observe-at-rest.ts. */
  readonly isAtRest?: boolean;
  readonly readAgain?: ReadonlySet<string>;
  /** Whether other objects need a Secret to clean up; asked by whoever lets go of one. */
  readonly isSecretShared?: (name: string) => boolean;
}

export type ObservedFrontDoor = EndpointObserved & Pick<CloudView, "sharedAskedMs">;

export async function observeFrontDoor(question: FrontDoorQuestion): Promise<ObservedFrontDoor> {
  const { door, object, cluster, intent, reader, standing } = question;
  const there = mayAskCloud(standing) ? await observeThere(question) : notAsked(standing, question);
  const handOff = await observeHandOff(question);
  const credentials = observeCredentials(question, there.secret, question.isSecretShared ?? (() => false));
  return {
    intent,
    monotonicMs: reader.monotonicMs,
    standing: there.standing,
    object: { ...ownFacts(object, cluster, door), handOff: stateOf(handOff), ...publishedDns(object, door, reader) },
    problems: door.problemsOf(object),
    recorded: there.recorded,
    ...there.view,
    ...(there.location === undefined ? {} : { location: there.location }),
    ...(credentials === undefined ? {} : { credentials }),
    places: withBastion(there.view.places, object, handOff.target),
    machines: await observeMachines(cluster.ref, reader, there.zoneOfServer),
  };
}

interface There {
  /** With what the credentials say about it. */
  readonly standing: Standing;
  readonly view: CloudView;
  /** What status remembers, as far as it is about this cloud. */
  readonly recorded: RecordedEndpoint;
  readonly location?: string;
  readonly zoneOfServer: ZoneOfServer;
  /** With the credentials, where it stands beside the object. */
  readonly secret?: SecretFacts;
}

/** A cloud that cannot be reached leaves everything in it unknown, with the reason. */
async function observeThere(question: FrontDoorQuestion): Promise<There> {
  const { door, object, intent, reader, openStack, memory, standing, isAtRest = false, readAgain } = question;
  // Known also where the credentials in it are not taken.
  let secret: { readonly secret?: SecretFacts } = {};
  try {
    const { kube, signal, monotonicMs, inTime } = reader;
    const credentials = await readCredentials({ door, object, kube, signal });
    secret = await secretFacts(credentials, question);
    const session = await openProject({ credentials, openStack, logins: memory.logins, monotonicMs, signal });
    const strayed = elsewhere(intent, session.location);
    if (strayed !== undefined) return { ...notAsked(strayed, question), ...secret };
    const call = { signal };
    const location = session.hasOctavia ? session.location : undefined;
    const recorded = recordedAt(door.recordedOf(object), location);
    const version = JSON.stringify([credentials.secret.metadata.resourceVersion, versionForPeople(object)]);
    const asking = { intent, session, version, monotonicMs, inTime, call };
    const view = await memory.observe({ ...asking, recorded, isAtRest, ...present({ readAgain }) });
    const zoneOfServer = memory.zoneOfServer(asking);
    return { standing, view, recorded, ...(location === undefined ? {} : { location }), zoneOfServer, ...secret };
  } catch (error) {
    return { ...nothingThere(unknownBecause(error), question), ...secret };
  }
}

function notAsked(standing: NotOurs, question: FrontDoorQuestion): There {
  return { ...nothingThere(unknownFor(standing), question), standing };
}

function nothingThere(why: Unknown, { door, object, standing }: FrontDoorQuestion): There {
  const recorded = door.recordedOf(object);
  return { standing, view: unobservedCloud(why), recorded, zoneOfServer: async () => undefined };
}

/** What the object itself and its cluster say, without asking anybody else. */
export function ownFacts(
  object: KubeObject,
  cluster: ClusterFacts,
  door: FrontDoor,
): Omit<ObjectFacts, "handOff" | "dnsEndpoint" | "foreignDnsEndpoint" | "unreadDns"> {
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
    ...present({ notReadySinceMs: notReadySince(object) }),
    paused: pausedBy.length > 0,
    pausedBy,
    isCleanedUp: uid !== "" && annotations[cleanedUpAnnotation] === uid,
    isMoved: annotations[deleteForMoveAnnotation] !== undefined,
    provisioned: door.isProvisioned(object),
    ...(door.namesCluster ? bondWith(cluster, object) : {}),
  };
}

function notReadySince(object: KubeObject): number | undefined {
  const condition = findCondition(conditionsOf(object), "LoadBalancersReady");
  const sinceMs = condition?.status === "False" ? Date.parse(condition.lastTransitionTime) : Number.NaN;
  return Number.isNaN(sinceMs) ? undefined : sinceMs;
}

function bondWith({ reference, deleting = false }: ClusterFacts, { metadata }: KubeObject): Pick<ObjectFacts, "bond"> {
  if (reference === undefined) return {};
  const isOutlived = isKeeping(metadata.annotations?.[outlivesClusterAnnotation]);
  return { bond: bondOf(metadata.ownerReferences ?? [], { reference, isOutlived, isClusterDeleting: deleting }) };
}

/** Somebody else's of the same name is left alone; but whom it leads where decides about what is given back. */
function publishedDns(
  object: KubeObject,
  door: FrontDoor,
  reader: Reader,
): Pick<ObjectFacts, "dnsEndpoint" | "foreignDnsEndpoint" | "unreadDns"> {
  const store = reader.cached(dnsEndpoints);
  // Without its definition there is none; one that may not be read may name any address.
  if (store.state === "forbidden") {
    const name = resourceName(dnsEndpoints);
    const message = `${name}: they may not be listed, so nobody knows which addresses DNSEndpoint ${formatRef(refOf(object))} names; grant list and watch on ${name}`;
    return { unreadDns: { known: false, reason: "PermissionDenied", message } };
  }
  const published = store.get(refOf(object));
  if (published === undefined) return {};
  const dnsEndpoint = publishedBy(published);
  return bearsMarkFor(door.name, object, published) ? { dnsEndpoint } : { foreignDnsEndpoint: dnsEndpoint };
}
