// Which objects this manager manages, as selections that the API server applies: Cluster API's watch-filter label and a namespace.

import type { Kind } from "../../apis/kube/kube-object.ts";
import { present } from "../../core/present.ts";
import type { Selection } from "../../ports/kube.ts";

export const watchFilterLabel = "cluster.x-k8s.io/watch-filter";

export interface WatchScope {
  /** Only objects that bear the label with this value. Absent: all of them. */
  readonly watchFilter?: string;
  /** Only objects in this namespace, and cluster-scoped ones. Absent: all of them. */
  readonly namespace?: string;
}

export interface KindScope {
  /** False for kinds that nobody labels for a manager, such as Nodes, or the Secrets an object refers to. */
  readonly labelled: boolean;
  readonly namespace?: string;
  readonly fieldSelector?: string;
}

/** A kind's own namespace is where its objects have to be: it wins over the manager's. */
export function selectionFor(kind: Kind, scope: WatchScope, own: KindScope): Selection {
  const namespace = kind.namespaced ? (own.namespace ?? scope.namespace) : undefined;
  const labelSelector =
    own.labelled && scope.watchFilter !== undefined ? `${watchFilterLabel}=${scope.watchFilter}` : undefined;
  return {
    ...present({ namespace, labelSelector }),
    ...(own.fieldSelector === undefined ? {} : { fieldSelector: own.fieldSelector }),
  };
}
