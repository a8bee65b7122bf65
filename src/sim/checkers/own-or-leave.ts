// Own or leave: what bears no mark of ours is neither deleted nor, for the kinds we make, changed.

import { markLabel } from "../../core/ownership.ts";
import { describeCall } from "../port-call.ts";
import type { Checker } from "./checker.ts";

export const ownOrLeave: Checker = {
  name: "own-or-leave",
  promise: "nothing is deleted in the cluster that bears no mark of ours, and no child of somebody else is changed",
  watch: (view, broken) =>
    view.on("arrived", ({ call, status, before }) => {
      if (call.port !== "kube" || status >= 300 || before === undefined || call.purpose === "lease") return;
      const taken = call.verb === "DELETE" || (call.verb === "PATCH" && call.target.startsWith("configmaps/"));
      if (taken && before.metadata.labels?.[markLabel] === undefined)
        broken(`${call.process.name}: ${describeCall(call)} of something that is not ours`);
    }),
};
