// What may begin while lanes of the same key are under way. A plan that is made beside them sees a world in which their actions may have
// taken effect, or not.
//
//   an action                    waits while there is under way
//   of a lane                    anything of the same lane
//   that takes something away    anything that takes something away: what would be left was counted with it still there
//   without a lane               anything at all: it concerns the whole object, as a finalizer does

import { describeAction } from "../../core/describe-action.ts";
import { type Action, laneKey } from "../../core/plan.ts";
import type { ActionOutcome } from "../feature.ts";

/** What the action waits for; undefined: it may begin. */
export function waitsFor(action: Action, underWay: readonly Action[]): Action | undefined {
  if (action.lane === undefined) return underWay[0];
  const lane = laneKey(action.lane);
  const inLane = underWay.find((other) => laneKey(other.lane) === lane);
  if (inLane !== undefined || action.removes === undefined) return inLane;
  return underWay.find(({ removes }) => removes !== undefined);
}

/** Says nothing of how long it has taken: the words are those of the status, which must not change by themselves. */
export function heldBack(action: Action, other: Action): ActionOutcome {
  const [words, otherWords] = [describeAction(action), describeAction(other)];
  const message =
    words === otherWords
      ? `${words}: it is under way and has not been answered yet`
      : `${words}: it waits for a change that has not been answered yet: ${otherWords}`;
  return { action, result: "skipped", reason: "ChangeUnderWay", message };
}
