// Hands in the cloud that are not ours: somebody does something there, and what lasts is set right at the latest when faults end.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import { isOpenStackError } from "../../../../core/openstack/openstack-error.ts";
import { chance, pick } from "../../../../sim/time/derive-seed.ts";
import { ownerTag } from "../../core/model/ownership.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { type EndpointStage, objectFor, ownerIdOf } from "../endpoint-stage.ts";
import type { EndpointWish } from "../people/endpoint-wish.ts";
import { mischiefs } from "./cloud-faults.ts";
import { drifts } from "./drifts.ts";
import { giveToMachine, leavePortsBehind, takeFromMachine } from "./floating-ip-hands.ts";

export class CloudHands {
  readonly #stage: EndpointStage;
  readonly #wishes: ReadonlyMap<EndpointCluster, EndpointWish>;
  /** What lasts, by what it is: how it ends. */
  readonly #lasting = new Map<string, () => void>();

  constructor(stage: EndpointStage, wishes: ReadonlyMap<EndpointCluster, EndpointWish>) {
    this.#stage = stage;
    this.#wishes = wishes;
    if (stage.setting.leavesPorts) leavePortsBehind(stage);
  }

  async act(): Promise<void> {
    const { random, network } = this.#stage.world;
    const balancer = pick(random, this.#ours());
    const [name = "", mischief] = pick(random, Object.entries(chance(random, 0.35) ? drifts : mischiefs)) ?? [];
    if (balancer === undefined || mischief === undefined) return;
    network.trace.write("operator", `${name}, at ${balancer.name} ${balancer.id}`);
    await refusable(async () => mischief({ stage: this.#stage, balancer, lasting: this.#last }));
  }

  insist(): void {
    for (const end of this.#lasting.values()) end();
    this.#lasting.clear();
    this.#stage.mood = "calm";
    this.#stage.isFatal = false;
    this.#clearAway();
  }

  /** Nobody but people can know of objects that a restored storage has forgotten; what they had may hold an address that is wanted. */
  #clearAway(): void {
    const { fake, owners, setting, world } = this.#stage;
    const alive = new Set(setting.clusters.map((cluster) => ownerIdOf(objectFor(this.#stage, cluster))));
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
    if (endsAfterMs !== undefined) this.#stage.world.network.scheduler.after(endsAfterMs, undefined, end);
  };

  /** As CAPO's machine controller: addresses of clusters without balancers go to a machine, and come back from there. */
  async lookAfterMachines(): Promise<void> {
    for (const [cluster, { balancer, present }] of this.#wishes) {
      takeFromMachine(this.#stage, cluster, balancer);
      if (present && !balancer) await refusable(() => giveToMachine(this.#stage, cluster));
    }
  }

  #ours(): readonly LoadBalancer[] {
    const { fake, owners, legacy } = this.#stage;
    const tags = new Set([...owners.keys()].map(ownerTag));
    return fake.cloud.tables.loadbalancers
      .all()
      .filter((balancer) => legacy.has(balancer.id) || balancer.tags.some((tag) => tags.has(tag)));
  }
}

/** The cloud says no to people, too. */
async function refusable(deed: () => Promise<void>): Promise<void> {
  try {
    await deed();
  } catch (error) {
    if (!isOpenStackError(error)) throw error;
  }
}
