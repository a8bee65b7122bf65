// Canaries are planted in every credential. None may be seen in what a process logs, writes or says.

import { describeCall } from "../port-call.ts";
import type { Checker } from "./checker.ts";

/** Every canary begins like this. */
export const canaryPrefix = "CANARY-";

export const noSecretShown: Checker = {
  name: "no-secret-shown",
  promise: "no credential is seen in a log line, an event, a status or any other write",
  watch: (view, broken) => {
    view.on("logged", ({ process, text }) => {
      if (text.includes(canaryPrefix)) broken(`${process.name} logged a secret`);
    });
    view.on("left", ({ call }) => {
      if (call.body.includes(canaryPrefix) || call.target.includes(canaryPrefix))
        broken(`${call.process.name} sent a secret with ${describeCall(call)}`);
    });
  },
};
