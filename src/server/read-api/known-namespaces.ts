// Namespaces that have or had objects of a kind: a viewer who may list one of them keeps that right here when its last object is deleted.

import { type Kind, resourceName } from "../../apis/kube/kube-object.ts";
import type { Insight } from "../../ports/insight.ts";

const known = new WeakMap<Insight, Map<string, Set<string>>>();

export function knownNamespaces(insight: Insight, kind: Kind): ReadonlySet<string> {
  const kinds = known.get(insight) ?? new Map<string, Set<string>>();
  const namespaces = kinds.get(resourceName(kind)) ?? new Set<string>();
  for (const { metadata } of insight.objectsOf(kind)) namespaces.add(metadata.namespace ?? "");
  known.set(insight, kinds.set(resourceName(kind), namespaces));
  return namespaces;
}
