// What a program of ours loads before it does anything: ordinary commands and the controller have no use for the simulation, its fake
// API server and its CEL, and a command that asks no cluster loads no client. Time and memory are printed, not asserted: machines differ.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KubeTargetSession } from "./contract/kube-target.ts";
import { fakeHttp } from "./contract/targets/fake-http.ts";

const program = join(import.meta.dirname, "..", "src", "bin", "mainstay.ts");
const preload = join(import.meta.dirname, "support", "loaded-modules.mjs");

interface Loaded {
  /** Paths from `src/` or `node_modules/` on. */
  readonly modules: readonly string[];
  readonly residentMegabytes: number;
}

let folder = "";
let session: KubeTargetSession;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mainstay-start-up-"));
  session = await fakeHttp.open();
});
afterAll(async () => {
  await session?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Ends by itself, or is told to once it has said `until`. */
async function loadedBy(args: readonly string[], until?: string): Promise<Loaded> {
  const file = join(folder, `${args[0] ?? "none"}.json`);
  const beganMs = performance.now();
  const child = spawn(process.execPath, ["--import", preload, program, ...args], {
    env: { ...process.env, LOADED_MODULES: file },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  let milliseconds = 0;
  const note = () => {
    milliseconds = Math.round(performance.now() - beganMs);
  };
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
    if (until === undefined || milliseconds > 0 || !said.includes(until)) return;
    note();
    child.kill("SIGTERM");
  });
  await exited;
  if (until === undefined) note();
  const { modules, residentMegabytes } = JSON.parse(readFileSync(file, "utf8")) as Loaded;
  console.log(`mainstay ${args[0]}: ${milliseconds} ms, ${residentMegabytes} MB, ${modules.length} modules`);
  return { modules, residentMegabytes };
}

const ofSimulation = /^src\/sim\/|^src\/jobs\/[^/]+\/sim\/|^node_modules\/(@marcbachmann\/cel-js|re2js)\//;
const ofClients = /^src\/drivers\/(kube|openstack)\/|^node_modules\/undici\//;
const forPages = /^node_modules\/(fastify|react|prom-client)\//;

describe("what is loaded", { timeout: 120_000 }, () => {
  test("the help needs no client, no server and nothing of the simulation", async () => {
    const { modules } = await loadedBy(["--help"]);
    expect(modules.length).toBeGreaterThan(50);
    expect(modules.filter((one) => ofSimulation.test(one))).toEqual([]);
    expect(modules.filter((one) => ofClients.test(one) || forPages.test(one))).toEqual([]);
  });

  test("a command on a cluster needs its client, and nothing of the simulation", async () => {
    const { modules } = await loadedBy(["status", "--kubeconfig", session.kubeconfigPath ?? ""]);
    expect(modules.some((one) => one.startsWith("src/drivers/kube/"))).toBe(true);
    expect(modules.filter((one) => ofSimulation.test(one) || forPages.test(one))).toEqual([]);
    expect(modules.filter((one) => one.startsWith("src/drivers/openstack/"))).toEqual([]);
  });

  test("the controller at rest needs nothing of the simulation", async () => {
    const config = join(folder, "mainstay.yaml");
    const kubeconfig = session.kubeconfigPath ?? "";
    writeFileSync(config, JSON.stringify({ kubeconfig, leaderElection: { enabled: false }, health: { port: 0 } }));
    const { modules } = await loadedBy(["controller", "--config", config], "controller manager started");
    expect(modules.some((one) => one.startsWith("src/engine/"))).toBe(true);
    expect(modules.filter((one) => ofSimulation.test(one))).toEqual([]);
  });
});
