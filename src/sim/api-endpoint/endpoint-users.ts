// What people do with clusters: want them, want them otherwise, move them to another management cluster, let machines come and go. What they
// want in the end is remembered, and insisted on: machines in every zone, nothing paused, and consent where repair needs it.

import { pausedAnnotation, removeLegacyAnnotation, repairAnnotation } from "../../apis/api-endpoint-annotations.ts";
import { namespaces, secrets } from "../../apis/builtin-kinds.ts";
import { clusters, machines, openStackMachines } from "../../apis/cluster-api-kinds.ts";
import type { Kind, KubeObject, ObjectRef } from "../../apis/kube-object.ts";
import { openStackClusters } from "../../apis/openstack-cluster.ts";
import { isKubeError } from "../../core/kube-error.ts";
import { between, pick } from "../derive-seed.ts";
import {
  capoObject,
  cloudsYaml,
  clusterObject,
  endpointObject,
  kindOf,
  type MachinePlan,
  machineObjects,
  resourceOf,
  secretOf,
} from "./endpoint-objects.ts";
import { type EndpointCluster, zonesOfCloud } from "./endpoint-setting.ts";
import { type EndpointStage, keyOf, objectFor, ownerIdOf } from "./endpoint-stage.ts";
import { blockOf, type EndpointWish, firstWish, nextWish, sameWish } from "./endpoint-wish.ts";
import { plantLegacy } from "./plant.ts";

const mostMachines = 4;

/** What `clusterctl move` takes along. */
type Kept = Pick<KubeObject["metadata"], "annotations" | "finalizers">;

export class EndpointUsers {
  readonly wishes = new Map<EndpointCluster, EndpointWish>();
  readonly #stage: EndpointStage;
  #insisting = false;

  constructor(stage: EndpointStage) {
    this.#stage = stage;
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
      for (const zone of [1, 2, 3]) await this.#makeMachine(cluster, zone);
      await this.#make(cluster);
      if (cluster.legacy) await this.#inherit(cluster);
    }
  }

  async act(): Promise<void> {
    const { random } = this.#stage.world;
    const cluster = pick(random, this.#stage.setting.clusters);
    if (cluster === undefined) return;
    const choice = random.next();
    if (choice < 0.35) return this.#machineComesOrGoes(cluster);
    if (choice < 0.43) return this.#move(cluster);
    this.wishes.set(cluster, nextWish(random, cluster, this.#wishOf(cluster)));
    await this.#insistOn(cluster);
  }

  async insist(): Promise<void> {
    this.#insisting = true;
    for (const machine of this.#stage.world.view.objects(resourceOf(machines)))
      if (machine.metadata.deletionTimestamp !== undefined) await this.#letMachineGo(refOf(machine));
    for (const cluster of this.#stage.setting.clusters) {
      await this.#insistOn(cluster);
      if (!this.#wishOf(cluster).present || this.#isLeaving(cluster)) continue;
      for (const zone of [1, 2, 3]) await this.#makeMachine(cluster, zone);
      if (!this.#stage.moving.has(keyOf(cluster))) await this.#pause(cluster, false);
      await this.#agreeToRepair(cluster);
    }
  }

  #wishOf(cluster: EndpointCluster): EndpointWish {
    return this.wishes.get(cluster) ?? { present: false, zones: [], crossZone: false, ports: [] };
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
    const block = blockOf(wish, this.#stage.lab);
    const { apiServerLoadBalancer } =
      (found as { readonly spec?: { readonly apiServerLoadBalancer?: unknown } }).spec ?? {};
    if (sameWish(apiServerLoadBalancer, block)) return;
    await this.#patch(cluster, { spec: { apiServerLoadBalancer: block } });
  }

  async #make(cluster: EndpointCluster, kept: Kept = {}): Promise<void> {
    const { world, lab } = this.#stage;
    const owner = world.view.objectAt(resourceOf(clusters), `${cluster.namespace}/${cluster.name}`);
    if (owner === undefined) return await forgiving(world.kube.create(clusters, clusterObject(cluster)));
    const object = endpointObject(cluster, { wish: this.#wishOf(cluster), lab, owner, kept });
    await forgiving(world.kube.create(kindOf(cluster.door), object));
  }

  /** CAPO's balancer, and the status by which CAPO remembered it. */
  async #inherit(cluster: EndpointCluster): Promise<void> {
    const { id, name, vipAddress, floatingAddress } = await plantLegacy(this.#stage, cluster);
    const apiServerLoadBalancer = { id, name, ip: floatingAddress ?? vipAddress, internalIP: vipAddress };
    const body = { status: { ready: true, apiServerLoadBalancer } };
    const ref = { namespace: cluster.namespace, name: cluster.object };
    await this.#stage.world.kube.patch(kindOf(cluster.door), ref, { type: "merge", body }, { subresource: "status" });
  }

  /** As Cluster API goes about it: machines first. */
  async #unmake(cluster: EndpointCluster, found: KubeObject | undefined): Promise<void> {
    if (cluster.door === "openstack-cluster")
      for (const machine of this.#machinesOf(cluster)) await this.#deleteMachine(machine);
    if (found !== undefined && found.metadata.deletionTimestamp === undefined)
      await forgiving(this.#stage.world.kube.delete(kindOf(cluster.door), refOf(found)));
  }

  async #patch(cluster: EndpointCluster, body: object): Promise<void> {
    const ref = { namespace: cluster.namespace, name: cluster.object };
    await forgiving(this.#stage.world.kube.patch(kindOf(cluster.door), ref, { type: "merge", body }));
  }

  async #pause(cluster: EndpointCluster, paused: boolean): Promise<void> {
    const { world } = this.#stage;
    const found = objectFor(this.#stage, cluster);
    const isPaused = found?.metadata.annotations?.[pausedAnnotation] !== undefined;
    if (found !== undefined && isPaused !== paused)
      await this.#patch(cluster, { metadata: { annotations: { [pausedAnnotation]: paused ? "true" : null } } });
    const ref = { namespace: cluster.namespace, name: cluster.name };
    const owner = world.view.objectAt(resourceOf(clusters), keyOfRef(ref)) as
      | { readonly spec?: { readonly paused?: boolean } }
      | undefined;
    if (owner !== undefined && (owner.spec?.paused ?? false) !== paused)
      await forgiving(world.kube.patch(clusters, ref, { type: "merge", body: { spec: { paused } } }));
  }

  /** Paused, taken away without its finalizers, made again with its annotations and an empty status, continued. */
  async #move(cluster: EndpointCluster): Promise<void> {
    const { world, moving } = this.#stage;
    const found = objectFor(this.#stage, cluster);
    if (found === undefined || found.metadata.deletionTimestamp !== undefined || moving.has(keyOf(cluster))) return;
    const { random, space } = world;
    moving.add(keyOf(cluster));
    await this.#pause(cluster, true);
    const later = (ms: number, step: () => Promise<void>): void =>
      void space.scheduler.after(ms, undefined, () => void step());
    later(between(random, 1_000, 6_000), async () => {
      const kept = await this.#takeAway(cluster);
      later(between(random, 100, 3_000), async () => {
        if (kept !== undefined) await this.#make(cluster, kept);
        later(between(random, 500, 4_000), async () => {
          moving.delete(keyOf(cluster));
          await this.#pause(cluster, false);
        });
      });
    });
  }

  async #takeAway(cluster: EndpointCluster): Promise<Kept | undefined> {
    const { kube } = this.#stage.world;
    const found = objectFor(this.#stage, cluster);
    if (found === undefined) return undefined;
    const { annotations = {}, finalizers = [] } = found.metadata;
    await this.#patch(cluster, { metadata: { finalizers: null } });
    await forgiving(kube.delete(kindOf(cluster.door), refOf(found)));
    return objectFor(this.#stage, cluster) === undefined ? { annotations, finalizers } : undefined;
  }

  /** Somebody looks at what is broken and says: yes, rebuild it. */
  async #agreeToRepair(cluster: EndpointCluster): Promise<void> {
    const found = objectFor(this.#stage, cluster);
    const owner = ownerIdOf(found);
    // One in ERROR that nobody wants any more needs consent to go, too.
    if (owner === undefined || found?.metadata.annotations?.[repairAnnotation] !== undefined) return;
    const { loadbalancers } = this.#stage.fake.cloud.tables;
    const isBroken = loadbalancers
      .all()
      .some(
        ({ tags, provisioningStatus }) => provisioningStatus === "ERROR" && tags.some((tag) => tag.endsWith(owner)),
      );
    if (isBroken)
      await this.#patch(cluster, {
        metadata: { annotations: { [repairAnnotation]: "true", [removeLegacyAnnotation]: "true" } },
      });
  }

  #machinesOf({ namespace, name }: EndpointCluster): readonly KubeObject[] {
    return this.#stage.world.view
      .objects(resourceOf(machines))
      .filter(({ metadata }) => metadata.namespace === namespace && metadata.name.startsWith(`${name}-m`));
  }

  #machineAt(cluster: EndpointCluster, n: number): KubeObject | undefined {
    return this.#machinesOf(cluster).find(({ metadata }) => metadata.name === machinePlan(cluster, n).name);
  }

  async #makeMachine(cluster: EndpointCluster, n: number): Promise<void> {
    const { kube, view } = this.#stage.world;
    const { infrastructure, machine } = machineObjects(cluster, machinePlan(cluster, n));
    const isThere = (kind: Kind) => view.objectAt(resourceOf(kind), keyOfRef(refOf(machine))) !== undefined;
    if (!isThere(openStackMachines)) await forgiving(kube.create(openStackMachines, infrastructure));
    if (!isThere(machines)) await forgiving(kube.create(machines, machine));
  }

  async #machineComesOrGoes(cluster: EndpointCluster): Promise<void> {
    const n = between(this.#stage.world.random, 1, mostMachines);
    const there = this.#machineAt(cluster, n);
    if (there === undefined) return this.#isLeaving(cluster) ? undefined : await this.#makeMachine(cluster, n);
    const others = this.#machinesOf(cluster).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (others.length > 1 && !this.#insisting) await this.#deleteMachine(there);
  }

  /** It is held until its server has gone. */
  async #deleteMachine(machine: KubeObject): Promise<void> {
    const { kube, random, space } = this.#stage.world;
    const ref = refOf(machine);
    if (machine.metadata.deletionTimestamp === undefined) await forgiving(kube.delete(machines, ref));
    space.scheduler.after(between(random, 500, 6_000), undefined, () => void this.#letMachineGo(ref));
  }

  async #letMachineGo(ref: ObjectRef): Promise<void> {
    const { kube, view } = this.#stage.world;
    const now = () => view.objectAt(resourceOf(machines), keyOfRef(ref));
    // Another one of its name may have come meanwhile.
    if (now() !== undefined && now()?.metadata.deletionTimestamp === undefined) return;
    await forgiving(kube.patch(machines, ref, { type: "merge", body: { metadata: { finalizers: null } } }));
    if (now() === undefined) await forgiving(kube.delete(openStackMachines, ref));
  }
}

function machinePlan({ name, index }: EndpointCluster, n: number): MachinePlan {
  const zone = zonesOfCloud[(n - 1) % zonesOfCloud.length] ?? "az1";
  return { name: `${name}-m${n}`, zone, address: `10.0.${zone.slice(2)}.${100 + 50 * index + n}` };
}

function refOf({ metadata: { name, namespace = "" } }: KubeObject): ObjectRef {
  return { name, namespace };
}

function keyOfRef({ namespace, name }: ObjectRef): string {
  return `${namespace ?? ""}/${name}`;
}

/** Somebody was faster, or the API server says no: people try again when they next look. */
async function forgiving(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isKubeError(error, "Conflict", "NotFound", "AlreadyExists", "Invalid")) throw error;
  }
}
