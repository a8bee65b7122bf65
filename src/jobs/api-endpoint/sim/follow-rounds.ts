// When the round began that a call belongs to. What a plan may rest on is what was true at some moment since.

import { machines } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { formatRef, type KubeObject } from "../../../apis/kube/kube-object.ts";
import type { WorldView } from "../../../sim/checkers/checker.ts";
import type { PortCall } from "../../../sim/network/port-call.ts";
import { clusterOfRound, type EndpointSim, objectFor } from "./endpoint-sim.ts";

export interface Round {
  readonly beganMs: number;
  /** The object as it was in storage then. */
  readonly object: KubeObject | undefined;
  readonly cachedVersion: string | undefined;
  /** Uids of the Machines that its caches showed then, without those on their way out. */
  readonly machineUids: ReadonlySet<string | undefined>;
}

export type RoundOf = (call: PortCall) => Round | undefined;

export function followRounds(sim: EndpointSim, view: WorldView): RoundOf {
  const rounds = new Map<string, Round>();
  view.on("observing", ({ process, feature, key, cachedVersion, cached }) => {
    const cluster = clusterOfRound(sim, { feature, key });
    if (cluster === undefined) return;
    const object = objectFor(sim, cluster);
    const staying = cached(machines)
      .list()
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const machineUids = new Set(staying.map(({ metadata }) => metadata.uid));
    const round = { beganMs: view.nowMs(), object, cachedVersion, machineUids };
    rounds.set(`${process.name} ${feature} ${formatRef(key)}`, round);
  });
  return ({ process, actor }) =>
    actor === undefined ? undefined : rounds.get(`${process.name} ${actor.feature} ${formatRef(actor.key)}`);
}
