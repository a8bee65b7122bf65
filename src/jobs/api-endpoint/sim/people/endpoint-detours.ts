// What people want for a while only: another port, published records, zones that lean on each other while a machine is replaced.

import { between, chance } from "../../../../sim/time/derive-seed.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import type { EndpointStage } from "../endpoint-stage.ts";
import type { EndpointMachines } from "./endpoint-machines.ts";
import type { EndpointOrders } from "./endpoint-orders.ts";
import { type EndpointWish, withPort } from "./endpoint-wish.ts";

export class EndpointDetours {
  readonly #stage: EndpointStage;
  readonly #machines: EndpointMachines;
  readonly #orders: EndpointOrders;
  #atWork = 0;

  constructor(stage: EndpointStage, machines: EndpointMachines, orders: EndpointOrders) {
    this.#stage = stage;
    this.#machines = machines;
    this.#orders = orders;
  }

  /** How many machines are being replaced. */
  get atWork(): number {
    return this.#atWork;
  }

  /** Some let zones lean on each other meanwhile, and no longer than it takes. */
  async replaceMachine(cluster: EndpointCluster): Promise<void> {
    const leans = chance(this.#stage.world.random, 0.7);
    const lean = async (crossZone: boolean) => {
      if (leans) await this.#change(cluster, (wish) => ({ ...wish, crossZone }));
    };
    this.#atWork += 1;
    await lean(true);
    await this.#machines.replace(cluster, async () => {
      this.#atWork -= 1;
      await lean(false);
    });
  }

  /** A port through which machines join, or records to try a name with. */
  async openForAWhile(cluster: EndpointCluster): Promise<void> {
    const { random, network } = this.#stage.world;
    const set = chance(random, 0.75)
      ? (wish: EndpointWish, isOpen: boolean) => withPort(wish, isOpen)
      : (wish: EndpointWish, publish: boolean) => ({ ...wish, publish });
    await this.#change(cluster, (wish) => set(wish, true));
    const endsMs = between(random, 3_000, 18_000);
    network.scheduler.after(endsMs, undefined, () => void this.#change(cluster, (wish) => set(wish, false)));
  }

  async #change(cluster: EndpointCluster, change: (wish: EndpointWish) => EndpointWish): Promise<void> {
    await this.#orders.want(cluster, change(this.#orders.wishOf(cluster)));
  }
}
