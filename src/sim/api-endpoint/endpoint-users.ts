// What people do with clusters: want them, want them otherwise, pause and move them, let machines come and go. What they want in the end
// is remembered, and insisted on: machines in every zone, nothing paused, and consent where it takes some.

import {
  ownerIdAnnotation,
  publishDnsAnnotation,
  removeLegacyAnnotation,
  repairAnnotation,
} from "../../apis/api-endpoint-annotations.ts";
import { namespaces, secrets } from "../../apis/builtin-kinds.ts";
import { clusters } from "../../apis/cluster-api-kinds.ts";
import { type KubeObject, refOf } from "../../apis/kube-object.ts";
import { openStackClusters } from "../../apis/openstack-cluster.ts";
import { ownerTag } from "../../core/api-endpoint/ownership.ts";
import { pick } from "../derive-seed.ts";
import { blockOf, sameWish } from "./endpoint-block.ts";
import { EndpointMachines } from "./endpoint-machines.ts";
import {
  authoredKind,
  capoObject,
  cloudsYaml,
  clusterObject,
  endpointObject,
  kindOf,
  resourceOf,
  secretOf,
  wishPatch,
} from "./endpoint-objects.ts";
import { EndpointPauses, type Kept } from "./endpoint-pauses.ts";
import type { EndpointCluster } from "./endpoint-setting.ts";
import { type EndpointStage, keyOf, objectFor, ownerIdOf } from "./endpoint-stage.ts";
import { type EndpointWish, firstWish, nextWish, nothingWanted } from "./endpoint-wish.ts";
import { setAsideFloatingIp } from "./floating-ip-hands.ts";
import { forgiving } from "./forgiving.ts";
import { plantLegacy } from "./plant.ts";

export class EndpointUsers {
  readonly wishes = new Map<EndpointCluster, EndpointWish>();
  readonly #stage: EndpointStage;
  readonly #machines: EndpointMachines;
  readonly #pauses: EndpointPauses;

  constructor(stage: EndpointStage) {
    this.#stage = stage;
    this.#machines = new EndpointMachines(stage);
    this.#pauses = new EndpointPauses(stage, (cluster, kept) => this.#make(cluster, kept));
    for (const cluster of stage.setting.clusters) this.wishes.set(cluster, firstWish(stage.world.random, cluster));
  }

  async begin(): Promise<void> {
    const { world, lab, password, setting } = this.#stage;
    const { kube } = world;
    for (const cluster of setting.clusters) {
      const { namespace } = cluster;
      await kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
      await kube.create(secrets, secretOf(namespace, cloudsYaml(lab, password)));
      await kube.create(clusters, clusterObject(cluster));
      if (cluster.gate) await kube.create(openStackClusters, capoObject(cluster));
      await this.#machines.makeAll(cluster);
      await this.#make(cluster, await this.#prepare(cluster));
      if (cluster.legacy) await this.#inherit(cluster);
    }
  }

  /** Some publish an address first, and choose the owner id by which it is set aside. */
  async #prepare({ byFilter, floatingIps, index }: EndpointCluster): Promise<Kept> {
    if (!byFilter || !floatingIps) return {};
    const ownerId = `chosen-${index}`;
    await setAsideFloatingIp(this.#stage, ownerId, "az1");
    return { annotations: { [ownerIdAnnotation]: ownerId } };
  }

  async act(): Promise<void> {
    const { random } = this.#stage.world;
    const cluster = pick(random, this.#stage.setting.clusters);
    if (cluster === undefined) return;
    const choice = random.next();
    if (choice < 0.32) return this.#isLeaving(cluster) ? undefined : await this.#machines.comeOrGo(cluster);
    if (choice < 0.4) return await this.#pauses.move(cluster);
    if (choice < 0.47) return await this.#pauses.forAWhile(cluster);
    this.wishes.set(cluster, nextWish(random, cluster, this.#wishOf(cluster)));
    await this.#insistOn(cluster);
  }

  async insist(): Promise<void> {
    await this.#machines.finish();
    for (const cluster of this.#stage.setting.clusters) {
      await this.#insistOn(cluster);
      if (!this.#stage.moving.has(keyOf(cluster))) await this.#pauses.end(cluster);
      if (!this.#wishOf(cluster).present || this.#isLeaving(cluster)) continue;
      await this.#machines.makeAll(cluster);
      await this.#agree(cluster);
    }
  }

  #wishOf(cluster: EndpointCluster): EndpointWish {
    return this.wishes.get(cluster) ?? nothingWanted;
  }

  #isLeaving(cluster: EndpointCluster): boolean {
    return objectFor(this.#stage, cluster)?.metadata.deletionTimestamp !== undefined;
  }

  async #insistOn(cluster: EndpointCluster): Promise<void> {
    const wish = this.#wishOf(cluster);
    const found = objectFor(this.#stage, cluster);
    if (this.#stage.moving.has(keyOf(cluster))) return;
    if (!wish.present) return await this.#unmake(cluster, found);
    if (found === undefined) return await this.#make(cluster);
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

  async #make(cluster: EndpointCluster, kept: Kept = {}): Promise<void> {
    const { world } = this.#stage;
    const owner = world.view.objectAt(resourceOf(clusters), `${cluster.namespace}/${cluster.name}`);
    if (owner === undefined) return await forgiving(world.kube.create(clusters, clusterObject(cluster)));
    const object = endpointObject(cluster, { wish: this.#wishOf(cluster), stage: this.#stage, owner, kept });
    await forgiving(world.kube.create(authoredKind(cluster), object));
  }

  /** CAPO's balancer, and, where we take over, the status by which CAPO remembered it. */
  async #inherit(cluster: EndpointCluster): Promise<void> {
    const { id, name, vipAddress, floatingAddress } = await plantLegacy(this.#stage, cluster);
    if (cluster.door === "api-endpoint") return;
    const apiServerLoadBalancer = { id, name, ip: floatingAddress ?? vipAddress, internalIP: vipAddress };
    const body = { status: { ready: true, apiServerLoadBalancer } };
    const ref = { namespace: cluster.namespace, name: cluster.object };
    await this.#stage.world.kube.patch(kindOf(cluster.door), ref, { type: "merge", body }, { subresource: "status" });
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
  async #agree(cluster: EndpointCluster): Promise<void> {
    const found = objectFor(this.#stage, cluster);
    const owner = ownerIdOf(found);
    if (owner === undefined || found?.metadata.annotations?.[repairAnnotation] !== undefined) return;
    const { loadbalancers, listeners, pools } = this.#stage.fake.cloud.tables;
    const isBroken = [...loadbalancers.all(), ...listeners.all(), ...pools.all()].some(
      ({ tags, provisioningStatus }) => provisioningStatus === "ERROR" && tags.includes(ownerTag(owner)),
    );
    // One in ERROR that nobody wants any more needs consent to go, too.
    const annotations = { [repairAnnotation]: "true", [removeLegacyAnnotation]: "true" };
    if (isBroken || !this.#wishOf(cluster).balancer) await this.#patch(cluster, { metadata: { annotations } });
  }
}
