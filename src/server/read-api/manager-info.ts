// The answer about the manager behind this server, and about its other replicas where they are known.

import { resourceName } from "../../apis/kube/kube-object.ts";
import type { Insight } from "../../ports/insight.ts";
import type { ManagerInfo, ReplicaInfo } from "../contract.ts";

export interface ManagerInfoOptions {
  readonly insight: Insight;
  readonly version: string;
  readonly demo: boolean;
  readonly startedAtMs: number;
  /** Since when it is not ready, if it was before. */
  readonly unreadySinceMs: number | undefined;
  readonly replicas?: () => readonly ReplicaInfo[];
}

export function managerInfo(options: ManagerInfoOptions): ManagerInfo {
  const { insight, version, demo, startedAtMs, unreadySinceMs, replicas } = options;
  const { identity, leading, epoch, leader, ready, missing, controllers } = insight.manager();
  return {
    identity,
    version,
    demo,
    leading,
    ...(epoch === undefined ? {} : { term: epoch }),
    ...(leader === "" ? {} : { leader }),
    ready,
    ...(ready || unreadySinceMs === undefined ? {} : { sawAllUntil: new Date(unreadySinceMs).toISOString() }),
    missing,
    startedAt: new Date(startedAtMs).toISOString(),
    controllers: controllers.map(({ name, root }) => ({ name, resource: resourceName(root) })),
    replicas: replicas?.() ?? [{ identity, state: leading ? "leading" : "standby" }],
  };
}
