// What people desire of each cluster now, and how they write it into the object that stands for it: made, changed, deleted with its machines
// first, and consent given where it takes some.

import { clusters } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { type KubeObject, refOf } from "../../../../apis/kube/kube-object.ts";
import { ignoreRefusal } from "../../../../sim/run/ignore-refusal.ts";
import {
  clusterDeletedAnnotation,
  locationAnnotation,
  publishDnsAnnotation,
  removeLegacyAnnotation,
  repairAnnotation,
} from "../../apis/annotations.ts";
import { ownerTag } from "../../core/model/ownership.ts";
import { isSpokenOn } from "../../core/model/port.ts";
import { blockOf, sameWithoutNulls } from "../endpoint-block.ts";
import { authoredKind, clusterObject, desiredPatch, endpointObject, kindOf, resourceOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { type EndpointSim, keyOf, objectFor, ownerIdOf } from "../endpoint-sim.ts";
import { apiPort, type DesiredEndpoint, firstDesired, nothingDesired } from "./desired-endpoint.ts";
import type { EndpointMachines } from "./endpoint-machines.ts";
import type { Kept } from "./endpoint-pauses.ts";
import type { EndpointSecrets } from "./endpoint-secrets.ts";

/** Half of those beside CAPO are deleted by their Cluster. */
function goesWithItsCluster({ door, index }: EndpointCluster): boolean {
  return door === "api-endpoint" && index === 1;
}

export class DesiredEndpoints {
  readonly desiredByCluster = new Map<EndpointCluster, DesiredEndpoint>();
  readonly #sim: EndpointSim;
  readonly #machines: EndpointMachines;
  readonly #secrets: EndpointSecrets;

  constructor(sim: EndpointSim, machines: EndpointMachines, secrets: EndpointSecrets) {
    this.#sim = sim;
    this.#machines = machines;
    this.#secrets = secrets;
    for (const cluster of sim.setting.clusters)
      this.desiredByCluster.set(cluster, firstDesired(sim.world.random, cluster));
  }

  async want(cluster: EndpointCluster, desired: DesiredEndpoint): Promise<void> {
    this.desiredByCluster.set(cluster, desired);
    await this.insistOn(cluster);
  }

  desiredOf(cluster: EndpointCluster): DesiredEndpoint {
    return this.desiredByCluster.get(cluster) ?? nothingDesired;
  }

  async insistOn(cluster: EndpointCluster): Promise<void> {
    const desired = this.desiredOf(cluster);
    const found = objectFor(this.#sim, cluster);
    if (this.#sim.moving.has(keyOf(cluster))) return;
    if (!desired.present) return await this.#unmake(cluster, found);
    if (found === undefined) return await this.make(cluster);
    // What is being deleted goes first, with its machines.
    if (found.metadata.deletionTimestamp !== undefined) return await this.#unmake(cluster, found);
    if (!this.#says(found, cluster, desired)) await this.#patch(cluster, desiredPatch(cluster, desired, this.#sim));
  }

  #says(found: KubeObject, cluster: EndpointCluster, desired: DesiredEndpoint): boolean {
    const { spec } = found as {
      readonly spec?: { readonly apiServerLoadBalancer?: unknown; readonly publishDNS?: boolean };
    };
    const publishes = spec?.publishDNS === true || found.metadata.annotations?.[publishDnsAnnotation] === "true";
    const block = blockOf(desired, cluster, this.#sim);
    return publishes === desired.publish && sameWithoutNulls(spec?.apiServerLoadBalancer, block);
  }

  async make(cluster: EndpointCluster, kept: Kept = {}): Promise<void> {
    const { world } = this.#sim;
    // Who makes it anew checks its credentials first.
    if (kept.annotations?.[locationAnnotation] === undefined) await this.#secrets.correct(cluster);
    const owner = world.view.objectAt(resourceOf(clusters), `${cluster.namespace}/${cluster.name}`);
    if (owner === undefined) return await ignoreRefusal(world.kube.create(clusters, clusterObject(cluster)));
    const object = endpointObject(cluster, { desired: this.desiredOf(cluster), sim: this.#sim, owner, kept });
    await ignoreRefusal(world.kube.create(authoredKind(cluster), object));
  }

  /** As Cluster API goes about it: machines first. */
  async #unmake(cluster: EndpointCluster, found: KubeObject | undefined): Promise<void> {
    if (cluster.door === "openstack-cluster") await this.#machines.deleteAll(cluster);
    if (goesWithItsCluster(cluster)) return await this.#unmakeCluster(cluster, found);
    if (found !== undefined && found.metadata.deletionTimestamp === undefined)
      await ignoreRefusal(this.#sim.world.kube.delete(kindOf(cluster.door), refOf(found)));
  }

  /** Deletes the Cluster alone: its APIEndpoint has to follow, once it has been claimed. */
  async #unmakeCluster(cluster: EndpointCluster, found: KubeObject | undefined): Promise<void> {
    const { world } = this.#sim;
    if (found === undefined) return;
    const owner = world.view.objectAt(resourceOf(clusters), `${cluster.namespace}/${cluster.name}`);
    if (owner !== undefined) return await ignoreRefusal(world.kube.delete(clusters, refOf(owner)));
    if (found.metadata.annotations?.[clusterDeletedAnnotation] === undefined)
      await this.#patch(cluster, { metadata: { annotations: { [clusterDeletedAnnotation]: "true" } } });
    const isOwned = (found.metadata.ownerReferences ?? []).some(({ kind }) => kind === "Cluster");
    if (!isOwned && found.metadata.deletionTimestamp === undefined)
      await ignoreRefusal(world.kube.delete(kindOf(cluster.door), refOf(found)));
  }

  async #patch(cluster: EndpointCluster, body: object): Promise<void> {
    const ref = { namespace: cluster.namespace, name: cluster.object };
    await ignoreRefusal(this.#sim.world.kube.patch(authoredKind(cluster), ref, { type: "merge", body }));
  }

  /** Somebody consents to the repair of what is broken, and to the removal of what is no longer wanted. */
  async agree(cluster: EndpointCluster): Promise<void> {
    const found = objectFor(this.#sim, cluster);
    const owner = ownerIdOf(found);
    if (owner === undefined || found?.metadata.annotations?.[repairAnnotation] !== undefined) return;
    const { loadbalancers, listeners, pools } = this.#sim.fake.cloud.tables;
    const ours = <T extends { readonly tags: readonly string[] }>(rows: readonly T[]) =>
      rows.filter(({ tags }) => tags.includes(ownerTag(owner)));
    const isBroken =
      ours([...loadbalancers.all(), ...listeners.all(), ...pools.all()]).some(
        ({ provisioningStatus }) => provisioningStatus === "ERROR",
      ) || ours(pools.all()).some((pool) => !isSpokenOn(pool, apiPort));
    // One in ERROR that nobody wants any more needs consent to go, too.
    const annotations = { [repairAnnotation]: "true", [removeLegacyAnnotation]: "true" };
    if (isBroken || !this.desiredOf(cluster).balancer) await this.#patch(cluster, { metadata: { annotations } });
  }
}
