// `mainstay demo` as a process of its own, until the test has seen enough.

import { spawn } from "node:child_process";
import { join } from "node:path";

export interface RunningDemo {
  readonly kubeconfig: string;
  readonly url: string;
  readonly pid: number;
  /** As Ctrl-C does; answers with the exit code. */
  stop(): Promise<number>;
}

export async function startDemo(args: readonly string[] = ["--port", "0"]): Promise<RunningDemo> {
  const program = join(import.meta.dirname, "..", "..", "src", "bin", "mainstay.ts");
  const child = spawn(process.execPath, [program, "demo", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? -1)));
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  await new Promise<void>((resolve, reject) => {
    void ended.then((code) => reject(new Error(`the demonstration ended with ${code}: ${said}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
      if (said.includes("Ctrl-C")) resolve();
    });
  });
  const [, kubeconfig = ""] = /export KUBECONFIG=(\S+)/.exec(said) ?? [];
  const [, url = ""] = /runs at (\S+)/.exec(said) ?? [];
  const stop = () => {
    child.kill("SIGINT");
    return ended;
  };
  return { kubeconfig, url, pid: child.pid ?? -1, stop };
}
