// What people do with clusters: want them, want them otherwise, pause and move them, let machines come and go. What they want in the end
// is remembered, and insisted on: machines in every zone, nothing paused, and consent where it takes some.

import { clusters } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { namespaces } from "../../../../apis/kube/builtin-kinds.ts";
import { between, chance, pick } from "../../../../sim/time/derive-seed.ts";
import { ownerIdAnnotation } from "../../apis/annotations.ts";
import { openStackClusters } from "../../apis/openstack-cluster/openstack-cluster.ts";
import { capoObject, clusterObject, kindOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { type EndpointStage, keyOf, objectFor } from "../endpoint-stage.ts";
import { setAsideFloatingIp } from "../faults/floating-ip-hands.ts";
import { plantLegacy } from "../faults/plant.ts";
import { EndpointDetours } from "./endpoint-detours.ts";
import { EndpointMachines } from "./endpoint-machines.ts";
import { EndpointOrders } from "./endpoint-orders.ts";
import { EndpointPauses, type Kept } from "./endpoint-pauses.ts";
import { EndpointSecrets } from "./endpoint-secrets.ts";
import { type EndpointWish, isZonal, moreWanted, nextWish } from "./endpoint-wish.ts";

export class EndpointUsers {
  readonly #stage: EndpointStage;
  readonly #changedAtLast = new Set<EndpointCluster>();
  readonly #machines: EndpointMachines;
  readonly #orders: EndpointOrders;
  readonly #detours: EndpointDetours;
  readonly #secrets: EndpointSecrets;
  readonly #pauses: EndpointPauses;

  constructor(stage: EndpointStage) {
    this.#stage = stage;
    this.#machines = new EndpointMachines(stage);
    this.#secrets = new EndpointSecrets(stage);
    this.#orders = new EndpointOrders(stage, this.#machines, this.#secrets);
    this.#detours = new EndpointDetours(stage, this.#machines, this.#orders);
    this.#pauses = new EndpointPauses(stage, (cluster, kept) => this.#orders.make(cluster, kept));
  }

  get wishes(): ReadonlyMap<EndpointCluster, EndpointWish> {
    return this.#orders.wishes;
  }

  async begin(): Promise<void> {
    const { world, setting } = this.#stage;
    const { kube } = world;
    for (const cluster of setting.clusters) {
      const { namespace } = cluster;
      await kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
      await this.#secrets.make(cluster);
      await kube.create(clusters, clusterObject(cluster));
      if (cluster.gate) await kube.create(openStackClusters, capoObject(cluster));
      await this.#machines.makeAll(cluster);
      await this.#orders.make(cluster, await this.#prepare(cluster));
      if (cluster.legacy) await this.#inherit(cluster);
      this.#regret(cluster);
    }
  }

  /** Some find out within seconds that they wanted something else; more of them where nothing comes. */
  #regret(cluster: EndpointCluster): void {
    const { world, mood } = this.#stage;
    const { random, network } = world;
    if (!chance(random, mood === "makes-late" ? 0.5 : 0.15)) return;
    network.scheduler.after(between(random, 1_000, 12_000), undefined, () => void this.#giveUp(cluster));
  }

  async #giveUp(cluster: EndpointCluster): Promise<void> {
    await this.#orders.want(cluster, { ...this.#orders.wishOf(cluster), present: false });
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
    if (choice < 0.16) return this.#isLeaving(cluster) ? undefined : await this.#machines.comeOrGo(cluster);
    if (choice < 0.26) return this.#isLeaving(cluster) ? undefined : await this.#detours.replaceMachine(cluster);
    if (choice < 0.4) return await this.#detours.openForAWhile(cluster);
    if (choice < 0.45) return await this.#pauses.move(cluster);
    if (choice < 0.5) return await this.#pauses.forAWhile(cluster);
    if (choice < 0.58) return await this.#secrets.mistake(cluster, () => this.#giveUp(cluster));
    const wish = this.#orders.wishOf(cluster);
    // What does not come up is given up by some.
    const isGivenUp = wish.present && !this.#isProvisioned(cluster) && chance(random, 0.25);
    await (isGivenUp ? this.#giveUp(cluster) : this.#orders.want(cluster, nextWish(random, cluster, wish)));
  }

  /** Faults have ended, one zone is dark, and people go on: they want every zone now, or another port. */
  async goOnInTheDark(): Promise<void> {
    const { random } = this.#stage.world;
    for (const cluster of this.#stage.setting.clusters) {
      const wish = this.#orders.wishOf(cluster);
      if (isZonal(wish) && this.#isFirst(cluster)) await this.#orders.want(cluster, moreWanted(random, wish));
    }
  }

  /** Everything is as wanted, and machines are replaced once more. */
  async rollOnce(): Promise<void> {
    for (const cluster of this.#stage.setting.clusters)
      if (isZonal(this.#orders.wishOf(cluster)) && this.#isFirst(cluster)) await this.#detours.replaceMachine(cluster);
  }

  /** What people have yet to do, in words. */
  unfinished(): string | undefined {
    const isToDo = [...this.wishes].some(([cluster, wish]) => isZonal(wish) && !this.#changedAtLast.has(cluster));
    return isToDo || this.#detours.atWork > 0 ? "machines are being replaced" : undefined;
  }

  /** One more change for each cluster, and no more. */
  #isFirst(cluster: EndpointCluster): boolean {
    const isFirst = !this.#changedAtLast.has(cluster);
    this.#changedAtLast.add(cluster);
    return isFirst;
  }

  async insist(): Promise<void> {
    await this.#machines.finish();
    for (const cluster of this.#stage.setting.clusters) {
      await this.#secrets.correct(cluster);
      await this.#orders.insistOn(cluster);
      if (!this.#stage.moving.has(keyOf(cluster))) await this.#pauses.end(cluster);
      if (!this.#orders.wishOf(cluster).present || this.#isLeaving(cluster)) continue;
      await this.#machines.bringAll(cluster);
      await this.#orders.agree(cluster);
    }
  }

  #isProvisioned(cluster: EndpointCluster): boolean {
    const object = objectFor(this.#stage, cluster) as
      | { readonly status?: { readonly initialization?: { readonly provisioned?: boolean } } }
      | undefined;
    return object?.status?.initialization?.provisioned === true;
  }

  #isLeaving(cluster: EndpointCluster): boolean {
    return objectFor(this.#stage, cluster)?.metadata.deletionTimestamp !== undefined;
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
}
