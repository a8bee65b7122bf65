// Observing again is cheap: while nothing changes, one call to Octavia shows the state of a whole cluster.

import { formatRef } from "../../../../apis/kube/kube-object.ts";
import type { Checker } from "../../../../sim/checkers/checker.ts";
import { clusterOfRound } from "../endpoint-sim.ts";
import type { SimOf } from "./endpoint-checkers.ts";

const bearable = 1;
/** What was observed is trusted once it was observed again. With longer pauses that is not yet so in the short time of quiet. */
const longestPauseMs = 10_000;

export function fewCallsWhenQuiet(simOf: SimOf): Checker {
  return {
    name: "few-calls-when-quiet",
    promise: "observing a converged cluster costs one call to Octavia",
    watch: (view, broken) => {
      const sim = simOf();
      if (sim.setting.observeAgainMs > longestPauseMs) return;
      /** By process and object, of rounds that began in quiet; undefined for the first: it may ask for what was put off until all is whole. */
      const calls = new Map<string, number | undefined>();
      view.on("observing", ({ process, feature, key }) => {
        const who = `${process.name} ${feature} ${formatRef(key)}`;
        if (!view.isQuiet()) calls.delete(who);
        else if (clusterOfRound(sim, { feature, key }) !== undefined) calls.set(who, calls.has(who) ? 0 : undefined);
      });
      view.on("left", ({ call }) => {
        if (call.port !== "cloud" || call.path !== "octavia" || call.actor === undefined) return;
        const who = `${call.process.name} ${call.actor.feature} ${formatRef(call.actor.key)}`;
        const before = calls.get(who);
        if (before === undefined) return;
        calls.set(who, before + 1);
        if (before + 1 > bearable) broken(`${who}: ${call.verb} was call ${before + 1} to Octavia of one round`);
      });
    },
  };
}
