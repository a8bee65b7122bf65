// Quiet, while there is work as well: what an object says already is not written to it again.

import { keyOfPath } from "../network/kube-path.ts";
import { describeCall } from "../network/port-call.ts";
import type { Checker } from "./checker.ts";

export const writesChangeSomething: Checker = {
  name: "writes-change-something",
  promise: "no patch arrives that leaves its object as it was",
  watch: (view, broken) =>
    view.on("arrived", ({ call, status, before }) => {
      const path = call.inCluster;
      if (before === undefined || path === undefined || call.verb !== "PATCH" || status >= 300) return;
      if (call.purpose === "lease" || call.purpose === "event") return;
      const after = view.objectAt(path.resource, keyOfPath(path));
      if (after?.metadata.resourceVersion === before.metadata.resourceVersion)
        broken(`${call.process.name}: ${describeCall(call)} for ${call.purpose} changed nothing`);
    }),
};
