// How Mainstay recognises its own objects: a label on what it made, a finalizer on objects it must clean up after, and an owner
// reference for the garbage collector. It deletes nothing that lacks the label.

import type { KubeObject, ObjectRef, OwnerReference } from "../apis/kube/kube-object.ts";

export const markLabel = "mainstay.dev/made-by";
/** The uid of the object for which another was made: names are used again, uids are not. */
export const ownerUidAnnotation = "mainstay.dev/owner-uid";

export interface Mark {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** What a feature puts on everything it makes for `owner`. */
export function markFor(feature: string, owner: KubeObject): Mark {
  return { labels: { [markLabel]: feature }, annotations: { [ownerUidAnnotation]: owner.metadata.uid ?? "" } };
}

export function bearsMarkOf(feature: string, object: KubeObject): boolean {
  return object.metadata.labels?.[markLabel] === feature;
}

export function bearsMarkFor(feature: string, owner: KubeObject, object: KubeObject): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined && bearsMarkOf(feature, object) && object.metadata.annotations?.[ownerUidAnnotation] === uid;
}

/** One finalizer per feature, so that each feature cleans up for itself. */
export function finalizerOf(feature: string): string {
  return `mainstay.dev/${feature}`;
}

export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/** The garbage collector removes these by itself. */
const collectorsFinalizers = ["foregroundDeletion", "orphan"];

/** Finalizers of others, which they have to remove before the object can be deleted. */
export function foreignFinalizers({ metadata }: KubeObject): readonly string[] {
  const isOurs = (name: string) => name.startsWith(finalizerOf(""));
  return (metadata.finalizers ?? []).filter((name) => !isOurs(name) && !collectorsFinalizers.includes(name));
}

export function isBeingDeleted(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/**
 * For a dependant of `owner`. An owner in another namespace than its dependant is an error that Kubernetes answers by deleting the
 * dependant, so that pair has no owner reference.
 */
export function ownerReferenceTo(owner: KubeObject, dependant: ObjectRef): OwnerReference | undefined {
  const { name, namespace, uid } = owner.metadata;
  if (uid === undefined || (namespace !== undefined && namespace !== dependant.namespace)) return undefined;
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: true };
}
