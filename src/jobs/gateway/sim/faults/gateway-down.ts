// One gateway that is down, silent or slow for long. The others go on, and Services must not notice more than they have to.

import type { Random } from "../../../../ports/random.ts";
import { between, pick } from "../../../../sim/time/derive-seed.ts";
import type { GatewaySim } from "../gateway-sim.ts";
import type { GatewayMachine } from "../world/gateway-machine.ts";

export class GatewayDown {
  readonly #sim: GatewaySim;
  #down: GatewayMachine | undefined;

  constructor(sim: GatewaySim) {
    this.#sim = sim;
  }

  get down(): GatewayMachine | undefined {
    return this.#down;
  }

  begin(): void {
    if (this.#down !== undefined) return;
    const { random, network } = this.#sim.world;
    const machine = pick(random, this.#sim.machines);
    if (machine === undefined) return;
    this.#down = machine;
    const how = pick(random, ["dead", "dead", "silent"] as const);
    network.trace.write("operator", `gateway ${machine.name} is ${how} for long`);
    if (how === "dead") machine.powerOff();
    else machine.reach = "silent";
    machine.disturb();
  }

  slow(random: Random): void {
    if (this.#down !== undefined) return;
    const machine = pick(random, this.#sim.machines);
    if (machine === undefined) return;
    this.#down = machine;
    machine.disturb();
    machine.reach = { slowMs: between(random, 2_000, 4_000) };
  }

  end(): void {
    this.#down = undefined;
  }
}
