// Namespaces in which objects of a kind are or were: whoever may see one of them keeps their view when its last object goes.

import { type Kind, resourceName } from "../apis/kube/kube-object.ts";
import type { Insight } from "../ports/insight.ts";

const seen = new WeakMap<Insight, Map<string, Set<string>>>();

export function knownNamespaces(insight: Insight, kind: Kind): ReadonlySet<string> {
  const kinds = seen.get(insight) ?? new Map<string, Set<string>>();
  const namespaces = kinds.get(resourceName(kind)) ?? new Set<string>();
  for (const { metadata } of insight.objectsOf(kind)) namespaces.add(metadata.namespace ?? "");
  seen.set(insight, kinds.set(resourceName(kind), namespaces));
  return namespaces;
}
