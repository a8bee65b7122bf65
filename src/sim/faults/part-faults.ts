// What happens to one part of a system. Drawn after all other faults, so that seeds from before it kept what they drew.

import type { Fault } from "./fault.ts";

export const partFaults: readonly Fault[] = [
  {
    name: "part-slow",
    does: "calls about one location of the cloud take nearly all of their time: its neighbours must not notice",
    likely: 2,
    timed: { everyMs: [2_000, 8_000], apply: (controls) => controls.partSlow() },
  },
];
