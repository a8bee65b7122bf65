// Clusters that are not to be touched for a while: paused, by their own object or by their Cluster alone; and moved to another
// management cluster, as `clusterctl move` does it.

import { type Cluster, clusters } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { formatRef, type KubeObject, refOf } from "../../../../apis/kube/kube-object.ts";
import { ignoreRefusal } from "../../../../sim/run/ignore-refusal.ts";
import { chance } from "../../../../sim/time/derive-seed.ts";
import { deleteForMoveAnnotation, pausedAnnotation } from "../../apis/annotations.ts";
import { kindOf, resourceOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { type EndpointSim, keyOf, objectFor } from "../endpoint-sim.ts";
import { later } from "./later.ts";

/** What `clusterctl move` takes along. */
export type Kept = Pick<KubeObject["metadata"], "annotations" | "finalizers">;

export class EndpointPauses {
  readonly #sim: EndpointSim;
  /** Makes the object of a cluster again. */
  readonly #make: (cluster: EndpointCluster, kept: Kept) => Promise<void>;

  constructor(sim: EndpointSim, make: (cluster: EndpointCluster, kept: Kept) => Promise<void>) {
    this.#sim = sim;
    this.#make = make;
  }

  async forAWhile(cluster: EndpointCluster): Promise<void> {
    const { world, moving } = this.#sim;
    if (moving.has(keyOf(cluster))) return;
    await (chance(world.random, 0.5) ? this.#pauseCluster(cluster, true) : this.#pauseObject(cluster, true));
    // A move ends its own pause.
    later(this.#sim, 1_000, 10_000, async () => void (moving.has(keyOf(cluster)) || (await this.end(cluster))));
  }

  async end(cluster: EndpointCluster): Promise<void> {
    await this.#pauseObject(cluster, false);
    await this.#pauseCluster(cluster, false);
  }

  /** Paused, taken away without its finalizers, made again with its annotations and an empty status, continued. */
  async move(cluster: EndpointCluster): Promise<void> {
    const { moving } = this.#sim;
    const found = objectFor(this.#sim, cluster);
    if (found === undefined || found.metadata.deletionTimestamp !== undefined || moving.has(keyOf(cluster))) return;
    moving.add(keyOf(cluster));
    await this.#pauseObject(cluster, true);
    await this.#pauseCluster(cluster, true);
    later(this.#sim, 1_000, 6_000, async () => {
      const kept = await this.#takeAway(cluster);
      later(this.#sim, 100, 3_000, async () => {
        if (kept !== undefined) await this.#make(cluster, kept);
        later(this.#sim, 500, 4_000, async () => {
          moving.delete(keyOf(cluster));
          await this.end(cluster);
        });
      });
    });
  }

  async #pauseObject(cluster: EndpointCluster, paused: boolean): Promise<void> {
    const found = objectFor(this.#sim, cluster);
    const isPaused = found?.metadata.annotations?.[pausedAnnotation] !== undefined;
    if (found === undefined || isPaused === paused) return;
    const body = { metadata: { annotations: { [pausedAnnotation]: paused ? "true" : null } } };
    await ignoreRefusal(this.#sim.world.kube.patch(kindOf(cluster.door), refOf(found), { type: "merge", body }));
  }

  async #pauseCluster({ namespace, name }: EndpointCluster, paused: boolean): Promise<void> {
    const { kube, view } = this.#sim.world;
    const ref = { namespace, name };
    const owner: Cluster | undefined = view.objectAt(resourceOf(clusters), formatRef(ref));
    if (owner === undefined || (owner.spec?.paused ?? false) === paused) return;
    await ignoreRefusal(kube.patch(clusters, ref, { type: "merge", body: { spec: { paused } } }));
  }

  async #takeAway(cluster: EndpointCluster): Promise<Kept | undefined> {
    const { kube } = this.#sim.world;
    const found = objectFor(this.#sim, cluster);
    if (found === undefined) return undefined;
    const { annotations = {}, finalizers = [] } = found.metadata;
    const kind = kindOf(cluster.door);
    // As clusterctl does it: its annotation takes the place of all others.
    const mark = { op: "add", path: "/metadata/annotations", value: { [deleteForMoveAnnotation]: "" } } as const;
    await ignoreRefusal(kube.patch(kind, refOf(found), { type: "json", body: [mark] }));
    await ignoreRefusal(kube.patch(kind, refOf(found), { type: "merge", body: { metadata: { finalizers: [] } } }));
    await ignoreRefusal(kube.delete(kind, refOf(found)));
    return objectFor(this.#sim, cluster) === undefined ? { annotations, finalizers } : undefined;
  }
}
