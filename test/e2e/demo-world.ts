// `mainstay demo` as a process of its own on free ports, with pages built for this run, and hands to change its cluster.

import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { routes } from "../../src/server/contract.ts";

const root = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);

export interface DemoWorld {
  readonly dashboard: string;
  readonly api: string;
  readonly kubeconfig: string;
  /** Asks for a topology; `null` takes the wish back. */
  wishFor(controlPlaneTopology: string | null): Promise<void>;
  /** Writes a published value behind Mainstay's back. */
  publish(controlPlaneTopology: string): Promise<void>;
  /** Whether balancers of the cluster blue have the machines of all zones behind them. */
  crossZone(allowed: boolean): Promise<void>;
  /** Starts a fault for so many seconds; it can be stopped before. */
  fault(id: string, seconds: number): Promise<{ stop(): Promise<void> }>;
  stop(): Promise<void>;
}

/** Into a folder of its own: a demo that runs beside the tests keeps its pages. */
export async function buildPages(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "mainstay-pages-"));
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  await run(process.execPath, [vite, "build", "--logLevel", "warn", "--outDir", folder, "--emptyOutDir"], {
    cwd: root,
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export async function startDemoWorld(pages: string): Promise<DemoWorld> {
  const program = join(root, "src", "bin", "mainstay.ts");
  const child = spawn(process.execPath, [program, "demo", "--port", "0", "--dashboard-port", "0"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, MAINSTAY_DASHBOARD: pages },
  });
  const ended = new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? -1)));
  const said = await untilWelcome(child.stdout, child.stderr, ended);
  const [, dashboard = ""] = /Dashboard +(\S+)/.exec(said) ?? [];
  const [, api = ""] = /runs at (\S+)/.exec(said) ?? [];
  const [, kubeconfig = ""] = /export KUBECONFIG=(\S+)/.exec(said) ?? [];
  return {
    dashboard,
    api,
    kubeconfig,
    wishFor: (controlPlaneTopology) => patchInfrastructure(api, { spec: { controlPlaneTopology } }),
    publish: (controlPlaneTopology) => patchInfrastructure(api, { status: { controlPlaneTopology } }, "/status"),
    crossZone: (allowed) => patchBlue(api, allowed),
    fault: (id, seconds) => startFault(`${dashboard}${routes.fault(id)}`, seconds),
    stop: async () => {
      child.kill("SIGINT");
      await ended;
    },
  };
}

function untilWelcome(out: NodeJS.ReadableStream, err: NodeJS.ReadableStream, ended: Promise<number>): Promise<string> {
  let said = "";
  return new Promise((resolve, reject) => {
    void ended.then((code) => reject(new Error(`the demonstration ended with ${code}: ${said}`)));
    for (const stream of [out, err])
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString("utf8");
        if (said.includes("Ctrl-C")) resolve(said);
      });
  });
}

async function startFault(address: string, seconds: number): Promise<{ stop(): Promise<void> }> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ parameters: { seconds } });
  const answer = await fetch(address, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`the fault does not start: ${await answer.text()}`);
  return { stop: async () => void (await fetch(address, { method: "DELETE" })) };
}

/** Ends when every balancer has the members that are asked for, and all of them answer. */
async function patchBlue(api: string, allowCrossAZLoadBalancerMembers: boolean): Promise<void> {
  const blue = `${api}/apis/infrastructure.cluster.x-k8s.io/v1beta1/namespaces/default/openstackclusters/blue`;
  await patch(blue, { spec: { apiServerLoadBalancer: { allowCrossAZLoadBalancerMembers } } });
  const wanted = allowCrossAZLoadBalancerMembers ? 3 : 1;
  for (;;) {
    const { status } = (await (await fetch(blue)).json()) as { status?: { apiServerLoadBalancers?: readonly Entry[] } };
    const entries = status?.apiServerLoadBalancers ?? [];
    if (entries.every(({ members }) => members?.total === wanted && members.healthy === wanted)) return;
    await sleep(500);
  }
}

interface Entry {
  readonly members?: { readonly total: number; readonly healthy: number };
}

function patchInfrastructure(api: string, body: object, subresource = ""): Promise<void> {
  return patch(`${api}/apis/config.openshift.io/v1/infrastructures/cluster${subresource}`, body);
}

async function patch(address: string, body: object): Promise<void> {
  const answer = await fetch(address, {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the demonstration's API server answers ${answer.status}: ${await answer.text()}`);
}
