// Make before break, as planned: where a plan adds to a lane and removes from it, the adding comes first.

import { formatRef } from "../../apis/kube/kube-object.ts";
import { laneKey } from "../../core/plan.ts";
import type { Checker } from "./checker.ts";

export const addsBeforeRemoves: Checker = {
  name: "adds-before-removes",
  promise: "within a lane of a plan nothing is added after something was removed",
  watch: (view, broken) =>
    view.on("planned", ({ feature, key, plan }) => {
      const breaking = new Set<string>();
      for (const { kind, lane, removes } of plan.actions) {
        if (removes !== undefined) breaking.add(laneKey(lane));
        else if (breaking.has(laneKey(lane))) broken(`${feature} ${formatRef(key)}: ${kind} comes after a removal`);
      }
    }),
};
