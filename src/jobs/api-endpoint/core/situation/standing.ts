// Whether an object is ours to act for, and if not, why. Decided from what Kubernetes says, before the cloud is asked anything; all but
// `elsewhere`, which location.ts decides of an object that is ours so far, once its credentials were used. In this order:
//
//   moved             a move deletes it here: its copy stands for the cloud       nothing is done; when deleted it just goes
//   paused            people paused it                                         nothing is done, and it is said by what
//   done              it is being deleted, and our finalizer is gone           nothing is left to do; it is said who else holds it
//   cleaned-up        it is being deleted, and nothing is left in the cloud    no credentials are needed: the finalizers go
//   without-cluster   it names a Cluster that is not there                     wait: nothing is made that nobody asked for
//   paused, too       its Cluster went while it was paused, as in a move       nothing is done, also while it is being deleted
//   copy              its owner id is another object's (rivals.ts)             nothing in the cloud is its own; when deleted it just goes
//   undecided         whether it is a copy cannot be told                      wait
//   unclaimed         it has no owner id or not our finalizer                  it gets them; when deleted it just goes
//   elsewhere         its credentials lead to another project                  nothing is done, also while it is being deleted
//   ours              else                                                     everything

import { formatRef, type KubeObject, type ObjectRef } from "../../../../apis/kube/kube-object.ts";
import { conditionsOf, findCondition } from "../../../../core/conditions.ts";
import type { Unknown } from "../../../../core/known.ts";
import type { Refusal } from "../../../../core/plan.ts";
import type { Cause, Reason } from "../../../../core/reasons.ts";
import { clusterDeletedAnnotation, deleteForMoveAnnotation, isConsent } from "../../apis/annotations.ts";
import { capoFinalizer } from "../../apis/openstack-cluster/openstack-cluster.ts";
import type { EndpointIntent } from "../model/intent.ts";
import type { EndpointObserved, ObjectFacts } from "../model/observed.ts";

export type Standing = Ours | NotOurs;

interface Ours {
  readonly is: "ours";
  readonly ownerId: string;
}

export type NotOurs = HeldBack | NothingToAsk;

/** Something is in the way that people may have to act on. */
export interface HeldBack {
  readonly is: "moved" | "paused" | "without-cluster" | "copy" | "undecided" | "elsewhere";
  readonly reason: Reason;
  /** For people. */
  readonly message: string;
}

/** As it should be, before anything was made for it and after everything is gone. */
interface NothingToAsk {
  readonly is: "done" | "cleaned-up" | "unclaimed";
  readonly reason: Cause;
  /** For people. */
  readonly message: string;
}

/** Never `elsewhere`: where its credentials lead is not known yet. `against`: what other objects say against it, when they do. */
export function standingOf(
  intent: EndpointIntent,
  object: Pick<ObjectFacts, "paused" | "pausedBy" | "hasFinalizer" | "isMoved" | "isCleanedUp">,
  against?: NotOurs,
): Standing {
  const { ownerId, deleting } = intent;
  if (object.isMoved === true && (object.hasFinalizer || !deleting)) return moved(intent);
  if (object.paused) return paused(intent, object);
  if (deleting && !object.hasFinalizer)
    return { is: "done", reason: "EndpointDeleted", message: "nothing is left to do for it" };
  if (deleting && object.isCleanedUp === true)
    return { is: "cleaned-up", reason: "EndpointDeleted", message: "nothing is left of it in the cloud" };
  if (against !== undefined) return against;
  if (ownerId !== undefined && object.hasFinalizer) return { is: "ours", ownerId };
  const message = "nothing is asked of the cloud before the object is claimed";
  return { is: "unclaimed", reason: "EndpointUnclaimed", message };
}

/**
 * Of all others nothing in the cloud is known, and nobody needs to know. Asked of what standingOf says: the first thing that is then asked
 * is where the credentials lead, and `elsewhere` (location.ts) ends it there.
 */
export function mayAskCloud(standing: Standing): standing is Ours {
  return standing.is === "ours";
}

/** What is known of a cloud that is not asked. */
export function unknownFor({ is, reason, message }: NotOurs): Unknown {
  return { known: false, reason, message: is === "paused" ? "nothing is asked of the cloud while paused" : message };
}

function paused({ door, object }: EndpointIntent, { pausedBy = [] }: Pick<ObjectFacts, "pausedBy">): HeldBack {
  const by = pausedBy.length === 0 ? "" : ` by ${pausedBy.toSorted().join(" and by ")}`;
  const until =
    pausedBy.length === 0 ? "it no longer is" : pausedBy.length === 1 ? "that is removed" : "both are removed";
  const message = `${door} ${formatRef(object)} is paused${by}; Mainstay reads and changes nothing until ${until}`;
  return { is: "paused", reason: "EndpointPaused", message };
}

function moved({ door, object }: EndpointIntent): HeldBack {
  const who = `${door} ${formatRef(object)}`;
  const message = `${who}: its annotation ${deleteForMoveAnnotation} says that it lives on in another management cluster; Mainstay reads and changes nothing for it here. Delete it; or, when the move was given up, remove the annotation and put the annotations of the copy back`;
  return { is: "moved", reason: "EndpointMoved", message };
}

/** A Cluster that is paused is not deleted, but by a move, or by somebody who takes its finalizers away. */
export function pausedClusterGone(object: KubeObject, cluster: ObjectRef): HeldBack | undefined {
  const wasPaused = findCondition(conditionsOf(object), "Paused")?.status === "True";
  if (!wasPaused || isConsent(object.metadata.annotations?.[clusterDeletedAnnotation])) return undefined;
  const { name, namespace = "" } = object.metadata;
  const annotate = `kubectl annotate ${object.kind.toLowerCase()} -n ${namespace} ${name}`;
  const message = `${object.kind} ${namespace}/${name}: Cluster ${formatRef(cluster)} went while it was paused, as in a move to another management cluster, so nothing in the cloud is touched. When it was moved: ${annotate} ${deleteForMoveAnnotation}= and delete the object. When it was deleted: ${annotate} ${clusterDeletedAnnotation}=true`;
  return { is: "paused", reason: "PausedClusterGone", message };
}

/** We are done with an object, and finalizers of others hold it: silence would look as if we did. */
export function foreignHolds({ intent, object: { foreignFinalizers = [] } }: EndpointObserved): readonly Refusal[] {
  const { namespace = "", name } = intent.object;
  return foreignFinalizers.toSorted().map((finalizer) => {
    const whose =
      finalizer === capoFinalizer
        ? "it is CAPO's, which leaves alone what somebody else manages; remove it when nothing is left of what CAPO made"
        : "whoever set it must remove it";
    const message = `${intent.door} ${namespace}/${name}: Mainstay is done with it, and finalizer ${finalizer} still holds it: ${whose}`;
    return { reason: "ForeignFinalizer", message };
  });
}
