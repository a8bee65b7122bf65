// Which objects of a door stand for a Cluster API cluster: a Machine names its cluster, not the object behind it. Learnt from the
// objects themselves as they come; one that comes later wakes its own key then.

import { clusterNameLabel } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { formatRef, type KubeObject, type ObjectRef, refOf } from "../../../apis/kube/kube-object.ts";

export class ClusterKeys {
  readonly #keys = new Map<string, Map<string, ObjectRef>>();
  readonly #clusterOfKey = new Map<string, string>();

  /** The object's own key. */
  learn(object: KubeObject, cluster: ObjectRef | undefined): readonly ObjectRef[] {
    const ref = refOf(object);
    this.forget(ref);
    if (cluster !== undefined) {
      const name = formatRef(cluster);
      this.#clusterOfKey.set(formatRef(ref), name);
      this.#keys.set(name, (this.#keys.get(name) ?? new Map<string, ObjectRef>()).set(formatRef(ref), ref));
    }
    return [ref];
  }

  /** For a Cluster. */
  ofCluster(cluster: KubeObject): readonly ObjectRef[] {
    return this.ofRef(refOf(cluster));
  }

  ofRef(cluster: ObjectRef | undefined): readonly ObjectRef[] {
    return cluster === undefined ? [] : [...(this.#keys.get(formatRef(cluster))?.values() ?? [])];
  }

  /** For anything that bears its cluster's name as a label. */
  ofMember({ metadata }: KubeObject): readonly ObjectRef[] {
    const name = metadata.labels?.[clusterNameLabel];
    return name === undefined ? [] : this.ofRef({ name, namespace: metadata.namespace ?? "" });
  }

  forget(ref: ObjectRef): void {
    const cluster = this.#clusterOfKey.get(formatRef(ref));
    if (cluster === undefined) return;
    this.#clusterOfKey.delete(formatRef(ref));
    const keys = this.#keys.get(cluster);
    keys?.delete(formatRef(ref));
    if (keys?.size === 0) this.#keys.delete(cluster);
  }
}
