// The demonstration: a fake API server on loopback, the controllers at work on it, and a kubeconfig for kubectl. Everything
// lives in this process and one temporary folder; both are gone when it ends.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configMaps, nodes } from "../apis/builtin-kinds.ts";
import { infrastructureName, infrastructures } from "../apis/infrastructure.ts";
import { apiVersionOf } from "../apis/kube-object.ts";
import { topologyReports } from "../apis/topology-report.ts";
import type { DemoOptions } from "../cli/cli-ports.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { installCrds } from "../cli/install-crds.ts";
import { topologyFeature } from "../controllers/topology.ts";
import { installConfigKey, installConfigRef } from "../controllers/topology-sources.ts";
import { MainstayError } from "../core/errors.ts";
import { allGuards } from "../core/guards.ts";
import { kubeClient } from "../drivers/kube/client.ts";
import { jsonLog } from "../drivers/system/json-log.ts";
import { systemClock } from "../drivers/system/system-clock.ts";
import { systemRandom } from "../drivers/system/system-random.ts";
import { Manager } from "../engine/manager.ts";
import { createMetrics } from "../engine/metrics.ts";
import type { Kube } from "../ports/kube.ts";
import type { Terminal } from "../ports/terminal.ts";
import { adminToken, createFakeKubeApi, type FakeKubeApi } from "../sim/fakes/kube/api-server.ts";
import { type KubeHandler, type KubeListener, listenForKube } from "./fake-kube-listener.ts";

const convergeWithinMs = 20_000;
const portsToTry = 50;

/** `command` is how this program was called, for the things to try. */
export async function runDemo({ port, check }: DemoOptions, terminal: Terminal, command: string): Promise<number> {
  const asked = untilSignalled();
  const api = createFakeKubeApi({ clock: systemClock, random: systemRandom });
  const kube = kubeClient({ transport: api.transport(adminToken), clock: systemClock });
  const manager = demoManager(kube);
  const folder = await mkdtemp(join(tmpdir(), "mainstay-demo-"));
  const cleanUp: (() => Promise<unknown>)[] = [async () => api.close()];
  try {
    const listener = await listenNear(asAdministrator(api), port, terminal);
    cleanUp.unshift(() => listener.close());
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, kubeconfigFor(listener.url), { mode: 0o600 });
    await furnish(kube);
    manager.start();
    cleanUp.unshift(() => manager.stop());
    const converged = await converge(kube, asked);
    if (!converged && !asked.aborted) terminal.err("The controller did not publish the topology in time.");
    if (!converged) return asked.aborted && !check ? exitCodes.ok : exitCodes.refused;
    terminal.out(check ? success(listener.url) : welcome(listener.url, kubeconfig, command));
    if (check) return exitCodes.ok;
    await aborted(asked);
    terminal.err("Stopping.");
    return exitCodes.ok;
  } finally {
    // The only thing that outlives a process goes first: a second Ctrl-C then leaves nothing behind either.
    await rm(folder, { recursive: true, force: true });
    for (const step of cleanUp) await step();
  }
}

function success(url: string): string {
  return `The API server at ${url} and the topology controller work: both fields are published.`;
}

function demoManager(kube: Kube): Manager {
  return new Manager({
    kube,
    clock: systemClock,
    random: systemRandom,
    log: jsonLog({ level: "error" }),
    metrics: createMetrics(),
    features: [topologyFeature({ mutable: true, upgradeGate: "none" })],
    identity: "demo",
    guardOf: () => allGuards([]),
  });
}

/** A cluster of one node, as an installer would leave it: declared, and not yet published. */
async function furnish(kube: Kube): Promise<void> {
  await installCrds(kube, systemClock);
  const installConfig = "controlPlane: {name: master, replicas: 1}\ncompute: [{name: worker, replicas: 0}]\n";
  const configMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: installConfigRef,
    data: { [installConfigKey]: installConfig },
  };
  await kube.create(configMaps, configMap);
  await addNode(kube, "control-plane-0");
  await kube.create(infrastructures, {
    apiVersion: apiVersionOf(infrastructures),
    kind: infrastructures.kind,
    metadata: { name: infrastructureName },
    spec: {},
  });
}

async function addNode(kube: Kube, name: string): Promise<void> {
  const labels = { "node-role.kubernetes.io/control-plane": "" };
  await kube.create(nodes, { apiVersion: "v1", kind: "Node", metadata: { name, labels } });
  const body = { status: { conditions: [{ type: "Ready", status: "True" }] } };
  await kube.patch(nodes, { name }, { type: "merge", body }, { subresource: "status" });
}

async function converge(kube: Kube, asked: AbortSignal): Promise<boolean> {
  const endMs = systemClock.monotonicMs() + convergeWithinMs;
  while (systemClock.monotonicMs() < endMs && !asked.aborted) {
    const { items } = await kube.list(topologyReports);
    const conditions = items.flatMap(({ status }) => status?.conditions ?? []);
    if (conditions.some(({ type, status }) => type === "Published" && status === "True")) return true;
    await new Promise<void>((resolve) => void systemClock.after(50, resolve));
  }
  return false;
}

/** The next free port from here on; taken ones are said. */
async function listenNear(handler: KubeHandler, first: number, terminal: Terminal): Promise<KubeListener> {
  const last = Math.min(first + portsToTry, 65_536) - 1;
  for (let port = first; port <= last; port += 1) {
    try {
      return await listenForKube(handler, { port });
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EACCES") throw notAllowed(port);
      if (code !== "EADDRINUSE") throw error;
      terminal.err(`Port ${port} is taken, trying ${port < last ? port + 1 : "any free one"}.`);
    }
  }
  return await listenForKube(handler, { port: 0 });
}

function notAllowed(port: number): MainstayError {
  return new MainstayError({
    reason: "InputInvalid",
    message: `--port: this user may not listen on port ${port}`,
    hint: "Write a number above 1023.",
  });
}

/** kubectl sends no credentials over plain HTTP, and this server is a toy that listens on loopback only. */
function asAdministrator(api: FakeKubeApi): KubeHandler {
  const authorization = `Bearer ${adminToken}`;
  return {
    handle: (request, options) => api.handle({ ...request, headers: { authorization, ...request.headers } }, options),
  };
}

function kubeconfigFor(server: string): string {
  return `apiVersion: v1
kind: Config
clusters: [{name: demo, cluster: {server: "${server}"}}]
users: [{name: demo, user: {}}]
contexts: [{name: demo, context: {cluster: demo, user: demo}}]
current-context: demo
`;
}

function welcome(url: string, kubeconfig: string, command: string): string {
  return `An API server runs at ${url} with the topology controller at work on it.

  export KUBECONFIG=${kubeconfig}

Three things to try in another terminal:

  1. See what operators read, and why:
       ${command} topology show
       ${command} topology explain

  2. Edit the topology behind Mainstay's back, and see it reported and not reverted:
       kubectl patch infrastructure cluster --subresource=status --type=merge -p '{"status":{"infrastructureTopology":"HighlyAvailable"}}'
       ${command} topology check

  3. Ask for high availability; it waits for three ready control-plane nodes:
       kubectl patch infrastructure cluster --type=merge -p '{"spec":{"controlPlaneTopology":"HighlyAvailable"}}'
       kubectl get topologyreport cluster -o wide

Ctrl-C stops everything and leaves nothing behind.`;
}

/** Ctrl-C, a polite kill, or the terminal going away. A second signal ends the process at once. */
function untilSignalled(): AbortSignal {
  const asked = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => asked.abort());
  return asked.signal;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
