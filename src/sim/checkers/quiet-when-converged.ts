// Quiet: once everything is as wanted, nothing is written and nothing is asked but what keeps watches and the Lease alive, and now and then
// how a cloud is that tells nobody of its changes.

import { describeCall } from "../network/port-call.ts";
import type { Checker } from "./checker.ts";

/** `list` with `watch`: a watch that goes on makes sure first that history is still the same. */
const steady = new Set(["lease", "watch", "list", "relook"]);
/** Whoever looks at a cloud again reads its credentials afresh, and whether CAPO's object still waits. */
const relooked = /^(?:secrets|clusters|openstackclusters)\//;

export const quietWhenConverged: Checker = {
  name: "quiet-when-converged",
  promise: "a converged system sends nothing but renewals of watches and of the Lease, and looks at clouds",
  watch: (view, broken) =>
    view.on("left", ({ call }) => {
      // A series of events that came to its end is sent once more, with its last count.
      const lastWord = call.purpose === "event" && call.verb === "PATCH";
      const isRelook = call.purpose === "get" && relooked.test(call.target);
      if (view.isQuiet() && !steady.has(call.purpose) && !lastWord && !isRelook)
        broken(`${call.process.name} sent ${describeCall(call)} for ${call.purpose} although nothing was left to do`);
    }),
};
