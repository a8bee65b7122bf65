// What happens to gateways: agents die, in the middle of a step too, machines lose power and come back, with or without their disk, programs
// fail, rules are flushed, an agent is silent or slow. Whatever lasts ends by itself, or when faults end.

import { between, chance, pick } from "../../../../sim/time/derive-seed.ts";
import type { Fate, GatewayCall } from "../fake-gateway.ts";
import { type GatewaySim, later } from "../gateway-sim.ts";
import type { GatewayMachine } from "../world/gateway-machine.ts";

type GatewayFault = (sim: GatewaySim, machine: GatewayMachine) => Promise<void> | void;

const programs: readonly GatewayCall[] = [
  "nft.apply",
  "nft.check",
  "keepalived.check",
  "keepalived.use",
  "journal.append",
];

export const gatewayFaults: Readonly<Record<string, GatewayFault>> = {
  "agent killed": (sim, machine) => {
    machine.killAgent();
    later(sim, 200, 10_000, () => machine.startAgent());
  },
  "agent dies in the middle": (sim, machine) => {
    const { random } = sim.world;
    let left = between(random, 1, 8);
    const when = pick(random, ["dead-before", "dead-after"] as const) ?? "dead-after";
    machine.disturb();
    machine.gateway.fate = () => {
      left -= 1;
      return left === 0 ? when : "works";
    };
    later(sim, 2_000, 12_000, () => machine.startAgent());
  },
  "machine rebooted": async (sim, machine) => {
    const { random } = sim.world;
    machine.powerOff();
    if (chance(random, 0.2)) machine.gateway.lines = [];
    later(sim, 500, 15_000, () => machine.powerOn());
  },
  "a program fails": (sim, machine) => {
    const { random } = sim.world;
    const failing = pick(random, programs);
    const how: Fate = chance(random, 0.6) ? "fails" : "lost";
    machine.disturb();
    machine.gateway.fate = (call) => (call === failing ? how : "works");
    later(sim, 500, 12_000, () => mend(machine));
  },
  "rules flushed": (_sim, machine) => {
    machine.disturb();
    machine.gateway.foreignChange("flush");
  },
  "agent silent": (sim, machine) => {
    machine.disturb();
    machine.reach = "silent";
    later(sim, 2_000, 30_000, () => answerAgain(machine));
  },
  "agent slow": (sim, machine) => {
    machine.disturb();
    machine.reach = { slowMs: between(sim.world.random, 1_000, 8_000) };
    later(sim, 2_000, 30_000, () => answerAgain(machine));
  },
};

function answerAgain(machine: GatewayMachine): void {
  machine.disturb();
  machine.reach = "answers";
}

function mend(machine: GatewayMachine): void {
  machine.disturb();
  if (machine.isOn && !machine.gateway.isDead) machine.gateway.fate = () => "works";
}

export class GatewayOperators {
  readonly #sim: GatewaySim;
  #hasEnded = false;

  constructor(sim: GatewaySim) {
    this.#sim = sim;
  }

  async act(): Promise<void> {
    const { random, network } = this.#sim.world;
    const machine = pick(random, this.#sim.machines);
    const [name = "", fault] = pick(random, Object.entries(gatewayFaults)) ?? [];
    // One after the other: what a machine is in the middle of ends first.
    if (machine === undefined || fault === undefined || !machine.isHealthy || this.#hasEnded) return;
    network.trace.write("operator", `${name}, at ${machine.name}`);
    await fault(this.#sim, machine);
  }

  /** Everything runs again, but the part that is down for long. */
  async insist(down: string | undefined): Promise<void> {
    this.#hasEnded = true;
    for (const machine of this.#sim.machines) {
      if (machine.name === down) continue;
      if (machine.reach !== "answers") answerAgain(machine);
      if (!machine.isOn) await machine.powerOn();
      else if (machine.agent === undefined) await machine.startAgent();
      else mend(machine);
    }
  }
}
