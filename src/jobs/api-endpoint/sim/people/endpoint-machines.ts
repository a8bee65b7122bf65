// Control-plane machines that come and go, as Cluster API lets them: a Machine that is deleted is held until its server has gone, and a new
// one's API server takes its time before it answers.

import { machines, openStackMachines } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { formatRef, type Kind, type KubeObject, type ObjectRef, refOf } from "../../../../apis/kube/kube-object.ts";
import { ignoreRefusal } from "../../../../sim/run/ignore-refusal.ts";
import { between } from "../../../../sim/time/derive-seed.ts";
import { resourceOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { type EndpointSim, objectFor } from "../endpoint-sim.ts";
import { later } from "./later.ts";
import { addressesOfMachine, machineName, machineObjects } from "./machine-objects.ts";

const mostMachines = 4;
/** One in each zone. */
const wantedMachines = [1, 2, 3];

export class EndpointMachines {
  readonly #sim: EndpointSim;

  constructor(sim: EndpointSim) {
    this.#sim = sim;
  }

  /** Those that were there before us. */
  async makeAll(cluster: EndpointCluster): Promise<void> {
    for (const n of wantedMachines) await this.#make(cluster, n);
  }

  /** Those that are wanted in the end. */
  async bringAll(cluster: EndpointCluster): Promise<void> {
    for (const n of wantedMachines) if (this.#there(cluster, n) === undefined) await this.#bring(cluster, n);
  }

  async deleteAll(cluster: EndpointCluster): Promise<void> {
    for (const machine of this.#of(cluster)) await this.#delete(machine);
  }

  /** Whoever is on the way out goes now. */
  async finish(): Promise<void> {
    for (const { metadata } of this.#sim.world.view.objects(resourceOf(machines)))
      if (metadata.deletionTimestamp !== undefined) await this.#letGo(refOf({ metadata } as KubeObject));
  }

  async comeOrGo(cluster: EndpointCluster): Promise<void> {
    const n = between(this.#sim.world.random, 1, mostMachines);
    if (this.#there(cluster, n) === undefined) await this.#bring(cluster, n);
    else await this.#remove(cluster, n);
  }

  /** As a rollout does: it goes, and when it has gone another one comes in its place. Then the caller goes on. */
  async replace(cluster: EndpointCluster, then: () => Promise<void>): Promise<void> {
    const n = between(this.#sim.world.random, 1, wantedMachines.length);
    await this.#remove(cluster, n);
    later(this.#sim, 500, 3_000, () => this.#succeed(cluster, n, then));
  }

  async #succeed(cluster: EndpointCluster, n: number, then: () => Promise<void>): Promise<void> {
    const isLeaving = objectFor(this.#sim, cluster)?.metadata.deletionTimestamp !== undefined;
    const isOnItsWayOut = this.#there(cluster, n)?.metadata.deletionTimestamp !== undefined;
    if (!isLeaving && isOnItsWayOut) return later(this.#sim, 500, 3_000, () => this.#succeed(cluster, n, then));
    if (!isLeaving) await this.#bring(cluster, n);
    await then();
  }

  #there(cluster: EndpointCluster, n: number): KubeObject | undefined {
    return this.#of(cluster).find(({ metadata }) => metadata.name === machineName(cluster, n));
  }

  /** Never the last one. */
  async #remove(cluster: EndpointCluster, n: number): Promise<void> {
    const there = this.#there(cluster, n);
    const staying = this.#of(cluster).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (there !== undefined && staying.length > 1) await this.#delete(there);
  }

  async #bring(cluster: EndpointCluster, n: number): Promise<void> {
    const { fake } = this.#sim;
    const addresses = addressesOfMachine(cluster, n);
    const setDown = (down: boolean): void => {
      for (const address of addresses) fake.faults.setMemberDown(address, down);
    };
    setDown(true);
    await this.#make(cluster, n);
    later(this.#sim, 200, 8_000, async () => setDown(false));
  }

  #of({ namespace, name }: EndpointCluster): readonly KubeObject[] {
    return this.#sim.world.view
      .objects(resourceOf(machines))
      .filter(({ metadata }) => metadata.namespace === namespace && metadata.name.startsWith(`${name}-m`));
  }

  async #make(cluster: EndpointCluster, n: number): Promise<void> {
    const { kube, view } = this.#sim.world;
    const { infrastructure, machine } = machineObjects(this.#sim, cluster, n);
    const isThere = (kind: Kind) => view.objectAt(resourceOf(kind), formatRef(refOf(machine))) !== undefined;
    if (!isThere(openStackMachines)) await ignoreRefusal(kube.create(openStackMachines, infrastructure));
    if (!isThere(machines)) await ignoreRefusal(kube.create(machines, machine));
  }

  async #delete(machine: KubeObject): Promise<void> {
    const ref = refOf(machine);
    if (machine.metadata.deletionTimestamp === undefined)
      await ignoreRefusal(this.#sim.world.kube.delete(machines, ref));
    later(this.#sim, 500, 6_000, () => this.#letGo(ref));
  }

  async #letGo(ref: ObjectRef): Promise<void> {
    const { kube, view } = this.#sim.world;
    const now = () => view.objectAt(resourceOf(machines), formatRef(ref));
    // Another one of its name may have come meanwhile.
    if (now() !== undefined && now()?.metadata.deletionTimestamp === undefined) return;
    await ignoreRefusal(kube.patch(machines, ref, { type: "merge", body: { metadata: { finalizers: null } } }));
    if (now() === undefined) await ignoreRefusal(kube.delete(openStackMachines, ref));
  }
}
