// What happens to single events of a watch, within what the API allows: a stream may end anywhere, also inside of an event, and what was on
// its way comes again on the next one; bookmarks promise nothing; states in between may be left out. What it never does, and what is
// not done here: leave out a change and go on, or show an older state after a newer one.

import { between, pick } from "../time/derive-seed.ts";
import type { Fault } from "./fault.ts";

export const watchFaults: readonly Fault[] = [
  {
    name: "watch-event-lost",
    does: "a watch breaks at an event, which is lost with all behind it; the next one goes on from before it",
    event: {
      rate: [0.03, 0.3],
      on: "change",
      apply: (eventPlan, random) => void (eventPlan.breaks = pick(random, ["end", "broken", "torn"])),
    },
  },
  {
    name: "watch-event-repeated",
    does: "a resumed watch begins with the event that the last one ended with",
    event: { rate: [0.3, 1], on: "resumed", apply: (eventPlan) => void (eventPlan.repeats = true) },
  },
  {
    name: "watch-events-folded",
    does: "changes of one object that follow each other on a watch come as one",
    event: {
      rate: [0.1, 0.8],
      on: "change",
      apply: (eventPlan, random) => void (eventPlan.foldMs = between(random, 20, 3_000)),
    },
  },
  {
    name: "bookmark-lost",
    does: "a bookmark of a watch does not come",
    event: { rate: [0.1, 1], on: "bookmark", apply: (eventPlan) => void (eventPlan.lost = true) },
  },
];
