// When the round began that a call belongs to. What a plan may rest on is what was true at some moment since.

import { formatRef, type KubeObject } from "../../apis/kube-object.ts";
import type { WorldView } from "../checkers/checker.ts";
import type { PortCall } from "../port-call.ts";
import { clusterOfRound, type EndpointStage, objectFor } from "./endpoint-stage.ts";

export interface Round {
  readonly beganMs: number;
  /** The object as it was in storage then. */
  readonly object: KubeObject | undefined;
  readonly cachedVersion: string | undefined;
}

export type RoundOf = (call: PortCall) => Round | undefined;

export function followRounds(stage: EndpointStage, view: WorldView): RoundOf {
  const rounds = new Map<string, Round>();
  view.on("observing", ({ process, feature, key, cachedVersion }) => {
    const cluster = clusterOfRound(stage, { feature, key });
    if (cluster === undefined) return;
    const object = objectFor(stage, cluster);
    rounds.set(`${process.name} ${feature} ${formatRef(key)}`, { beganMs: view.nowMs(), object, cachedVersion });
  });
  return ({ process, actor }) =>
    actor === undefined ? undefined : rounds.get(`${process.name} ${actor.feature} ${formatRef(actor.key)}`);
}
