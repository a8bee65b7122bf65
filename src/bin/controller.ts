// The controller manager as a process: real clock, real API server, health endpoint, SIGTERM. Wiring only.

import { homedir, hostname } from "node:os";
import { type Configuration, gatesOf, guardOf, leaseTimingsOf } from "../cli/configuration/configuration.ts";
import { enabledFeatures } from "../cli/configuration/enabled-features.ts";
import { publishConfiguration } from "../cli/configuration/published-configuration.ts";
import { present } from "../core/present.ts";
import { undiciGatewayFeed } from "../drivers/gateway-feed/undici-gateway-feed.ts";
import { kubeClient } from "../drivers/kube/client.ts";
import { clusterConnection } from "../drivers/kube/kubeconfig/cluster-connection.ts";
import { undiciTransport } from "../drivers/kube/undici-transport.ts";
import { hmacTokens } from "../drivers/system/hmac-tokens.ts";
import { jsonLog } from "../drivers/system/json-log.ts";
import { systemClock } from "../drivers/system/system-clock.ts";
import { systemOpaqueIds } from "../drivers/system/system-opaque-ids.ts";
import { systemProbe } from "../drivers/system/system-probe.ts";
import { systemRandom } from "../drivers/system/system-random.ts";
import { leaseNameFor } from "../engine/lease/lease-name.ts";
import type { LeaseTimings } from "../engine/lease/lease-timings.ts";
import { Manager } from "../engine/manager.ts";
import { managerInsight } from "../engine/report/manager-insight.ts";
import { createMetrics, type Metrics, recordRequest } from "../engine/report/metrics.ts";
import { PlanJournal } from "../engine/report/plan-journal.ts";
import { allJobs } from "../jobs/all.ts";
import { allFeatures } from "../jobs/features.ts";
import { leaseTimingsFor } from "../jobs/topology/controller/lease-timings.ts";
import type { Kube } from "../ports/kube.ts";
import type { Log } from "../ports/log.ts";
import { clusterAccess } from "../server/access/access.ts";
import { cannotListen } from "../server/cannot-listen.ts";
import { startHealthServer } from "../server/health.ts";
import { type DashboardServer, startDashboardServer } from "./dashboard-server.ts";
import { connectOpenStack } from "./openstack.ts";
import { startWebhooks } from "./webhooks.ts";

export interface RunningController {
  /** Where /healthz, /readyz and /metrics are served. */
  readonly healthAddress: string;
  /** Where the dashboard and its API are served, when they are. */
  readonly dashboardAddress?: string;
  /** Where the webhooks for admission and conversion are served, when they are. */
  readonly webhookAddress?: string;
  stop(): Promise<void>;
}

export async function startController(configuration: Configuration, version: string): Promise<RunningController> {
  const log = jsonLog({ level: configuration.log.level });
  const metrics = createMetrics(
    allJobs.map((job) => job.metrics),
    configuration.metrics.objectLimit,
  );
  describeProcess(metrics, configuration, version);
  const connection = await clusterConnection({
    environment: process.env,
    home: homedir(),
    clock: systemClock,
    ...(configuration.kubeconfig === undefined ? {} : { path: configuration.kubeconfig }),
    ...(configuration.context === undefined ? {} : { context: configuration.context }),
  });
  const transport = undiciTransport({ connection });
  // Renewals of the lease have connections of their own and no rate limit, so that nothing delays them.
  const leaseTransport = undiciTransport({ connection, maxConnections: 2 });
  const { insecure } = await connection.trust();
  if (insecure) log.warn("the API server's certificate is not verified", { server: connection.server });
  const client = { clock: systemClock, log, userAgent: `mainstay/${version}`, onRequest: recordRequest(metrics) };
  const kube = kubeClient({ ...client, transport, rateLimit: configuration.client });
  const leaseKube = kubeClient({ ...client, transport: leaseTransport });
  const configured = leaseTimingsOf(configuration.leaderElection);
  const timings = configuration.leaderElection.followTopology
    ? await leaseTimingsFor(leaseKube, configured)
    : configured;
  const clouds = connectOpenStack(version, metrics);
  const feed = undiciGatewayFeed({ clock: systemClock });
  const gateways = { feed, tokens: hmacTokens, clock: systemClock, random: systemRandom };
  const features = enabledFeatures(configuration, allFeatures, { ...clouds, probe: systemProbe, gateways });
  const settings = { ...managerSettings(configuration, leaseKube, timings), features };
  const journal = new PlanJournal();
  const leading = new Set<() => void>();
  const onLeading = (): void => {
    for (const listener of leading) listener();
  };
  const parts = { kube, clock: systemClock, random: systemRandom, log, metrics, ...settings };
  const manager = new Manager({ ...parts, journal, onLeading });
  const closeTransports = () => Promise.all([transport.close(), leaseTransport.close(), clouds.close(), feed.close()]);
  const health = await startHealthServer({
    ...configuration.health,
    readiness: () => manager.readiness(),
    metrics: () => metrics.text(),
  }).catch(async (error: unknown) => {
    await closeTransports();
    throw error;
  });
  manager.start();
  const insight = managerInsight({ manager, journal, kube, ...settings, onLeading: listenersOf(leading) });
  const stopAll = async () => {
    await manager.stop();
    await health.close();
    await closeTransports();
  };
  const dashboard = await startDashboard(configuration, { insight, kube, log, version }).catch(
    async (error: unknown) => {
      await stopAll();
      throw cannotListen("dashboard", configuration.dashboard, error);
    },
  );
  const webhooks = await startWebhooks(configuration, log, allJobs).catch(async (error: unknown) => {
    await dashboard?.close();
    await stopAll();
    throw error;
  });
  const addresses = {
    health: health.address,
    ...(dashboard === undefined ? {} : { dashboard: dashboard.url }),
    ...(webhooks === undefined ? {} : { webhooks: webhooks.address }),
  };
  log.info("controller manager started", { version, ...addresses, server: connection.server });
  return {
    healthAddress: health.address,
    ...(dashboard === undefined ? {} : { dashboardAddress: dashboard.url }),
    ...(webhooks === undefined ? {} : { webhookAddress: webhooks.address }),
    async stop() {
      await webhooks?.close();
      await dashboard?.close();
      await stopAll();
      log.info("controller manager stopped");
    },
  };
}

interface DashboardParts {
  readonly insight: ReturnType<typeof managerInsight>;
  readonly kube: Kube;
  readonly log: Log;
  readonly version: string;
}

async function startDashboard(
  { dashboard: { enabled, bind, port, hosts } }: Configuration,
  { insight, kube, log, version }: DashboardParts,
): Promise<DashboardServer | undefined> {
  if (!enabled) return undefined;
  const access = clusterAccess({ kube, clock: systemClock, opaqueIds: systemOpaqueIds() });
  return await startDashboardServer({ insight, access, log, version, demo: false, hosts, bind, port });
}

function listenersOf(listeners: Set<() => void>): (listener: () => void) => () => void {
  return (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
}

/** Until SIGTERM or SIGINT, then it gives the lease back and ends. A second signal ends the process at once. */
export async function runController(configuration: Configuration, version: string): Promise<void> {
  const asked = new Promise<void>((resolve) => {
    const stop = (): void => {
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, stop);
      resolve();
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  });
  const controller = await startController(configuration, version);
  await asked;
  await controller.stop();
}

function managerSettings(configuration: Configuration, leaseKube: Kube, timings: LeaseTimings) {
  const { namespace, watchFilter, leaderElection, controllers } = configuration;
  const scope = {
    ...present({ namespace, watchFilter }),
  };
  const ref = { namespace: leaderElection.namespace, name: leaderElection.name ?? leaseNameFor(scope) };
  return {
    identity: `${hostname()}_${systemRandom.uuid()}`,
    scope,
    ...(leaderElection.enabled
      ? { lease: { ref, timings, kube: leaseKube, annotations: publishConfiguration(configuration) } }
      : {}),
    guardOf: (feature: string) => guardOf(configuration, feature),
    concurrencyOf: (feature: string) => controllers[feature]?.concurrency,
  };
}

function describeProcess(metrics: Metrics, configuration: Configuration, version: string): void {
  metrics.build.set({ version }, 1);
  for (const [name, { stage }] of Object.entries(gatesOf(allJobs))) {
    metrics.featureGates.set({ name, stage }, configuration.featureGates[name] ? 1 : 0);
  }
}
