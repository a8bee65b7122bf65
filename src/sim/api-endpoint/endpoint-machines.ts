// Control-plane machines that come and go, as Cluster API lets them: a Machine that is deleted is held until its server has gone.

import { machines, openStackMachines } from "../../apis/cluster-api-kinds.ts";
import { formatRef, type Kind, type KubeObject, type ObjectRef, refOf } from "../../apis/kube-object.ts";
import { between } from "../derive-seed.ts";
import { resourceOf } from "./endpoint-objects.ts";
import type { EndpointCluster } from "./endpoint-setting.ts";
import type { EndpointStage } from "./endpoint-stage.ts";
import { forgiving } from "./forgiving.ts";
import { machineName, machineObjects } from "./machine-objects.ts";

const mostMachines = 4;
/** One in each zone. */
const wantedMachines = [1, 2, 3];

export class EndpointMachines {
  readonly #stage: EndpointStage;

  constructor(stage: EndpointStage) {
    this.#stage = stage;
  }

  /** Those that are wanted in the end. */
  async makeAll(cluster: EndpointCluster): Promise<void> {
    for (const n of wantedMachines) await this.#make(cluster, n);
  }

  async deleteAll(cluster: EndpointCluster): Promise<void> {
    for (const machine of this.#of(cluster)) await this.#delete(machine);
  }

  /** Whoever is on the way out goes now. */
  async finish(): Promise<void> {
    for (const { metadata } of this.#stage.world.view.objects(resourceOf(machines)))
      if (metadata.deletionTimestamp !== undefined) await this.#letGo(refOf({ metadata } as KubeObject));
  }

  /** Never the last one. */
  async comeOrGo(cluster: EndpointCluster): Promise<void> {
    const n = between(this.#stage.world.random, 1, mostMachines);
    const all = this.#of(cluster);
    const there = all.find(({ metadata }) => metadata.name === machineName(cluster, n));
    if (there === undefined) return await this.#make(cluster, n);
    if (all.filter(({ metadata }) => metadata.deletionTimestamp === undefined).length > 1) await this.#delete(there);
  }

  #of({ namespace, name }: EndpointCluster): readonly KubeObject[] {
    return this.#stage.world.view
      .objects(resourceOf(machines))
      .filter(({ metadata }) => metadata.namespace === namespace && metadata.name.startsWith(`${name}-m`));
  }

  async #make(cluster: EndpointCluster, n: number): Promise<void> {
    const { kube, view } = this.#stage.world;
    const { infrastructure, machine } = machineObjects(this.#stage, cluster, n);
    const isThere = (kind: Kind) => view.objectAt(resourceOf(kind), formatRef(refOf(machine))) !== undefined;
    if (!isThere(openStackMachines)) await forgiving(kube.create(openStackMachines, infrastructure));
    if (!isThere(machines)) await forgiving(kube.create(machines, machine));
  }

  async #delete(machine: KubeObject): Promise<void> {
    const { kube, random, space } = this.#stage.world;
    const ref = refOf(machine);
    if (machine.metadata.deletionTimestamp === undefined) await forgiving(kube.delete(machines, ref));
    space.scheduler.after(between(random, 500, 6_000), undefined, () => void this.#letGo(ref));
  }

  async #letGo(ref: ObjectRef): Promise<void> {
    const { kube, view } = this.#stage.world;
    const now = () => view.objectAt(resourceOf(machines), formatRef(ref));
    // Another one of its name may have come meanwhile.
    if (now() !== undefined && now()?.metadata.deletionTimestamp === undefined) return;
    await forgiving(kube.patch(machines, ref, { type: "merge", body: { metadata: { finalizers: null } } }));
    if (now() === undefined) await forgiving(kube.delete(openStackMachines, ref));
  }
}
