// Paused is hands off: from the moment a process has seen the word, it asks the cloud nothing for that object, not even how it is.

import { pausedAnnotation } from "../../../apis/api-endpoint-annotations.ts";
import type { KubeObject } from "../../../apis/kube-object.ts";
import type { Checker } from "../../checkers/checker.ts";
import { kindOf, resourceOf } from "../endpoint-objects.ts";
import { clusterOfRound, keyOf } from "../endpoint-stage.ts";
import { followRounds } from "../rounds-begun.ts";
import type { StageOf } from "./endpoint-checkers.ts";

export function pausedIsSilent(stageOf: StageOf): Checker {
  return {
    name: "paused-is-silent",
    promise: "no call to the cloud leaves for an object that was paused when its round began",
    watch: (view, broken) => {
      const stage = stageOf();
      const roundOf = followRounds(stage, view);
      const pausedVersions = new Set<string>();
      view.on("changed", ({ change }) => {
        const isOurs = stage.setting.clusters.some((each) => resourceOf(kindOf(each.door)) === change.resource);
        const { metadata } = change.object as unknown as KubeObject;
        if (isOurs && metadata.annotations?.[pausedAnnotation] !== undefined)
          pausedVersions.add(`${change.key} ${metadata.resourceVersion}`);
      });
      view.on("restored", () => pausedVersions.clear());
      view.on("left", ({ call }) => {
        const cluster = call.port === "cloud" ? clusterOfRound(stage, call.actor) : undefined;
        if (cluster === undefined) return;
        if (pausedVersions.has(`${keyOf(cluster)} ${roundOf(call)?.cachedVersion}`))
          broken(
            `${call.process.name} asked the cloud for ${call.verb} on behalf of ${keyOf(cluster)}, which is paused`,
          );
      });
    },
  };
}
