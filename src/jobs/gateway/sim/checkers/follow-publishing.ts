// What checkers know about publishing: when the round began in which a Service was last published, and whether people or operators have done
// something to it since that may cost it its address.

import { formatRef, type KubeObject, refOf } from "../../../../apis/kube/kube-object.ts";
import { isBlindAfterRestore, type WorldView } from "../../../../sim/checkers/checker.ts";
import { keyOfPath } from "../../../../sim/network/kube-path.ts";
import type { PortCall } from "../../../../sim/network/port-call.ts";
import type { Service } from "../../apis/kube-objects.ts";
import { type GatewaySim, serviceAt, serviceResource } from "../gateway-sim.ts";

export interface Published {
  readonly key: string;
  /** As it was when it was decided: the write is bound to it. */
  readonly before: Service;
  readonly after: Service;
  readonly call: PortCall;
  readonly roundBeganMs: number;
}

export interface PublishWatch {
  onPublished(listener: (published: Published) => void): void;
  /** Nobody did anything to it since it was published, in this life of the world. */
  isSettled(key: string): boolean;
  isUntouchedSince(key: string, sinceMs: number): boolean;
}

export function followPublishing(sim: GatewaySim, view: WorldView): PublishWatch {
  const rounds = new Map<string, number>();
  const lastRoundMs = new Map<string, number>();
  const listeners: ((published: Published) => void)[] = [];
  view.on("observing", ({ process, key }) => void rounds.set(`${process.name} ${formatRef(key)}`, view.nowMs()));
  view.on("restored", () => lastRoundMs.clear());
  view.on("arrived", ({ call, status, before }) => {
    const path = call.inCluster;
    if (
      call.purpose !== "publish-ingress" ||
      status >= 300 ||
      before === undefined ||
      path?.resource !== serviceResource
    )
      return;
    const key = keyOfPath(path);
    const after = serviceAt(sim, key);
    if (after === undefined || call.actor === undefined) return;
    const roundBeganMs = rounds.get(`${call.process.name} ${formatRef(call.actor.key)}`) ?? 0;
    for (const listener of listeners) listener({ key, before, after, call, roundBeganMs });
    lastRoundMs.set(key, roundBeganMs);
  });
  const isUntouchedSince = (key: string, sinceMs: number) => (sim.mayMove.get(key) ?? -1) < sinceMs;
  return {
    onPublished: (listener) => void listeners.push(listener),
    isSettled: (key) => {
      const sinceMs = lastRoundMs.get(key);
      return sinceMs !== undefined && isUntouchedSince(key, sinceMs) && !isBlindAfterRestore(view);
    },
    isUntouchedSince,
  };
}

export function shownBy(service: Service | undefined): readonly string[] {
  return (service?.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []);
}

export function keyOfService(service: KubeObject): string {
  return formatRef(refOf(service));
}
