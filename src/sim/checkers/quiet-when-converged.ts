// Quiet: once everything is as wanted, nothing is written and nothing is asked but what keeps watches and the Lease alive, now and then
// how a cloud is that reports no changes, and what a job declares that it reads for that (`readsWhenQuiet`).

import { describeCall, type PortCall } from "../network/port-call.ts";
import type { Checker } from "./checker.ts";

/** `list` with `watch`: a watch that goes on makes sure first that history is still the same. */
const steady = new Set(["lease", "watch", "list", "observe-again"]);

export const quietWhenConverged: Checker = {
  name: "quiet-when-converged",
  promise: "a converged system sends nothing but renewals of watches and of the Lease, and observations of clouds",
  watch: (view, broken) =>
    view.on("left", ({ call }) => {
      // A series of events that came to its end is sent once more, with its last count.
      const lastWord = call.purpose === "event" && call.verb === "PATCH";
      if (view.isQuiet() && !keepsGoing(call, view.readsWhenQuiet) && !lastWord)
        broken(`${call.process.name} sent ${describeCall(call)} for ${call.purpose} although nothing was left to do`);
    }),
};

/** What is sent for ever, whether there is something to do or not. */
export function keepsGoing({ purpose, target }: PortCall, readsWhenQuiet: ReadonlySet<string>): boolean {
  const isObservation = purpose === "get" && readsWhenQuiet.has(target.split("/", 1)[0] ?? "");
  return isObservation || steady.has(purpose);
}
