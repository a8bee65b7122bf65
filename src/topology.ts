// mainstay/topology: what operator authors import. The pure answers, and a watcher connected to the cluster the operator
// runs in or a kubeconfig names. A composition root like bin: the only place outside it that knows drivers.

import { connectCluster } from "./bin/connect.ts";
import { jsonLog } from "./drivers/system/json-log.ts";
import { systemClock } from "./drivers/system/system-clock.ts";
import { systemRandom } from "./drivers/system/system-random.ts";
import { TopologyWatcher } from "./jobs/topology/controller/topology-watcher.ts";
import type { Log } from "./ports/log.ts";

export type {
  ControlPlaneTopology,
  Infrastructure,
  InfrastructureTopology,
  Topology,
} from "./jobs/topology/apis/infrastructure.ts";
export { infrastructures } from "./jobs/topology/apis/infrastructure.ts";
export {
  TopologyDouble,
  type TopologyListener,
  type TopologySource,
  TopologyWatcher,
  type TopologyWatcherOptions,
} from "./jobs/topology/controller/topology-watcher.ts";
export { everyTopology, topologyDouble } from "./jobs/topology/core/every-topology.ts";
export {
  applyHighAvailability,
  type Deployment,
  disruptionBudgetFor,
  podAntiAffinity,
  updateStrategyFor,
} from "./jobs/topology/core/high-availability.ts";
export {
  desiredReplicas,
  effectiveSetting,
  leaderElectionFor,
  nodeSelectorFor,
  type Scope,
} from "./jobs/topology/core/operands.ts";
export { parseTopology, type TopologyReading } from "./jobs/topology/core/parse.ts";

export interface ConnectTopologyOptions {
  /** A kubeconfig file. Absent: the cluster the operator runs in, else KUBECONFIG or the one at home. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Absent: warnings go to standard error as lines of JSON. */
  readonly log?: Log;
}

export interface ConnectedTopology {
  readonly watcher: TopologyWatcher;
  close(): Promise<void>;
}

/** A watcher that has begun. Await `watcher.synced` for the first answer. */
export async function connectTopology({ log, ...cluster }: ConnectTopologyOptions = {}): Promise<ConnectedTopology> {
  const connection = await connectCluster({ ...cluster, userAgent: "mainstay-topology" });
  const watcher = new TopologyWatcher({
    kube: connection.kube,
    clock: systemClock,
    random: systemRandom,
    log: log ?? jsonLog({ level: "warn" }),
  });
  watcher.start();
  // Timers of the clock port do not keep a process alive; an operator that waits for `synced` must not just end.
  const alive = setInterval(() => {}, 60_000);
  return {
    watcher,
    close: async () => {
      clearInterval(alive);
      await watcher.stop();
      await connection.close();
    },
  };
}
