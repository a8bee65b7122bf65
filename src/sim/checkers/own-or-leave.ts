// Own or leave: what is changed or deleted, of whatever kind, in the cluster or outside, bears the mark of the very one on whose behalf it
// is done. The one exception is the object of the round itself, which may be changed, never deleted. A job that by its contract
// changes what belongs to others (a Service's status, say) declares it (`writesByContract`).

import { formatRef, type KubeObject, type ObjectRef, refOf } from "../../apis/kube/kube-object.ts";
import { markLabel, ownerUidAnnotation } from "../../core/ownership.ts";
import { keyOfPath } from "../network/kube-path.ts";
import { describeCall, type PortCall } from "../network/port-call.ts";
import type { Checker, WorldView } from "./checker.ts";

export const ownOrLeave: Checker = {
  name: "own-or-leave",
  promise:
    "nothing is changed or deleted, in the cluster or outside, but what bears the mark of the one it is done for",
  watch: (view, broken) =>
    view.on("arrived", ({ call, status, before, markBefore }) => {
      if (!call.write || status >= 300 || call.purpose === "lease") return;
      const inCluster =
        before === undefined || !isTouched(view, call, before) ? undefined : whyForeign(view, call, before);
      const why = markBefore === undefined ? inCluster : whyForeignOutside(call, markBefore);
      if (why !== undefined) broken(`${call.process.name}: ${describeCall(call)} of what ${why}`);
    }),
};

function isTouched(view: WorldView, call: PortCall, before: KubeObject): boolean {
  const path = call.inCluster;
  const after = path === undefined ? undefined : view.objectAt(path.resource, keyOfPath(path));
  return after?.metadata.resourceVersion !== before.metadata.resourceVersion;
}

function whyForeign({ writesByContract }: WorldView, call: PortCall, before: KubeObject): string | undefined {
  const { actor, purpose, verb } = call;
  if (purpose === "event") return isOurEvent(before) ? undefined : "others reported";
  if (actor === undefined) return "belongs to nobody's round";
  if (writesByContract.has(purpose)) return undefined;
  const { uid, labels, annotations } = before.metadata;
  const isSubject = call.inCluster?.resource === actor.root && sameName(actor.key, before);
  if (isSubject && uid === actor.uid) return verb === "DELETE" ? "it was asked to look after" : undefined;
  const mark = labels?.[markLabel];
  if (mark === undefined) return "bears no mark";
  if (mark !== actor.feature) return `bears the mark of ${mark}`;
  const owner = annotations?.[ownerUidAnnotation];
  // A mark without an owner counts for an object of the same name alone: a report on its subject.
  if (owner === undefined) return sameName(actor.key, before) ? undefined : "bears a mark that names no owner";
  return owner === actor.uid ? undefined : "was made for somebody else";
}

function whyForeignOutside({ actor }: PortCall, mark: string): string | undefined {
  if (mark === "") return "bears no mark";
  return mark === actor?.uid ? undefined : "was made for somebody else";
}

function sameName(key: ObjectRef, object: KubeObject): boolean {
  return formatRef(key) === formatRef(refOf(object));
}

function isOurEvent(event: KubeObject): boolean {
  const { reportingComponent } = event as { readonly reportingComponent?: unknown };
  return typeof reportingComponent === "string" && reportingComponent.startsWith("mainstay.dev/");
}
