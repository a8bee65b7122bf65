// What a program of ours loads before it does anything: ordinary commands and the controller have no use for the simulation, its fake
// API server and its CEL, a command that asks no cluster loads no client, and one that only prints what it knows loads next to nothing.
// Time and memory are printed, not asserted: machines differ. `npm run bench:start-up` measures them against peers.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KubeTargetSession } from "./contract/kube-target.ts";
import { fakeHttp } from "./contract/targets/fake-http.ts";

const root = join(import.meta.dirname, "..");
const program = join(root, "src", "bin", "mainstay.ts");
const preload = join(import.meta.dirname, "support", "loaded-modules.mjs");

interface Loaded {
  /** Paths from `src/`, `dist/` or `node_modules/` on. */
  readonly modules: readonly string[];
  /** The size of their files. */
  readonly bytes: number;
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
async function loadedBy(args: readonly string[], until?: string, started = program): Promise<Loaded> {
  const file = join(folder, `${args[0] ?? "none"}.json`);
  const beganMs = performance.now();
  const child = spawn(process.execPath, ["--import", preload, started, ...args], {
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
  else if (!said.includes(until)) throw new Error(`it never said "${until}": ${said}`);
  const loaded = JSON.parse(readFileSync(file, "utf8")) as Loaded;
  const { modules, bytes, residentMegabytes } = loaded;
  const code = `${modules.length} modules, ${Math.round(bytes / 1_000)} kB of code`;
  console.log(`mainstay ${args.join(" ")}: ${milliseconds} ms, ${residentMegabytes} MB, ${code}`);
  return loaded;
}

const ofSimulation = /^src\/sim\/|^src\/jobs\/[^/]+\/sim\/|^node_modules\/(@marcbachmann\/cel-js|re2js)\//;
const ofClients = /^src\/drivers\/(kube|openstack)\/|^node_modules\/undici\//;
const forPages = /^node_modules\/(fastify|react|prom-client)\//;

function controllerConfiguration() {
  return { kubeconfig: session.kubeconfigPath ?? "", leaderElection: { enabled: false }, health: { port: 0 } };
}

const utf8 = { encoding: "utf8" } as const;
/** Beside the package `node`, machines have one of their own. */
const oldNode = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((path) => join(path, "node"))
  .filter((path) => existsSync(path))
  .find((path) => /^v(1[2-9]|2[01])\.|^v22\.(\d|1[01])\./.test(spawnSync(path, ["--version"], utf8).stdout));

/** What they print is known without a cluster and without the jobs. */
const printing = ["--version", "version", "--help", "status --help", "completion bash"];

describe("what is loaded", { timeout: 120_000 }, () => {
  test.each(printing)("mainstay %s needs the commands' declarations and words, and no job", async (line) => {
    const { modules } = await loadedBy(line.split(" "));
    expect(modules.length).toBeGreaterThan(30);
    // Every module costs a file to open, to strip of its types and to compile.
    expect(modules.length).toBeLessThan(80);
    const packages = modules.flatMap((one) => /^node_modules\/[^/]+/.exec(one)?.[0] ?? []);
    expect([...new Set(packages)]).toEqual(["node_modules/commander"]);
    expect(modules.filter((one) => /\/job\.ts$|\/controller\/|^src\/engine\//.test(one))).toEqual([]);
  });

  test("the help needs no client, no server and nothing of the simulation", async () => {
    const { modules } = await loadedBy(["--help"]);
    expect(modules.length).toBeGreaterThan(30);
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
    writeFileSync(config, JSON.stringify(controllerConfiguration()));
    const { modules } = await loadedBy(["controller", "--config", config], "controller manager started");
    expect(modules.some((one) => one.startsWith("src/engine/"))).toBe(true);
    expect(modules.filter((one) => ofSimulation.test(one))).toEqual([]);
  });
});

describe("what is loaded of the program as it is packed", { timeout: 120_000 }, () => {
  let packed = "";
  beforeAll(() => {
    const vite = join(root, "node_modules", ".bin", "vite");
    const build = [
      "build",
      "--config",
      "vite-package.config.ts",
      "--logLevel",
      "warn",
      "--outDir",
      join(folder, "dist"),
    ];
    execFileSync(vite, build, { cwd: root, env: { ...process.env, NODE_ENV: "production" }, stdio: "pipe" });
    copyFileSync(join(root, "package.json"), join(folder, "package.json"));
    packed = join(folder, "dist", "bin", "mainstay.js");
  });

  test.each(printing)("mainstay %s reads a few files", async (line) => {
    const { modules, bytes } = await loadedBy(line.split(" "), undefined, packed);
    expect(modules).toContain("dist/bin/mainstay.js");
    expect(modules.length).toBeLessThan(12);
    expect(bytes).toBeLessThan(300_000);
  });

  test("a command on a cluster reads nothing of the demonstration, and no server", async () => {
    const status = ["status", "--kubeconfig", session.kubeconfigPath ?? ""];
    const { modules, bytes } = await loadedBy(status, undefined, packed);
    expect(modules.some((one) => /^dist\/chunks\/status\d*\.js$/.test(one))).toBe(true);
    expect(modules.filter((one) => /^dist\/chunks\/(demo|webhook-server|controller|openstack)\.js$/.test(one))).toEqual(
      [],
    );
    expect(bytes).toBeLessThan(2_500_000);
  });

  test("the controller needs no package, and nothing of the demonstration: what it imports is bundled, with the licences", async () => {
    const config = join(folder, "packed.yaml");
    writeFileSync(config, JSON.stringify(controllerConfiguration()));
    const { modules } = await loadedBy(["controller", "--config", config], "controller manager started", packed);
    expect(modules.filter((one) => one.startsWith("node_modules/") || one === "dist/chunks/demo.js")).toEqual([]);
    expect(readFileSync(join(folder, "dist", "THIRD-PARTY-LICENSES.txt"), "utf8")).toMatch(/^commander \d.*MIT/m);
  });

  test("is not minified: a stack names our functions, and the files say where a part comes from", () => {
    const code = readFileSync(join(folder, "dist", "chunks", "command-line.js"), "utf8");
    expect(code).toContain("function printError(");
    expect(code).toContain("// src/cli/print-error.ts");
  });

  test("any Node that knows modules can read the file that checks its version", () => {
    const entry = readFileSync(packed, "utf8");
    expect(entry).toContain("needs Node");
    // Of other files it would read all before it runs a line.
    expect(entry.match(/^import .*$/gm)).toEqual(['import { readFileSync } from "node:fs";']);
    expect(entry).not.toMatch(/\?\?|\?\.|\bawait\b|import\.meta\.(filename|dirname)/);
  });

  const tooOld = /^error: Mainstay needs Node 22\.12 or newer; this is \d+\.\d+\. Install a newer Node\.\n$/;

  test("an old Node says in one sentence that it is too old", () => {
    const pretend = `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", pretend, packed, "status"], utf8);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(tooOld);
  });

  test.skipIf(oldNode === undefined)("a real old Node of this machine says the same", () => {
    const { status, stdout, stderr } = spawnSync(oldNode ?? "", [packed, "status"], utf8);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(tooOld);
  });
});
