// What the story of reachability needs of a world: a cluster that CAPO built, a controller at work, faults, and time that passes. The
// fake cloud's time is virtual and goes on round by round; the real one's goes on by itself.

import type { ServedBalancer } from "./forwarders.ts";

/** What goes on all the time. */
export interface Ongoing {
  /** The data plane takes over what the cloud says. */
  follow(): Promise<void>;
  /** The operator publishes what `mainstay dns records` prints. */
  publish(): Promise<void>;
  /** Clients connect. */
  attempt(): Promise<void>;
}

export interface CloudTarget {
  /** With the DNS name as its endpoint, one balancer in the subnet of az1, and a machine there. Answers with the machine's address. */
  buildLegacyCluster(host: string): Promise<string>;
  addMachine(name: string, zone: Zone): Promise<string>;
  /** Asked to go; it stays until `machineIsGone`. */
  deleteMachine(name: string): Promise<void>;
  machineIsGone(name: string): Promise<void>;
  /** A change of spec.apiServerLoadBalancer. */
  patch(block: object): Promise<void>;
  /** That block with a mapping for these zones. */
  zones(...zones: readonly Zone[]): object;
  setMemberDown(address: string, isDown: boolean): Promise<void>;
  breakBalancer(zone: Zone): Promise<void>;
  balancers(): Promise<readonly ServedBalancer[]>;
  /** Of `mainstay dns records -o bind`; undefined when it says that nothing shall be published. */
  records(): Promise<string | undefined>;
  nowMs(): number;
  /** From now on, until `close`. */
  begin(ongoing: Ongoing): void;
  /** Rejects when it does not become true in reasonable time. */
  until(what: string, ask: () => Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

export type Zone = "az1" | "az2" | "az3";
