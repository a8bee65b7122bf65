// Credentials that lead to another project change nothing by themselves: for an object that says where its things are, nothing is made there,
// and from the moment its Secret leads there nothing is changed where they are, either.

import { secrets } from "../../../../apis/kube/builtin-kinds.ts";
import type { Checker } from "../../../../sim/checkers/checker.ts";
import { locationAnnotation } from "../../apis/annotations.ts";
import { resourceOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { clusterOfRound, keyOf, objectFor } from "../endpoint-sim.ts";
import { followRounds } from "../follow-rounds.ts";
import { hasWrongCredentials } from "../people/endpoint-secrets.ts";
import type { SimOf } from "./endpoint-checkers.ts";

export function strayedIsStill(simOf: SimOf): Checker {
  return {
    name: "strayed-is-still",
    promise: "nothing is made in another project, and nothing is changed at all while credentials lead there",
    watch: (view, broken) => {
      const sim = simOf();
      const roundOf = followRounds(sim, view);
      /** Since when the Secret has led elsewhere. */
      const since = new Map<EndpointCluster, number>();
      const look = (): void => {
        for (const cluster of sim.setting.clusters)
          if (!hasWrongCredentials(sim, cluster)) since.delete(cluster);
          else since.set(cluster, since.get(cluster) ?? view.nowMs());
      };
      view.on("restored", look);
      view.on("changed", ({ change }) => {
        if (change.resource === resourceOf(secrets)) look();
      });
      sim.effects.on(({ call, changes }) => {
        const elsewhere = changes.find(({ before, after }) => projectOf(after ?? before) === sim.lab.otherProjectId);
        if (elsewhere !== undefined)
          return broken(`${call.process.name}: ${call.verb} made ${elsewhere.kind} ${elsewhere.id} in another project`);
        const cluster = clusterOfRound(sim, call.actor);
        const strayedMs = cluster === undefined ? undefined : since.get(cluster);
        if (cluster === undefined || strayedMs === undefined || changes.length === 0) return;
        const round = roundOf(call);
        if (round === undefined || round.beganMs <= strayedMs) return;
        if (objectFor(sim, cluster)?.metadata.annotations?.[locationAnnotation] !== undefined)
          broken(`${call.process.name}: ${call.verb} for ${keyOf(cluster)} while its credentials lead elsewhere`);
      });
    },
  };
}

function projectOf(row: object | undefined): unknown {
  return row !== undefined && "projectId" in row ? row.projectId : undefined;
}
