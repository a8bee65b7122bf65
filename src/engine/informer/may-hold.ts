// Whether a selection can ever include an object of a name, and whether it always does. Only name and namespace count, which never
// change; labels and other fields may change, so that they decide nothing.

import type { Kind, ObjectRef } from "../../apis/kube/kube-object.ts";
import type { Selection } from "../../ports/kube.ts";

const nameTerm = /^metadata\.(name|namespace)==?([^=!\\]+)$/;

export function mayHold(kind: Kind, { namespace, fieldSelector = "" }: Selection, ref: ObjectRef): boolean {
  if (kind.namespaced && namespace !== undefined && namespace !== ref.namespace) return false;
  return fieldSelector.split(",").every((term) => {
    const [, field, value] = nameTerm.exec(term.trim()) ?? [];
    return field === undefined || value === (field === "name" ? ref.name : ref.namespace);
  });
}

/** As long as the object is there. */
export function mustHold(kind: Kind, selection: Selection, ref: ObjectRef): boolean {
  const { labelSelector = "", fieldSelector = "" } = selection;
  const byNameOnly = fieldSelector === "" || fieldSelector.split(",").every((term) => nameTerm.test(term.trim()));
  return labelSelector === "" && byNameOnly && mayHold(kind, selection, ref);
}
