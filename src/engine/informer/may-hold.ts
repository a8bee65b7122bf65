// Whether a selection could ever pass an object, and whether it always does, judged by what never changes about it: its name and its
// namespace. Labels may come and go, and so may the values of other fields: about those nothing is claimed.

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
