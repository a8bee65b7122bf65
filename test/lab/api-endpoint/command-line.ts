// `mainstay` as people type it.

import { spawn } from "node:child_process";
import { join } from "node:path";
import type { EndpointLab } from "./endpoint-lab.ts";

const program = join(import.meta.dirname, "..", "..", "..", "src", "bin", "mainstay.ts");

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export async function mainstay({ kubeconfig }: EndpointLab, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args, "--kubeconfig", kubeconfig], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (err += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out, err };
}
