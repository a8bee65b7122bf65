// A connection to the cluster that a person or a Pod means: kubeconfig, environment, or the cluster it runs in. Wiring only.

import { homedir } from "node:os";
import { present } from "../core/present.ts";
import { kubeClient } from "../drivers/kube/client.ts";
import { clusterConnection } from "../drivers/kube/kubeconfig/cluster-connection.ts";
import { undiciTransport } from "../drivers/kube/undici-transport.ts";
import { systemClock } from "../drivers/system/system-clock.ts";
import type { Kube } from "../ports/kube.ts";

export interface ConnectClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly userAgent?: string;
  readonly interactive?: boolean;
}

export async function connectCluster(
  options: ConnectClusterOptions = {},
): Promise<{ readonly kube: Kube; close(): Promise<void> }> {
  const { kubeconfig, context, userAgent, interactive = false } = options;
  const connection = await clusterConnection({
    environment: process.env,
    home: homedir(),
    clock: systemClock,
    interactive,
    ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
    ...present({ context }),
  });
  const transport = undiciTransport({ connection });
  const kube = kubeClient({ transport, clock: systemClock, ...present({ userAgent }) });
  return { kube, close: () => transport.close() };
}
