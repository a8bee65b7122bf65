// What people do with clusters: want them, want them otherwise, pause and move them, let machines come and go. What they want in the end
// is remembered, and insisted on: machines in every zone, nothing paused, and consent where it takes some.

import { clusters } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { namespaces } from "../../../../apis/kube/builtin-kinds.ts";
import { chance, pick } from "../../../../sim/time/derive-seed.ts";
import { ownerIdAnnotation } from "../../apis/annotations.ts";
import { openStackClusters } from "../../apis/openstack-cluster/openstack-cluster.ts";
import { capoObject, clusterObject, kindOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { type EndpointSim, keyOf, objectFor } from "../endpoint-sim.ts";
import { setAsideFloatingIp } from "../faults/floating-ips-of-others.ts";
import { addLegacyBalancer } from "../faults/foreign-balancers.ts";
import { type DesiredEndpoint, isZonal, moreDesired, nextDesired } from "./desired-endpoint.ts";
import { DesiredEndpoints } from "./desired-endpoints.ts";
import { EndpointMachines } from "./endpoint-machines.ts";
import { EndpointPauses, type Kept } from "./endpoint-pauses.ts";
import { EndpointSecrets } from "./endpoint-secrets.ts";
import { later } from "./later.ts";
import { TemporaryChanges } from "./temporary-changes.ts";

/** What people of a world do every other time, if anything. */
export type Habit = "wrong-credentials";

export class EndpointUsers {
  readonly #sim: EndpointSim;
  readonly #habit: Habit | undefined;
  readonly #changedAtLast = new Set<EndpointCluster>();
  readonly #machines: EndpointMachines;
  readonly #endpoints: DesiredEndpoints;
  readonly #temporaryChanges: TemporaryChanges;
  readonly #secrets: EndpointSecrets;
  readonly #pauses: EndpointPauses;

  constructor(sim: EndpointSim, habit?: Habit) {
    this.#sim = sim;
    this.#habit = habit;
    this.#machines = new EndpointMachines(sim);
    this.#secrets = new EndpointSecrets(sim);
    this.#endpoints = new DesiredEndpoints(sim, this.#machines, this.#secrets);
    this.#temporaryChanges = new TemporaryChanges(sim, this.#machines, this.#endpoints);
    this.#pauses = new EndpointPauses(sim, (cluster, kept) => this.#endpoints.make(cluster, kept));
  }

  get desiredByCluster(): ReadonlyMap<EndpointCluster, DesiredEndpoint> {
    return this.#endpoints.desiredByCluster;
  }

  async begin(): Promise<void> {
    const { world, setting } = this.#sim;
    const { kube } = world;
    for (const cluster of setting.clusters) {
      const { namespace } = cluster;
      await kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
      await this.#secrets.make(cluster);
      await kube.create(clusters, clusterObject(cluster));
      if (cluster.capoWaits) await kube.create(openStackClusters, capoObject(cluster));
      await this.#machines.makeAll(cluster);
      await this.#endpoints.make(cluster, await this.#prepare(cluster));
      if (cluster.legacy) await this.#inherit(cluster);
      this.#giveUpSoon(cluster);
    }
  }

  /** Some find out within seconds that they wanted something else; more of them where nothing comes. */
  #giveUpSoon(cluster: EndpointCluster): void {
    const { world, cloudBehaviour } = this.#sim;
    if (!chance(world.random, cloudBehaviour === "makes-late" ? 0.5 : 0.15)) return;
    later(this.#sim, 1_000, 12_000, () => this.#giveUp(cluster));
  }

  async #giveUp(cluster: EndpointCluster): Promise<void> {
    await this.#endpoints.want(cluster, { ...this.#endpoints.desiredOf(cluster), present: false });
  }

  async #mistake(cluster: EndpointCluster): Promise<void> {
    await this.#secrets.mistake(cluster, () => this.#giveUp(cluster));
  }

  /** Some publish an address first, and choose the owner id by which it is set aside. */
  async #prepare({ byFilter, floatingIps, index }: EndpointCluster): Promise<Kept> {
    if (!byFilter || !floatingIps) return {};
    const ownerId = `chosen-${index}`;
    await setAsideFloatingIp(this.#sim, ownerId, "az1");
    return { annotations: { [ownerIdAnnotation]: ownerId } };
  }

  async act(): Promise<void> {
    const { random } = this.#sim.world;
    const cluster = pick(random, this.#sim.setting.clusters);
    if (cluster === undefined) return;
    if (this.#habit === "wrong-credentials" && chance(random, 0.5)) return await this.#mistake(cluster);
    const choice = random.next();
    if (choice < 0.16) return this.#isLeaving(cluster) ? undefined : await this.#machines.comeOrGo(cluster);
    if (choice < 0.26)
      return this.#isLeaving(cluster) ? undefined : await this.#temporaryChanges.replaceMachine(cluster);
    if (choice < 0.4) return await this.#temporaryChanges.openForAWhile(cluster);
    if (choice < 0.45) return await this.#pauses.move(cluster);
    if (choice < 0.5) return await this.#pauses.forAWhile(cluster);
    if (choice < 0.58) return await this.#mistake(cluster);
    const desired = this.#endpoints.desiredOf(cluster);
    // What does not come up is given up by some.
    const isGivenUp = desired.present && !this.#isProvisioned(cluster) && chance(random, 0.25);
    await (isGivenUp ? this.#giveUp(cluster) : this.#endpoints.want(cluster, nextDesired(random, cluster, desired)));
  }

  /** Faults have ended, one zone is dark, and people go on: they want every zone now, or another port. */
  async wantMoreWhileDark(): Promise<void> {
    const { random } = this.#sim.world;
    for (const cluster of this.#sim.setting.clusters) {
      const desired = this.#endpoints.desiredOf(cluster);
      if (isZonal(desired) && this.#isFirst(cluster)) await this.#endpoints.want(cluster, moreDesired(random, desired));
    }
  }

  /** Everything is as wanted, and machines are replaced once more. */
  async rollOnce(): Promise<void> {
    for (const cluster of this.#sim.setting.clusters)
      if (isZonal(this.#endpoints.desiredOf(cluster)) && this.#isFirst(cluster))
        await this.#temporaryChanges.replaceMachine(cluster);
  }

  /** What people have yet to do, in words. */
  unfinished(): string | undefined {
    const isToDo = [...this.desiredByCluster].some(
      ([cluster, desired]) => isZonal(desired) && !this.#changedAtLast.has(cluster),
    );
    return isToDo || this.#temporaryChanges.atWork > 0 ? "machines are being replaced" : undefined;
  }

  /** One more change for each cluster, and no more. */
  #isFirst(cluster: EndpointCluster): boolean {
    const isFirst = !this.#changedAtLast.has(cluster);
    this.#changedAtLast.add(cluster);
    return isFirst;
  }

  async insist(): Promise<void> {
    await this.#machines.finish();
    for (const cluster of this.#sim.setting.clusters) {
      await this.#secrets.correct(cluster);
      await this.#endpoints.insistOn(cluster);
      if (!this.#sim.moving.has(keyOf(cluster))) await this.#pauses.end(cluster);
      if (!this.#endpoints.desiredOf(cluster).present || this.#isLeaving(cluster)) continue;
      await this.#machines.bringAll(cluster);
      await this.#endpoints.agree(cluster);
    }
  }

  #isProvisioned(cluster: EndpointCluster): boolean {
    const object = objectFor(this.#sim, cluster) as
      | { readonly status?: { readonly initialization?: { readonly provisioned?: boolean } } }
      | undefined;
    return object?.status?.initialization?.provisioned === true;
  }

  #isLeaving(cluster: EndpointCluster): boolean {
    return objectFor(this.#sim, cluster)?.metadata.deletionTimestamp !== undefined;
  }

  /** CAPO's balancer, and, where we take over, the status by which CAPO remembered it. */
  async #inherit(cluster: EndpointCluster): Promise<void> {
    const { id, name, vipAddress, floatingAddress } = await addLegacyBalancer(this.#sim, cluster);
    if (cluster.door === "api-endpoint") return;
    const apiServerLoadBalancer = { id, name, ip: floatingAddress ?? vipAddress, internalIP: vipAddress };
    const body = { status: { ready: true, apiServerLoadBalancer } };
    const ref = { namespace: cluster.namespace, name: cluster.object };
    await this.#sim.world.kube.patch(kindOf(cluster.door), ref, { type: "merge", body }, { subresource: "status" });
  }
}
