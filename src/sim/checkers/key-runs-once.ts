// One key never runs twice at once in one process, however its earlier run ended; and beside what an earlier round left under way nothing
// begins that must not. What ended while the world was observed counts, too: the plan may have been made without its effect.

import { formatRef } from "../../apis/kube/kube-object.ts";
import { type Action, laneKey } from "../../core/plan.ts";
import type { Checker } from "./checker.ts";
import type { RoundRef } from "./sim-events.ts";

interface Begun {
  readonly action: Action;
  readonly round: number;
  ended: boolean;
}

interface Key {
  observing: number;
  round: number;
  begun: Begun[];
}

export const keyRunsOnce: Checker = {
  name: "key-runs-once",
  promise:
    "a key is observed once at a time; while something of an earlier round is under way nothing else begins in its lane, no second removal, and nothing that concerns the whole object",
  watch: (view, broken) => {
    const keys = new Map<string, Key>();
    const nameOf = ({ process, feature, key }: RoundRef): string => `${process.name} ${feature} ${formatRef(key)}`;
    const keyOf = (round: RoundRef): Key => {
      const known = keys.get(nameOf(round)) ?? { observing: 0, round: 0, begun: [] };
      keys.set(nameOf(round), known);
      return known;
    };
    view.on("observing", (round) => {
      const key = keyOf(round);
      if (key.observing > 0) broken(`${nameOf(round)} began again before its last round had ended`);
      key.observing += 1;
      key.round += 1;
      key.begun = key.begun.filter(({ ended }) => !ended);
    });
    view.on("observed", (round) => void (keyOf(round).observing -= 1));
    view.on("executing", ({ action, ...round }) => {
      const key = keyOf(round);
      const earlier = key.begun.filter((begun) => begun.round < key.round);
      const other = earlier.find((begun) => isForbidden(action, begun.action))?.action;
      if (other !== undefined) broken(`${nameOf(round)} began ${action.kind} beside ${other.kind} of an earlier round`);
      key.begun.push({ action, round: key.round, ended: false });
    });
    view.on("executed", ({ action, ...round }) => {
      const begun = keyOf(round).begun.find((one) => one.action === action);
      if (begun !== undefined) begun.ended = true;
    });
  },
};

function isForbidden(action: Action, other: Action): boolean {
  if (action.lane === undefined || laneKey(action.lane) === laneKey(other.lane)) return true;
  return action.removes !== undefined && other.removes !== undefined;
}
