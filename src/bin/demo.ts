// The demonstration: a fake API server and a fake cloud on loopback, two managers for them, the dashboard, and a kubeconfig.
// Everything lives in this process and one temporary folder; both are gone when it ends.

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DemoOptions } from "../cli/cli-ports.ts";
import { dashboardFile } from "../cli/demo-faults.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { healthWord } from "../cli/status/health-word.ts";
import { readStatus, type Status } from "../cli/status/read-status.ts";
import { nameOf, statusText } from "../cli/status/status-text.ts";
import { MainstayError } from "../core/errors.ts";
import { kubeClient } from "../drivers/kube/client.ts";
import { jsonLog } from "../drivers/system/json-log.ts";
import { systemClock } from "../drivers/system/system-clock.ts";
import { systemRandom } from "../drivers/system/system-random.ts";
import { simulatedJobs } from "../jobs/simulated.ts";
import type { Terminal } from "../ports/terminal.ts";
import { openAccess } from "../server/access/access.ts";
import { refusedFromPages } from "../server/access/from-pages.ts";
import { createDemoWorld, type DemoWorld } from "../sim/demo/demo-world.ts";
import { notUp, type Places, welcome } from "../sim/demo/welcome.ts";
import { adminToken } from "../sim/fakes/kube/api-server.ts";
import { handleCloudRequest } from "../sim/fakes/openstack/http-front.ts";
import { startDashboardServer } from "./dashboard-server.ts";
import { makeDemoFolder } from "./demo-folder.ts";
import { listenForCloud } from "./fake-cloud-listener.ts";
import { type KubeHandler, listenForKube } from "./fake-kube-listener.ts";
import { product } from "./product.ts";

const convergeWithinMs = 30_000;
const portsToTry = 50;

/** How this program is called in the things to try, and in which folder. */
export interface DemoProgram extends Pick<Places, "command" | "folder" | "guide"> {
  readonly version: string;
}

export async function runDemo(options: DemoOptions, terminal: Terminal, program: DemoProgram): Promise<number> {
  const { version, ...called } = program;
  const asked = untilSignalled();
  const cleanUp: (() => unknown)[] = [];
  let removeFolder = async (): Promise<void> => {};
  try {
    const world = await openWorld(cleanUp);
    const listener = await near(options.port, "API server", terminal, (port) =>
      listenForKube(forKubectl(world), { port }),
    );
    cleanUp.unshift(() => listener.close());
    const folder = await makeDemoFolder(new URL(listener.url).port);
    // Removed first, so that even a second Ctrl-C leaves nothing behind.
    removeFolder = () => rm(folder, { recursive: true, force: true });
    const files = await writeFiles(folder, listener.url, world);
    await world.start();
    const dashboard = await near(options.dashboardPort, "dashboard", terminal, (port) => serve(world, version, port));
    cleanUp.unshift(() => dashboard.close());
    await writeFile(join(folder, dashboardFile), dashboard.url);
    if (!options.check) terminal.err(`The demonstration is building up. To watch it: ${dashboard.url}`);
    const { unfinished, found } = await Promise.race([
      converge(world),
      aborted(asked).then(() => ({ unfinished: [], found: undefined })),
    ]);
    if (options.check) return sayChecked(unfinished, found, terminal);
    const { url, hasPages } = dashboard;
    const places = { api: listener.url, dashboard: url, hasPages, ...files, ...called };
    terminal.out(welcome(places, world.parts));
    for (const line of unfinished) terminal.err(`Not converged yet: ${line}`);
    // Printed last, so that the list of things to try does not hide it.
    if (unfinished.length > 0) terminal.err(notUp(places, world.parts, convergeWithinMs / 1_000));
    await aborted(asked);
    terminal.err("Stopping.");
    return exitCodes.ok;
  } finally {
    await removeFolder();
    for (const step of cleanUp) await step();
  }
}

/** What people name in the things to try. */
async function writeFiles(folder: string, server: string, { configuration, parts }: DemoWorld) {
  const files = { kubeconfig: join(folder, "kubeconfig"), files: folder };
  await writeFile(files.kubeconfig, kubeconfigFor(server), { mode: 0o600 });
  await writeFile(join(folder, "mainstay.yaml"), configuration);
  for (const [name, text] of parts.flatMap((part) => Object.entries(part.files)))
    await writeFile(join(folder, name), text);
  return files;
}

/** The cloud's own port is for `mainstay dns records` and its like, which read its address from a Secret. */
async function openWorld(cleanUp: (() => unknown)[]): Promise<DemoWorld> {
  const listener = await listenForCloud();
  cleanUp.unshift(() => listener.close());
  const world = createDemoWorld({
    product,
    parts: simulatedJobs.flatMap(({ demo }) => demo ?? []),
    clock: systemClock,
    random: systemRandom,
    kubeOver: (transport) => kubeClient({ transport, clock: systemClock }),
    authUrl: `${listener.url}/identity/v3`,
  });
  listener.serve((request) => handleCloudRequest(world.cloud.fake, request));
  cleanUp.unshift(() => world.stop());
  return world;
}

/** Everybody who reaches this socket may read and change everything, so that it listens on loopback only. */
function serve({ managers, faults }: DemoWorld, version: string, port: number) {
  return startDashboardServer({
    insight: managers.insight(),
    access: openAccess,
    log: jsonLog({ level: "error" }),
    version,
    demo: true,
    hosts: [],
    faults,
    replicas: () => managers.replicas(),
    bind: "127.0.0.1",
    port,
  });
}

/** Somebody leads, and everything is healthy. */
async function converge({
  kube,
  managers,
  parts,
}: DemoWorld): Promise<{ readonly unfinished: readonly string[]; readonly found: Status }> {
  const endMs = systemClock.monotonicMs() + convergeWithinMs;
  const awaited = parts.flatMap(({ showpiece }) => showpiece?.kind ?? []);
  while (true) {
    const found = await readStatus(kube, managers.insight().shown);
    const unfinished = [
      ...(managers.replicas().some(({ state }) => state === "leading") ? [] : ["no manager leads"]),
      ...(awaited.every((kind) => found.objects.some(({ id }) => id.kind === kind))
        ? []
        : ["nothing has been reported"]),
      ...found.unread,
      ...found.objects
        .filter(({ health }) => health !== "healthy")
        .map(({ id, health, sentence }) => `${nameOf(id)} is ${healthWord(health)}: ${sentence}`),
    ];
    if (unfinished.length === 0 || systemClock.monotonicMs() > endMs) return { unfinished, found };
    await new Promise<void>((resolve) => void systemClock.after(50, resolve));
  }
}

function sayChecked(unfinished: readonly string[], found: Status | undefined, terminal: Terminal): number {
  if (found !== undefined) terminal.out(statusText(found, false, terminal.colours));
  for (const line of unfinished) terminal.err(`Not converged: ${line}`);
  if (found === undefined) terminal.err("Interrupted before everything had converged.");
  return found !== undefined && unfinished.length === 0 ? exitCodes.ok : exitCodes.refused;
}

/** The next free port; prints which ones are taken. */
async function near<T>(
  first: number,
  what: string,
  terminal: Terminal,
  listen: (port: number) => Promise<T>,
): Promise<T> {
  const last = first === 0 ? 0 : Math.min(first + portsToTry, 65_536);
  for (let port = first; port < last; port += 1) {
    try {
      return await listen(port);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EACCES") throw notAllowed(port);
      if (code !== "EADDRINUSE") throw error;
      terminal.err(`Port ${port} is taken, trying ${port + 1 < last ? port + 1 : "any free one"} for the ${what}.`);
    }
  }
  return await listen(0);
}

function notAllowed(port: number): MainstayError {
  return new MainstayError({
    reason: "InputInvalid",
    message: `--port: this user may not listen on port ${port}`,
    hint: "Write a number above 1023.",
  });
}

/** kubectl sends no credentials over plain HTTP, so that programs on this machine need none; requests from web pages are refused. */
function forKubectl({ api, apiFaults }: DemoWorld): KubeHandler {
  const authorization = `Bearer ${adminToken}`;
  const through = apiFaults.forPeople({
    send: (request, options) => api.handle({ ...request, headers: { authorization, ...request.headers } }, options),
    close: () => Promise.resolve(),
  });
  return {
    handle: async (request, options) => refusedFromPages(request) ?? (await through.send(request, options)),
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
