// What `clusterctl move` does to the objects of the cluster that it leaves, call by call (cmd/clusterctl/client/cluster/mover.go): a JSON
// patch that replaces all annotations by its own, then the finalizers, then the deletion. Other tools may add the annotation alone.

import type { Kind, KubeObject, ObjectRef } from "../../../src/apis/kube/kube-object.ts";
import { isKubeError } from "../../../src/core/kube-error.ts";
import { deleteForMoveAnnotation } from "../../../src/jobs/api-endpoint/apis/annotations.ts";
import type { Kube } from "../../../src/ports/kube.ts";

export type AsWhom = "clusterctl" | "another tool";

type Step = (kube: Kube, kind: Kind, ref: ObjectRef) => Promise<unknown>;

const marks: Readonly<Record<AsWhom, Step>> = {
  clusterctl: (kube, kind, ref) =>
    kube.patch(kind, ref, {
      type: "json",
      body: [{ op: "add", path: "/metadata/annotations", value: { [deleteForMoveAnnotation]: "" } }],
    }),
  "another tool": (kube, kind, ref) =>
    kube.patch(kind, ref, {
      type: "merge",
      body: { metadata: { annotations: { [deleteForMoveAnnotation]: "" } } },
    }),
};

const withoutFinalizers: Step = (kube, kind, ref) =>
  kube.patch(kind, ref, { type: "merge", body: { metadata: { finalizers: [] } } });
const deletion: Step = (kube, kind, ref) => kube.delete(kind, ref);

/** Another tool leaves finalizers to those whose they are. */
export function stepsOf(asWhom: AsWhom): readonly Step[] {
  return asWhom === "clusterctl" ? [marks[asWhom], withoutFinalizers, deletion] : [marks[asWhom], deletion];
}

/** What the other management cluster gets: all but uid, status and bookkeeping. */
export function asMoved(object: KubeObject, uids: ReadonlyMap<string, string>): KubeObject {
  const { metadata, status: _, ...rest } = object as KubeObject & { readonly status?: unknown };
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = metadata;
  const owners = ownerReferences?.map((owner) => ({ ...owner, uid: uids.get(owner.uid) ?? owner.uid }));
  const kept = { name, namespace, labels, annotations, finalizers, ownerReferences: owners };
  const given = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  return { ...rest, metadata: { ...given, name } };
}

export async function unlessGone(step: Promise<unknown>): Promise<void> {
  try {
    await step;
  } catch (error) {
    if (!isKubeError(error, "NotFound")) throw error;
  }
}
