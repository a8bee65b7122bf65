// `npm run bench:start-up`: how long commands take that only print what they know, built as in the package, against kubectl and an empty Node
// in the same run. It builds the program first. The target is 0.25 s for `mainstay --version`; a busy machine takes longer for all of them
// alike, so the ratios count.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { mean, measureStart, median, type Start } from "./measure-start.ts";

const rounds = 10;
const root = join(import.meta.dirname, "..", "..");
const built = join(root, "dist", "bin", "mainstay.js");
const node = process.execPath;

const contenders: Readonly<Record<string, readonly string[]>> = {
  "node -e 0": [node, "-e", "0"],
  "kubectl version --client": [kubectl(), "version", "--client"],
  "mainstay --version": [node, built, "--version"],
  "mainstay status --help": [node, built, "status", "--help"],
  "mainstay completion bash": [node, built, "completion", "bash"],
  "./mainstay --version (from a checkout)": [join(root, "mainstay"), "--version"],
};

execFileSync("npm", ["run", "--silent", "build:program"], { cwd: root, stdio: "inherit" });
const starts = new Map<string, Start[]>(Object.keys(contenders).map((name) => [name, []]));
// The first round fills the machine's file cache and does not count.
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, command] of Object.entries(contenders)) {
    const start = measureStart(command);
    if (round > 0) starts.get(name)?.push(start);
  }
}

const results = [...starts].map(([name, all]) => ({
  name,
  wallMs: median(all.map(({ wallMs }) => wallMs)),
  cpuMs: mean(all.map(({ cpuMs }) => cpuMs)),
}));
const peers = results.filter(({ name }) => name.startsWith("node") || name.startsWith("kubectl"));
console.log(
  `${rounds} runs each, in turns: median on the clock, mean CPU time, and how many times that of each peer\n`,
);
for (const { name, wallMs, cpuMs } of results) {
  const ratios = peers.map((peer) => {
    const [word] = peer.name.split(" ");
    return `${(wallMs / peer.wallMs).toFixed(1)} (CPU ${(cpuMs / peer.cpuMs).toFixed(1)}) × ${word}`;
  });
  const figures = [`${wallMs.toFixed(0)} ms`.padStart(8), `${cpuMs.toFixed(0)} ms CPU`.padStart(11), ...ratios];
  console.log(`${name.padEnd(40)}${figures.join("  ")}`);
}
const target = new URL("../results/", import.meta.url);
mkdirSync(target, { recursive: true });
const record = { benchmark: "start-up", node: process.version, rounds, results };
writeFileSync(new URL("start-up.json", target), `${JSON.stringify(record, null, 2)}\n`);
console.log("\nWritten to bench/results/start-up.json");

/** The lab's, where it is installed; else the one that people have. */
function kubectl(): string {
  const caches = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const ofLab = join(caches, "mainstay", "kube", "bin", "kubectl");
  return existsSync(ofLab) ? ofLab : "kubectl";
}
