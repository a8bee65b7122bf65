// One key never runs twice at once in one process, however its earlier run ended.

import { formatRef } from "../../apis/kube/kube-object.ts";
import type { Checker } from "./checker.ts";
import type { RoundRef } from "./sim-events.ts";

export const keyRunsOnce: Checker = {
  name: "key-runs-once",
  promise: "a round of a key begins only when nothing of an earlier round of it is still under way",
  watch: (view, broken) => {
    const busy = new Map<string, number>();
    const nameOf = ({ process, feature, key }: RoundRef): string => `${process.name} ${feature} ${formatRef(key)}`;
    const count = (round: RoundRef, by: number): void => {
      const name = nameOf(round);
      busy.set(name, (busy.get(name) ?? 0) + by);
    };
    view.on("observing", (round) => {
      if ((busy.get(nameOf(round)) ?? 0) > 0) broken(`${nameOf(round)} began again before its last round had ended`);
      count(round, 1);
    });
    view.on("observed", (round) => count(round, -1));
    view.on("executing", (round) => count(round, 1));
    view.on("executed", (round) => count(round, -1));
  },
};
