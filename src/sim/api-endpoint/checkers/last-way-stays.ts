// Never last: as long as a cluster is wanted, nothing of ours takes away its last way in. Judged by what could be known: there must have been
// another way at some moment since the round began that decided it.

import { machines } from "../../../apis/cluster-api-kinds.ts";
import { blindAfterRestoreMs, type Checker, type WorldView } from "../../checkers/checker.ts";
import { resourceOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { clusterOfRound, objectFor } from "../endpoint-stage.ts";
import { followRounds } from "../rounds-begun.ts";
import { followWays, type Ways, waysInto } from "../ways-in.ts";
import type { StageOf } from "./endpoint-checkers.ts";

export function lastWayStays(stageOf: StageOf): Checker {
  return {
    name: "last-way-stays",
    promise: "no balancer and no member goes by our hand that was the last healthy way into a wanted cluster",
    watch: (view, broken) => {
      const stage = stageOf();
      const roundOf = followRounds(stage, view);
      const history = followWays(stage);
      const wasGone = followGone(view);
      let before: Ways = new Map();
      view.on("arrived", ({ call }) => {
        const cluster = call.port === "cloud" && call.write ? clusterOfRound(stage, call.actor) : undefined;
        if (cluster !== undefined) before = waysInto(stage, cluster);
      });
      stage.deeds.on(({ call, changes }) => {
        const cluster = clusterOfRound(stage, call.actor);
        const round = roundOf(call);
        if (cluster === undefined || round === undefined || before.size === 0 || changes.length === 0) return;
        if (view.nowMs() < view.restoredAtMs() + blindAfterRestoreMs) return;
        const object = objectFor(stage, cluster);
        if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
        const gone = new Set(changes.flatMap(({ id, after }) => (after === undefined || isLeaving(after) ? [id] : [])));
        if (gone.size === 0 || left(before, gone) > 0 || changes.some(({ before: row }) => wasGone(cluster, row)))
          return;
        if (history.since(cluster, round.beganMs).every((ways) => left(ways, gone) === 0))
          broken(
            `${call.process.name}: ${call.verb} ${call.target} took the last way into ${cluster.namespace}/${cluster.name}`,
          );
      });
    },
  };
}

/** A cache may still show that a Machine is gone when another of its name has come: then its member is nobody's. */
const cacheLagMs = 60_000;

function followGone(view: WorldView): (cluster: EndpointCluster, row: object | undefined) => boolean {
  const goneMs = new Map<string, number>();
  view.on("changed", ({ change }) => {
    if (change.type === "DELETED" && change.resource === resourceOf(machines)) goneMs.set(change.key, view.nowMs());
  });
  return ({ namespace }, row) => {
    const name = row !== undefined && "poolId" in row && "name" in row ? String(row.name) : "";
    return [...goneMs].some(([key, ms]) => {
      const [place = "", machine = ""] = key.split("/");
      return place === namespace && name.endsWith(`-${machine}`) && ms > view.nowMs() - cacheLagMs;
    });
  };
}

function isLeaving(row: object): boolean {
  return "provisioningStatus" in row && row.provisioningStatus === "PENDING_DELETE";
}

/** How many ways there are without these. */
function left(ways: Ways, gone: ReadonlySet<string>): number {
  return [...ways].filter(([id, members]) => !gone.has(id) && [...members].some((member) => !gone.has(member))).length;
}
