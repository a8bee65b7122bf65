// Where the published topology and the cluster part ways: with the Nodes seen, and with the replicas declared today. Said,
// never acted upon.

import { workerCount } from "../apis/declared-replicas.ts";
import { defaultTopology } from "../apis/infrastructure.ts";
import { publishedIn, type TopologyObserved } from "./assess.ts";
import { misfits, noneSeen } from "./fit.ts";

export function driftOf({ infrastructure, seen, declaredNow }: TopologyObserved): string[] {
  if (infrastructure === undefined) return [];
  const { controlPlane, infrastructure: other } = publishedIn(infrastructure);
  // An empty object is not yet a promise: it is filled first.
  if (controlPlane === "" && other === "") return [];
  const published = { controlPlane: controlPlane || defaultTopology, infrastructure: other || defaultTopology };
  const byNodes = seen === "unknown" || noneSeen(seen) ? [] : misfits(published, seen, "nodes");
  const byReplicas =
    declaredNow.found === "declared"
      ? misfits(published, { ...declaredNow.replicas, workers: workerCount(declaredNow.replicas) }, "declared")
      : [];
  return [...byNodes, ...byReplicas].map(({ words }) => words);
}
