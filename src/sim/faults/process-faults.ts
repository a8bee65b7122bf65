// What happens to whole processes, leaders above all: killed, stopped, clocks that jump.

import type { SimProcess } from "../processes/sim-process.ts";
import { between, chance, pick } from "../time/derive-seed.ts";
import type { Fault, FaultHands } from "./fault.ts";

export const processFaults: readonly Fault[] = [
  {
    name: "process-killed",
    does: "a process is killed, the leader above all",
    moment: {
      everyMs: [5_000, 20_000],
      strike: (hands) => withSome(hands, (process) => hands.kill(process)),
    },
  },
  {
    name: "process-paused",
    does: "a process is stopped and continued (SIGSTOP, a frozen machine)",
    moment: {
      everyMs: [4_000, 15_000],
      strike: (hands) => withSome(hands, (process) => hands.pause(process, between(hands.random, 500, 25_000))),
    },
  },
  {
    name: "process-replaced",
    does: "a process is stopped with grace and another one started, as in an update",
    moment: {
      everyMs: [5_000, 20_000],
      strike: (hands) => withSome(hands, (process) => hands.replace(process)),
    },
  },
  {
    name: "clock-jumps",
    does: "the wall clock of a process jumps ahead or back",
    moment: {
      everyMs: [1_000, 6_000],
      strike: (hands) => {
        const process = pick(hands.random, hands.processes());
        if (process !== undefined) hands.skewClock(process, between(hands.random, -40_000, 40_000));
      },
    },
  },
  {
    name: "lease-deleted",
    does: "somebody deletes the Lease under its holder",
    moment: { everyMs: [8_000, 30_000], strike: (hands) => hands.deleteLease() },
  },
];

export function withSome(hands: FaultHands, strike: (process: SimProcess) => void): void {
  const leader = chance(hands.random, 0.7) ? hands.leader() : undefined;
  const process = leader ?? pick(hands.random, hands.processes());
  if (process !== undefined) strike(process);
}
