// The fence, checked by what reached the server: who last took or renewed the Lease there, at the very moment a write leaves.

import { describeCall } from "../network/port-call.ts";
import type { Checker } from "./checker.ts";

export const oneLeaderWrites: Checker = {
  name: "one-leader-writes",
  promise: "no write leaves a process after another took the Lease, or after it was given back",
  watch: (view, broken) =>
    view.on("left", ({ call }) => {
      const leading = view.leading();
      if (!call.write || call.purpose === "lease" || leading === undefined) return;
      if (leading !== call.process.identity)
        broken(`${call.process.name} sent ${describeCall(call)} while the Lease was held by ${leading}`);
    }),
};
