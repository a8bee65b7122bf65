// Where addresses are probed: once all else is as it should be, one published balancer dies, unnoticed by Octavia, and lives again once nobody
// is sent to it any more. Only one whose neighbours serve: the last way in stays published.

import type { EndpointCluster } from "../endpoint-setting.ts";
import type { EndpointSim } from "../endpoint-sim.ts";
import { addressOf, publishedFor } from "../unreported-endpoint.ts";
import { waysInto } from "../ways-in.ts";

interface Victim {
  readonly cluster: EndpointCluster;
  readonly id: string;
  readonly address: string;
}

export class LastDeath {
  readonly #sim: EndpointSim;
  #victim: Victim | undefined;
  #isOver: boolean;

  constructor(sim: EndpointSim) {
    this.#sim = sim;
    this.#isOver = !sim.setting.probing;
  }

  /** What has yet to become true, in words. */
  unfinished(): string | undefined {
    if (this.#isOver) return undefined;
    if (this.#victim === undefined) return "no balancer has died yet";
    return `still publishes ${this.#victim.address}, where nobody answers`;
  }

  /** People look again; `isQuiet` once nothing else is missing. */
  insist(isQuiet: boolean): void {
    if (this.#isOver) return;
    const { faults } = this.#sim.fake;
    const { trace } = this.#sim.world.network;
    if (this.#victim === undefined) {
      if (!isQuiet) return;
      this.#victim = this.#draw();
      this.#isOver = this.#victim === undefined;
      if (this.#victim === undefined) return;
      trace.write("cloud", `balancer ${this.#victim.id} at ${this.#victim.address} dies`);
      faults.killBalancer(this.#victim.id);
      return;
    }
    const { cluster, id, address } = this.#victim;
    if (publishedFor(this.#sim, cluster).split(",").includes(address)) return;
    trace.write("cloud", `balancer ${id} lives again`);
    faults.reviveBalancer(id);
    this.#isOver = true;
  }

  #draw(): Victim | undefined {
    const { setting, fake } = this.#sim;
    const { loadbalancers } = fake.cloud.tables;
    for (const cluster of setting.clusters) {
      const published = publishedFor(this.#sim, cluster).split(",");
      const ways = [...waysInto(this.#sim, cluster).keys()].flatMap((id) => {
        const balancer = loadbalancers.get(id);
        const address = balancer === undefined ? "" : addressOf(this.#sim, balancer);
        return published.includes(address) && address !== "" ? [{ cluster, id, address }] : [];
      });
      if (ways.length > 1) return ways[0];
    }
    return undefined;
  }
}
