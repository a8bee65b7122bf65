// `npm run sim` as a process of its own: what it printed and how it ended.

import { spawn } from "node:child_process";
import { join } from "node:path";

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const root = join(import.meta.dirname, "..", "..");
const program = join(root, "src", "bin", "sim.ts");
const usual = { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node") };

export function childSim(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { env: { ...usual, ...process.env, ...environment } });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
  });
}
