// Clusters that somebody else has in hand for a while: paused, by their own object or by their Cluster alone; and moved to another
// management cluster, as `clusterctl move` does it.

import { type Cluster, clusters } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { formatRef, type KubeObject, refOf } from "../../../../apis/kube/kube-object.ts";
import { between, chance } from "../../../../sim/time/derive-seed.ts";
import { pausedAnnotation } from "../../apis/annotations.ts";
import { kindOf, resourceOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { type EndpointStage, keyOf, objectFor } from "../endpoint-stage.ts";
import { forgiving } from "../faults/forgiving.ts";

/** What `clusterctl move` takes along. */
export type Kept = Pick<KubeObject["metadata"], "annotations" | "finalizers">;

export class EndpointPauses {
  readonly #stage: EndpointStage;
  /** Makes the object of a cluster again. */
  readonly #make: (cluster: EndpointCluster, kept: Kept) => Promise<void>;

  constructor(stage: EndpointStage, make: (cluster: EndpointCluster, kept: Kept) => Promise<void>) {
    this.#stage = stage;
    this.#make = make;
  }

  async forAWhile(cluster: EndpointCluster): Promise<void> {
    const { world, moving } = this.#stage;
    if (moving.has(keyOf(cluster))) return;
    await (chance(world.random, 0.5) ? this.#pauseCluster(cluster, true) : this.#pauseObject(cluster, true));
    // A move ends its own pause.
    this.#later(1_000, 10_000, async () => void (moving.has(keyOf(cluster)) || (await this.end(cluster))));
  }

  async end(cluster: EndpointCluster): Promise<void> {
    await this.#pauseObject(cluster, false);
    await this.#pauseCluster(cluster, false);
  }

  /** Paused, taken away without its finalizers, made again with its annotations and an empty status, continued. */
  async move(cluster: EndpointCluster): Promise<void> {
    const { moving } = this.#stage;
    const found = objectFor(this.#stage, cluster);
    if (found === undefined || found.metadata.deletionTimestamp !== undefined || moving.has(keyOf(cluster))) return;
    moving.add(keyOf(cluster));
    await this.#pauseObject(cluster, true);
    await this.#pauseCluster(cluster, true);
    this.#later(1_000, 6_000, async () => {
      const kept = await this.#takeAway(cluster);
      this.#later(100, 3_000, async () => {
        if (kept !== undefined) await this.#make(cluster, kept);
        this.#later(500, 4_000, async () => {
          moving.delete(keyOf(cluster));
          await this.end(cluster);
        });
      });
    });
  }

  #later(lowMs: number, highMs: number, step: () => Promise<void>): void {
    const { random, network } = this.#stage.world;
    network.scheduler.after(between(random, lowMs, highMs), undefined, () => void step());
  }

  async #pauseObject(cluster: EndpointCluster, paused: boolean): Promise<void> {
    const found = objectFor(this.#stage, cluster);
    const isPaused = found?.metadata.annotations?.[pausedAnnotation] !== undefined;
    if (found === undefined || isPaused === paused) return;
    const body = { metadata: { annotations: { [pausedAnnotation]: paused ? "true" : null } } };
    await forgiving(this.#stage.world.kube.patch(kindOf(cluster.door), refOf(found), { type: "merge", body }));
  }

  async #pauseCluster({ namespace, name }: EndpointCluster, paused: boolean): Promise<void> {
    const { kube, view } = this.#stage.world;
    const ref = { namespace, name };
    const owner: Cluster | undefined = view.objectAt(resourceOf(clusters), formatRef(ref));
    if (owner === undefined || (owner.spec?.paused ?? false) === paused) return;
    await forgiving(kube.patch(clusters, ref, { type: "merge", body: { spec: { paused } } }));
  }

  async #takeAway(cluster: EndpointCluster): Promise<Kept | undefined> {
    const { kube } = this.#stage.world;
    const found = objectFor(this.#stage, cluster);
    if (found === undefined) return undefined;
    const { annotations = {}, finalizers = [] } = found.metadata;
    const kind = kindOf(cluster.door);
    const body = { metadata: { finalizers: null } };
    await forgiving(kube.patch(kind, refOf(found), { type: "merge", body }));
    await forgiving(kube.delete(kind, refOf(found)));
    return objectFor(this.#stage, cluster) === undefined ? { annotations, finalizers } : undefined;
  }
}
