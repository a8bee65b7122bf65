// People who act in the cloud besides us: somebody changes or breaks something there, and what lasts is set right at the latest when faults end.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import { isOpenStackError } from "../../../../core/openstack/openstack-error.ts";
import { chance, pick } from "../../../../sim/time/derive-seed.ts";
import { ownerTag } from "../../core/model/ownership.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { type EndpointSim, objectFor, ownerIdOf } from "../endpoint-sim.ts";
import type { DesiredEndpoint } from "../people/desired-endpoint.ts";
import { drifts } from "./drifts.ts";
import { endpointCloudFaults } from "./endpoint-cloud-faults.ts";
import { giveToMachine, leavePortsBehind, takeFromMachine } from "./floating-ips-of-others.ts";

export class CloudOperators {
  readonly #sim: EndpointSim;
  readonly #desiredByCluster: ReadonlyMap<EndpointCluster, DesiredEndpoint>;
  /** What lasts, by what it is: how it ends. */
  readonly #lasting = new Map<string, () => void>();

  constructor(sim: EndpointSim, desiredByCluster: ReadonlyMap<EndpointCluster, DesiredEndpoint>) {
    this.#sim = sim;
    this.#desiredByCluster = desiredByCluster;
    if (sim.setting.leavesPorts) leavePortsBehind(sim);
  }

  async act(): Promise<void> {
    const { random, network } = this.#sim.world;
    const balancer = pick(random, this.#ours());
    const [name = "", cloudFault] =
      pick(random, Object.entries(chance(random, 0.35) ? drifts : endpointCloudFaults)) ?? [];
    if (balancer === undefined || cloudFault === undefined) return;
    network.trace.write("operator", `${name}, at ${balancer.name} ${balancer.id}`);
    await refusable(async () => cloudFault({ sim: this.#sim, balancer, lasting: this.#last }));
  }

  insist(): void {
    for (const end of this.#lasting.values()) end();
    this.#lasting.clear();
    this.#sim.cloudBehaviour = "calm";
    this.#sim.crashesOnWrite = false;
    this.#clearAway();
  }

  /** Nobody but people can know of objects that a restored storage has forgotten; what they had may hold an address that is wanted. */
  #clearAway(): void {
    const { fake, owners, setting, world } = this.#sim;
    const alive = new Set(setting.clusters.map((cluster) => ownerIdOf(objectFor(this.#sim, cluster))));
    const forgotten = [...owners].filter(
      ([owner, uids]) => !alive.has(owner) && [...uids].some((uid) => world.lostUids.has(uid)),
    );
    for (const [owner] of forgotten) {
      for (const { id } of fake.cloud.tables.loadbalancers.find(`tag:${ownerTag(owner)}`))
        fake.faults.deleteBalancer(id);
    }
  }

  readonly #last = (what: string, endsAfterMs: number | undefined, end: () => void): void => {
    this.#lasting.set(what, end);
    if (endsAfterMs !== undefined) this.#sim.world.network.scheduler.after(endsAfterMs, undefined, end);
  };

  /** As CAPO's machine controller: addresses of clusters without balancers go to a machine, and come back from there. */
  async moveAddressesToMachines(): Promise<void> {
    for (const [cluster, { balancer, present }] of this.#desiredByCluster) {
      takeFromMachine(this.#sim, cluster, balancer);
      if (present && !balancer) await refusable(() => giveToMachine(this.#sim, cluster));
    }
  }

  #ours(): readonly LoadBalancer[] {
    const { fake, owners, legacy } = this.#sim;
    const tags = new Set([...owners.keys()].map(ownerTag));
    return fake.cloud.tables.loadbalancers
      .all()
      .filter((balancer) => legacy.has(balancer.id) || balancer.tags.some((tag) => tags.has(tag)));
  }
}

/** The cloud refuses people's calls, too. */
async function refusable(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isOpenStackError(error)) throw error;
  }
}
