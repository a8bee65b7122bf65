// One gateway of a simulated world: a machine with power, programs and a disk, and on it the real agent as a process that can die and be
// started again. Timers of a dead agent never fire.

import type { Clock, Timer } from "../../../../ports/clock.ts";
import type { Log } from "../../../../ports/log.ts";
import { type FakeAgent, startFakeAgent } from "../fake-agent.ts";
import { FakeGateway, type GatewayCall } from "../fake-gateway.ts";
import { simTokens } from "./sim-tokens.ts";

/** How its agent answers controllers. */
export type Reach = "answers" | "silent" | { readonly slowMs: number };

const noLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, with: () => noLog };

export interface MachineOptions {
  readonly name: string;
  readonly key: Uint8Array;
  readonly clock: Clock;
  readonly onEffect: (machine: GatewayMachine, call: GatewayCall) => void;
}

export class GatewayMachine {
  readonly name: string;
  readonly gateway = new FakeGateway();
  reach: Reach = "answers";
  /** Since when nothing happened to it from outside. */
  undisturbedSinceMs = 0;
  readonly #options: MachineOptions;
  #isOn = false;
  #agent: FakeAgent | undefined;
  #process = { isAlive: false };

  constructor(options: MachineOptions) {
    this.#options = options;
    this.name = options.name;
    this.gateway.onEffect = (call) => options.onEffect(this, call);
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Undefined while no agent runs. */
  get agent(): FakeAgent | undefined {
    return this.gateway.isDead ? undefined : this.#agent;
  }

  get isHealthy(): boolean {
    return this.#isOn && this.agent !== undefined && this.reach === "answers";
  }

  disturb(): void {
    this.undisturbedSinceMs = this.#options.clock.monotonicMs();
  }

  async powerOn(): Promise<void> {
    this.disturb();
    this.#isOn = true;
    this.gateway.reboot();
    await this.startAgent();
  }

  powerOff(): void {
    this.disturb();
    this.killAgent();
    this.#isOn = false;
    this.gateway.isRunning = false;
  }

  killAgent(): void {
    this.disturb();
    this.#process.isAlive = false;
    this.#agent = undefined;
    this.gateway.endProcess();
  }

  /** On a machine that is on: whatever agent was there is replaced. */
  async startAgent(): Promise<void> {
    if (!this.#isOn) return;
    this.killAgent();
    const process = { isAlive: true };
    this.#process = process;
    const { name, key, clock } = this.#options;
    const started = await startFakeAgent(
      { name, key, clock: clockOf(clock, process), log: noLog, tokens: simTokens },
      this.gateway,
    );
    if (process.isAlive) this.#agent = started;
  }
}

function clockOf(clock: Clock, process: { readonly isAlive: boolean }): Clock {
  return {
    nowMs: () => clock.nowMs(),
    monotonicMs: () => clock.monotonicMs(),
    after: (delayMs, callback): Timer => clock.after(delayMs, () => (process.isAlive ? callback() : undefined)),
  };
}
