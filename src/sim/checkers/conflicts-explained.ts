// A conflict says that our cache is not what the server has. Then something has to be done about the cache: trying again from the same one
// can only end the same way.

import { describeCall } from "../network/port-call.ts";
import type { Checker } from "./checker.ts";

/** One is a race; what left before it was answered may bring more; then the cache has been looked after. */
const bearable = 3;

export const conflictsExplained: Checker = {
  name: "conflicts-explained",
  promise: "a write that conflicts is not sent again and again while the object stays as it is",
  watch: (view, broken) => {
    /** Process, verb and target → the version that they bounced off, and how often. */
    const bounced = new Map<string, { readonly version: string | undefined; readonly times: number }>();
    view.on("arrived", ({ call, status, before }) => {
      if (call.port !== "kube" || !call.write || call.purpose === "lease" || call.purpose === "event") return;
      const who = `${call.process.name} ${describeCall(call)}`;
      const version = before?.metadata.resourceVersion;
      const known = bounced.get(who);
      if (status !== 409) return void bounced.delete(who);
      const times = known?.version === version ? (known?.times ?? 0) + 1 : 1;
      bounced.set(who, { version, times });
      if (version !== undefined && times > bearable)
        broken(`${who} conflicted ${times} times with the same version ${version}: its cache is not looked after`);
    });
  },
};
