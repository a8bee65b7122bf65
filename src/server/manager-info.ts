// What is said about the manager behind this server, and about its fellows where they are known.

import { resourceName } from "../apis/kube-object.ts";
import type { Insight } from "../ports/insight.ts";
import type { ManagerInfo, ReplicaInfo } from "./contract.ts";

export interface ManagerInfoOptions {
  readonly insight: Insight;
  readonly version: string;
  readonly demo: boolean;
  readonly startedAtMs: number;
  readonly replicas?: () => readonly ReplicaInfo[];
}

export function managerInfo({ insight, version, demo, startedAtMs, replicas }: ManagerInfoOptions): ManagerInfo {
  const { identity, leading, epoch, leader, ready, missing, controllers } = insight.manager();
  return {
    identity,
    version,
    demo,
    leading,
    ...(epoch === undefined ? {} : { epoch }),
    ...(leader === "" ? {} : { leader }),
    ready,
    missing,
    startedAt: new Date(startedAtMs).toISOString(),
    controllers: controllers.map(({ name, root }) => ({ name, resource: resourceName(root) })),
    replicas: replicas?.() ?? [{ identity, state: leading ? "leading" : "standby" }],
  };
}
