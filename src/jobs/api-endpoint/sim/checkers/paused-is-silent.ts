// Paused means that nothing is done: from the moment a process has seen the pause, on the object or on its Cluster, it asks the cloud
// nothing for that object, not even how it is.

import { clusters } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { formatRef } from "../../../../apis/kube/kube-object.ts";
import type { Checker } from "../../../../sim/checkers/checker.ts";
import { pausedAnnotation } from "../../apis/annotations.ts";
import { kindOf } from "../endpoint-objects.ts";
import { clusterOfRound, keyOf } from "../endpoint-sim.ts";
import type { SimOf } from "./endpoint-checkers.ts";

export function pausedIsSilent(simOf: SimOf): Checker {
  return {
    name: "paused-is-silent",
    promise: "no call to the cloud leaves for an object that its caches showed paused as the round began",
    watch: (view, broken) => {
      const sim = simOf();
      /** By process and object: by whose word, of the round that runs. */
      const paused = new Map<string, string>();
      view.on("observing", ({ process, feature, key, cached }) => {
        const cluster = clusterOfRound(sim, { feature, key });
        if (cluster === undefined) return;
        const { namespace, name } = cluster;
        const own = cached(kindOf(cluster.door)).get(key)?.metadata.annotations?.[pausedAnnotation];
        const isClusterPaused = cached(clusters).get({ namespace, name })?.spec?.paused === true;
        const who = `${process.name} ${feature} ${formatRef(key)}`;
        const by = own === undefined ? (isClusterPaused ? "its Cluster" : undefined) : "its annotation";
        if (by === undefined) paused.delete(who);
        else paused.set(who, by);
      });
      view.on("left", ({ call }) => {
        const { process, actor, verb } = call;
        const cluster = call.port === "cloud" ? clusterOfRound(sim, actor) : undefined;
        if (cluster === undefined || actor === undefined) return;
        const by = paused.get(`${process.name} ${actor.feature} ${formatRef(actor.key)}`);
        if (by !== undefined)
          broken(
            `${process.name} asked the cloud for ${verb} on behalf of ${keyOf(cluster)}, which is paused by ${by}`,
          );
      });
    },
  };
}
