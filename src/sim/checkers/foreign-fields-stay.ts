// What others put on an object stays on it when we write: their finalizers, labels, annotations and owners.

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { keyOfPath } from "../network/kube-path.ts";
import { describeCall } from "../network/port-call.ts";
import type { Checker } from "./checker.ts";

export const foreignFieldsStay: Checker = {
  name: "foreign-fields-stay",
  promise: "a finalizer, label, annotation or owner that somebody else put on an object is never taken away by us",
  watch: (view, broken) =>
    view.on("arrived", ({ call, status, before }) => {
      const path = call.inCluster;
      if (before === undefined || path === undefined || !call.write || status >= 300) return;
      if (call.verb === "DELETE" || call.purpose === "lease" || call.purpose === "event") return;
      const after = view.objectAt(path.resource, keyOfPath(path));
      // Without its last finalizer an object goes: then it is gone because of us.
      const successor = after !== undefined && after.metadata.uid !== before.metadata.uid;
      if (successor || (after === undefined && !isHeldByOthers(before))) return;
      const left = new Set(theirs(after));
      const lost = theirs(before).find((field) => !left.has(field));
      if (lost !== undefined) broken(`${call.process.name}: ${describeCall(call)} took away or changed ${lost}`);
    }),
};

function theirs(object: KubeObject | undefined): readonly string[] {
  if (object === undefined) return [];
  const { finalizers = [], labels = {}, annotations = {}, ownerReferences = [] } = object.metadata;
  return [
    ...finalizers.filter(isForeign).map((name) => `finalizer ${name}`),
    ...Object.entries(labels).flatMap(([name, value]) => (isForeign(name) ? [`label ${name}=${value}`] : [])),
    ...Object.entries(annotations).flatMap(([name, value]) => (isForeign(name) ? [`annotation ${name}=${value}`] : [])),
    ...ownerReferences.map(({ uid }) => `owner ${uid}`),
  ];
}

function isHeldByOthers({ metadata: { finalizers = [] } }: KubeObject): boolean {
  return finalizers.some(isForeign);
}

function isForeign(name: string): boolean {
  return !/(^|\.)mainstay\.dev\//.test(name);
}
