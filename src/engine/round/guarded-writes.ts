// Writes that do no harm when they arrive late or twice: each holds only for the state of the object it was planned on. Executors use these.

import type { Kind, KubeObject } from "../../apis/kube/kube-object.ts";
import { refOf } from "../../apis/kube/kube-object.ts";
import { isRecord } from "../../apis/text/problem.ts";
import { invariant } from "../../core/errors.ts";
import { hasFinalizer } from "../../core/ownership.ts";
import type { DeleteOptions, Kube, Patch } from "../../ports/kube.ts";

/** Preconditions of a delete: this object, not a later one of the same name; with `exact`, not even a changed one. */
export function onlyThis(object: KubeObject, { exact = false } = {}): Pick<DeleteOptions, "uid" | "resourceVersion"> {
  const { uid, resourceVersion } = object.metadata;
  invariant(uid !== undefined && uid !== "", `${object.kind} ${object.metadata.name} has no uid to delete it by`);
  return exact && resourceVersion !== undefined ? { uid, resourceVersion } : { uid };
}

/** A merge patch that meets a Conflict when the object is no longer the one that was observed. */
export function guardedBy(object: KubeObject, body: Readonly<Record<string, unknown>>): Patch {
  const { resourceVersion } = object.metadata;
  invariant(
    resourceVersion !== undefined,
    `${object.kind} ${object.metadata.name} has no resource version to guard a patch with`,
  );
  const metadata = isRecord(body["metadata"]) ? body["metadata"] : {};
  return { type: "merge", body: { ...body, metadata: { ...metadata, resourceVersion } } };
}

/** Answers with the object as it is afterwards; no call when the finalizer is there. */
export async function addFinalizer<T extends KubeObject>(
  kube: Kube,
  kind: Kind<T>,
  object: T,
  finalizer: string,
): Promise<T> {
  if (hasFinalizer(object, finalizer)) return object;
  return await writeFinalizers(kube, kind, object, [...(object.metadata.finalizers ?? []), finalizer]);
}

/** The last thing to do for an object that is being deleted: afterwards it may be gone. */
export async function removeFinalizer<T extends KubeObject>(
  kube: Kube,
  kind: Kind<T>,
  object: T,
  finalizer: string,
): Promise<void> {
  if (!hasFinalizer(object, finalizer)) return;
  const others = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
  await writeFinalizers(kube, kind, object, others);
}

/** A merge patch replaces the whole list; the resource version in it keeps other owners' entries from being lost. */
function writeFinalizers<T extends KubeObject>(
  kube: Kube,
  kind: Kind<T>,
  object: T,
  finalizers: readonly string[],
): Promise<T> {
  return kube.patch(kind, refOf(object), guardedBy(object, { metadata: { finalizers } }));
}
