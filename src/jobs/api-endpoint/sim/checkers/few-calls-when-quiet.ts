// Looking again is cheap: while nothing moves, one call to Octavia tells a cluster's whole story.

import { formatRef } from "../../../../apis/kube/kube-object.ts";
import type { Checker } from "../../../../sim/checkers/checker.ts";
import { clusterOfRound } from "../endpoint-stage.ts";
import type { StageOf } from "./endpoint-checkers.ts";

const bearable = 1;
/** A look is trusted once a later one has shown the same. With longer pauses it is not yet in the short time of quiet. */
const longestPauseMs = 10_000;

export function fewCallsWhenQuiet(stageOf: StageOf): Checker {
  return {
    name: "few-calls-when-quiet",
    promise: "a look at a converged cluster costs one call to Octavia",
    watch: (view, broken) => {
      const stage = stageOf();
      if (stage.setting.observeAgainMs > longestPauseMs) return;
      /** By process and object, of rounds that began in quiet. */
      const calls = new Map<string, number>();
      view.on("observing", ({ process, feature, key }) => {
        if (view.isQuiet() && clusterOfRound(stage, { feature, key }) !== undefined)
          calls.set(`${process.name} ${feature} ${formatRef(key)}`, 0);
      });
      view.on("left", ({ call }) => {
        if (call.port !== "cloud" || call.path !== "octavia" || call.actor === undefined) return;
        const who = `${call.process.name} ${call.actor.feature} ${formatRef(call.actor.key)}`;
        const before = calls.get(who);
        if (before === undefined) return;
        calls.set(who, before + 1);
        if (before + 1 > bearable) broken(`${who}: ${call.verb} was call ${before + 1} to Octavia of one look`);
      });
    },
  };
}
