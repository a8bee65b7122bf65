// What is wanted of each cluster now, and how people see to it that the object that stands for it says so: made, changed, deleted with its
// machines first, and consent given where it takes some.

import { clusters } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { type KubeObject, refOf } from "../../../../apis/kube/kube-object.ts";
import {
  locationAnnotation,
  publishDnsAnnotation,
  removeLegacyAnnotation,
  repairAnnotation,
} from "../../apis/annotations.ts";
import { ownerTag } from "../../core/model/ownership.ts";
import { blockOf, sameWish } from "../endpoint-block.ts";
import { authoredKind, clusterObject, endpointObject, kindOf, resourceOf, wishPatch } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { type EndpointStage, keyOf, objectFor, ownerIdOf } from "../endpoint-stage.ts";
import { forgiving } from "../faults/forgiving.ts";
import type { EndpointMachines } from "./endpoint-machines.ts";
import type { Kept } from "./endpoint-pauses.ts";
import type { EndpointSecrets } from "./endpoint-secrets.ts";
import { type EndpointWish, firstWish, nothingWanted } from "./endpoint-wish.ts";

export class EndpointOrders {
  readonly wishes = new Map<EndpointCluster, EndpointWish>();
  readonly #stage: EndpointStage;
  readonly #machines: EndpointMachines;
  readonly #secrets: EndpointSecrets;

  constructor(stage: EndpointStage, machines: EndpointMachines, secrets: EndpointSecrets) {
    this.#stage = stage;
    this.#machines = machines;
    this.#secrets = secrets;
    for (const cluster of stage.setting.clusters) this.wishes.set(cluster, firstWish(stage.world.random, cluster));
  }

  async want(cluster: EndpointCluster, wish: EndpointWish): Promise<void> {
    this.wishes.set(cluster, wish);
    await this.insistOn(cluster);
  }

  wishOf(cluster: EndpointCluster): EndpointWish {
    return this.wishes.get(cluster) ?? nothingWanted;
  }

  async insistOn(cluster: EndpointCluster): Promise<void> {
    const wish = this.wishOf(cluster);
    const found = objectFor(this.#stage, cluster);
    if (this.#stage.moving.has(keyOf(cluster))) return;
    if (!wish.present) return await this.#unmake(cluster, found);
    if (found === undefined) return await this.make(cluster);
    // What was asked to go goes first, with its machines.
    if (found.metadata.deletionTimestamp !== undefined) return await this.#unmake(cluster, found);
    if (!this.#says(found, cluster, wish)) await this.#patch(cluster, wishPatch(cluster, wish, this.#stage));
  }

  #says(found: KubeObject, cluster: EndpointCluster, wish: EndpointWish): boolean {
    const { spec } = found as {
      readonly spec?: { readonly apiServerLoadBalancer?: unknown; readonly publishDNS?: boolean };
    };
    const publishes = spec?.publishDNS === true || found.metadata.annotations?.[publishDnsAnnotation] === "true";
    const block = blockOf(wish, cluster, this.#stage);
    return publishes === wish.publish && sameWish(spec?.apiServerLoadBalancer, block);
  }

  async make(cluster: EndpointCluster, kept: Kept = {}): Promise<void> {
    const { world } = this.#stage;
    // Who makes it anew looks at its credentials first.
    if (kept.annotations?.[locationAnnotation] === undefined) await this.#secrets.correct(cluster);
    const owner = world.view.objectAt(resourceOf(clusters), `${cluster.namespace}/${cluster.name}`);
    if (owner === undefined) return await forgiving(world.kube.create(clusters, clusterObject(cluster)));
    const object = endpointObject(cluster, { wish: this.wishOf(cluster), stage: this.#stage, owner, kept });
    await forgiving(world.kube.create(authoredKind(cluster), object));
  }

  /** As Cluster API goes about it: machines first. */
  async #unmake(cluster: EndpointCluster, found: KubeObject | undefined): Promise<void> {
    if (cluster.door === "openstack-cluster") await this.#machines.deleteAll(cluster);
    if (found !== undefined && found.metadata.deletionTimestamp === undefined)
      await forgiving(this.#stage.world.kube.delete(kindOf(cluster.door), refOf(found)));
  }

  async #patch(cluster: EndpointCluster, body: object): Promise<void> {
    const ref = { namespace: cluster.namespace, name: cluster.object };
    await forgiving(this.#stage.world.kube.patch(authoredKind(cluster), ref, { type: "merge", body }));
  }

  /** Somebody looks at what is broken, or no longer wanted, and says: yes, rebuild it; yes, it may go. */
  async agree(cluster: EndpointCluster): Promise<void> {
    const found = objectFor(this.#stage, cluster);
    const owner = ownerIdOf(found);
    if (owner === undefined || found?.metadata.annotations?.[repairAnnotation] !== undefined) return;
    const { loadbalancers, listeners, pools } = this.#stage.fake.cloud.tables;
    const ours = <T extends { readonly tags: readonly string[] }>(rows: readonly T[]) =>
      rows.filter(({ tags }) => tags.includes(ownerTag(owner)));
    const isBroken =
      ours([...loadbalancers.all(), ...listeners.all(), ...pools.all()]).some(
        ({ provisioningStatus }) => provisioningStatus === "ERROR",
      ) || ours(pools.all()).some(({ protocol }) => protocol !== "TCP");
    // One in ERROR that nobody wants any more needs consent to go, too.
    const annotations = { [repairAnnotation]: "true", [removeLegacyAnnotation]: "true" };
    if (isBroken || !this.wishOf(cluster).balancer) await this.#patch(cluster, { metadata: { annotations } });
  }
}
