// Quiet: once everything is as wanted, nothing is written and nothing is asked but what keeps watches and the Lease alive.

import { describeCall } from "../port-call.ts";
import type { Checker } from "./checker.ts";

/** `list` with `watch`: a watch that goes on makes sure first that history is still the same. */
const steady = new Set(["lease", "watch", "list"]);

export const quietWhenConverged: Checker = {
  name: "quiet-when-converged",
  promise: "a converged system sends nothing but renewals of watches and of the Lease",
  watch: (view, broken) =>
    view.on("left", ({ call }) => {
      // A series of events that came to its end is told once more, with its last count.
      const lastWord = call.purpose === "event" && call.verb === "PATCH";
      if (view.isQuiet() && !steady.has(call.purpose) && !lastWord)
        broken(`${call.process.name} sent ${describeCall(call)} for ${call.purpose} although nothing was left to do`);
    }),
};
