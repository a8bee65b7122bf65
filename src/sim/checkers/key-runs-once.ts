// One key never runs twice at once in one process, however its earlier run ended.

import { formatRef } from "../../apis/kube/kube-object.ts";
import type { Checker } from "./checker.ts";
import type { Doing } from "./evidence.ts";

export const keyRunsOnce: Checker = {
  name: "key-runs-once",
  promise: "a round of a key begins only when nothing of an earlier round of it is still under way",
  watch: (view, broken) => {
    const busy = new Map<string, number>();
    const nameOf = ({ process, feature, key }: Doing): string => `${process.name} ${feature} ${formatRef(key)}`;
    const count = (doing: Doing, by: number): void => {
      const name = nameOf(doing);
      busy.set(name, (busy.get(name) ?? 0) + by);
    };
    view.on("observing", (doing) => {
      if ((busy.get(nameOf(doing)) ?? 0) > 0) broken(`${nameOf(doing)} began again before its last round had ended`);
      count(doing, 1);
    });
    view.on("observed", (doing) => count(doing, -1));
    view.on("executing", (doing) => count(doing, 1));
    view.on("executed", (doing) => count(doing, -1));
  },
};
