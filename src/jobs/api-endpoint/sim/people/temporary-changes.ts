// What people want for a while only: another port, published records, cross-zone members while a machine is replaced.

import { chance } from "../../../../sim/time/derive-seed.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import type { EndpointSim } from "../endpoint-sim.ts";
import { type DesiredEndpoint, withPort } from "./desired-endpoint.ts";
import type { DesiredEndpoints } from "./desired-endpoints.ts";
import type { EndpointMachines } from "./endpoint-machines.ts";
import { later } from "./later.ts";

export class TemporaryChanges {
  readonly #sim: EndpointSim;
  readonly #machines: EndpointMachines;
  readonly #endpoints: DesiredEndpoints;
  #atWork = 0;

  constructor(sim: EndpointSim, machines: EndpointMachines, endpoints: DesiredEndpoints) {
    this.#sim = sim;
    this.#machines = machines;
    this.#endpoints = endpoints;
  }

  /** How many machines are being replaced. */
  get atWork(): number {
    return this.#atWork;
  }

  /** Some want cross-zone members meanwhile, and no longer than it takes. */
  async replaceMachine(cluster: EndpointCluster): Promise<void> {
    const usesCrossZone = chance(this.#sim.world.random, 0.7);
    const setCrossZone = async (crossZone: boolean) => {
      if (usesCrossZone) await this.#change(cluster, (desired) => ({ ...desired, crossZone }));
    };
    this.#atWork += 1;
    await setCrossZone(true);
    await this.#machines.replace(cluster, async () => {
      this.#atWork -= 1;
      await setCrossZone(false);
    });
  }

  /** A port through which machines join, or records to try a name with. */
  async openForAWhile(cluster: EndpointCluster): Promise<void> {
    const set = chance(this.#sim.world.random, 0.75)
      ? (desired: DesiredEndpoint, isOpen: boolean) => withPort(desired, isOpen)
      : (desired: DesiredEndpoint, publish: boolean) => ({ ...desired, publish });
    await this.#change(cluster, (desired) => set(desired, true));
    later(this.#sim, 3_000, 18_000, () => this.#change(cluster, (desired) => set(desired, false)));
  }

  async #change(cluster: EndpointCluster, change: (desired: DesiredEndpoint) => DesiredEndpoint): Promise<void> {
    await this.#endpoints.want(cluster, change(this.#endpoints.desiredOf(cluster)));
  }
}
