// What happens to whole processes, leaders above all: killed, stopped, clocks that jump.

import type { SimProcess } from "../processes/sim-process.ts";
import { between, chance, pick } from "../time/derive-seed.ts";
import type { Fault, WorldControls } from "./fault.ts";

const hourMs = 3_600_000;

export const processFaults: readonly Fault[] = [
  {
    name: "process-killed",
    does: "a process is killed, the leader above all",
    timed: {
      everyMs: [5_000, 20_000],
      apply: (controls) => withOneProcess(controls, (process) => controls.kill(process)),
    },
  },
  {
    name: "process-paused",
    does: "a process is stopped and continued (SIGSTOP, a frozen machine)",
    timed: {
      everyMs: [4_000, 15_000],
      apply: (controls) =>
        withOneProcess(controls, (process) => controls.pause(process, between(controls.random, 500, 25_000))),
    },
  },
  {
    name: "process-replaced",
    does: "a process is stopped with grace and another one started, as in an update",
    timed: {
      everyMs: [5_000, 20_000],
      apply: (controls) => withOneProcess(controls, (process) => controls.replace(process)),
    },
  },
  {
    name: "clock-jumps",
    does: "the wall clock of a process jumps ahead or back",
    timed: {
      everyMs: [1_000, 6_000],
      apply: (controls) => {
        const process = pick(controls.random, controls.processes());
        if (process !== undefined) controls.skewClock(process, between(controls.random, -40_000, 40_000));
      },
    },
  },
  {
    name: "clock-set",
    does: "somebody sets the wall clock of a process by hours",
    apartShare: 0.1,
    timed: {
      everyMs: [8_000, 30_000],
      apply: (controls) => {
        const byMs = between(controls.random, hourMs, 3 * hourMs) * (chance(controls.random, 0.5) ? 1 : -1);
        withOneProcess(controls, (process) => controls.skewClock(process, byMs));
      },
    },
  },
  {
    name: "lease-deleted",
    does: "somebody deletes the Lease under its holder",
    timed: { everyMs: [8_000, 30_000], apply: (controls) => controls.deleteLease() },
  },
];

export function withOneProcess(controls: WorldControls, apply: (process: SimProcess) => void): void {
  const leader = chance(controls.random, 0.7) ? controls.leader() : undefined;
  const process = leader ?? pick(controls.random, controls.processes());
  if (process !== undefined) apply(process);
}
