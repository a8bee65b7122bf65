// Own or leave: a Service keeps its address through crashes, new leaders and stripped records, for as long as nobody asks for another or takes
// it away in the cloud.

import { type Checker, isBlindAfterRestore } from "../../../../sim/checkers/checker.ts";
import { foreignIngress } from "../gateway-objects.ts";
import { followPublishing, shownBy } from "./follow-publishing.ts";
import type { SimOf } from "./gateway-checkers.ts";

export function serviceAddressStays(simOf: SimOf): Checker {
  return {
    name: "service-address-stays",
    promise: "a Service that nobody changed, and whose address is still there, is not published with another one",
    watch: (view, broken) => {
      const publishing = followPublishing(simOf(), view);
      /** By uid. */
      const addresses = new Map<string, string>();
      view.on("restored", () => addresses.clear());
      publishing.onPublished(({ key, after, call }) => {
        const { uid = "" } = after.metadata;
        const shown = shownBy(after).find((ip) => ip !== foreignIngress.ip);
        const was = addresses.get(uid);
        if (shown !== undefined) addresses.set(uid, shown);
        if (was === undefined || was === shown || isBlindAfterRestore(view) || !publishing.isSettled(key)) return;
        broken(`${call.process.name} published ${shown ?? "nothing"} for ${key} instead of ${was}`);
      });
    },
  };
}
