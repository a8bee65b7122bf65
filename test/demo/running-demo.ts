// `mainstay demo` as a process of its own, with what it printed and the commands that people run beside it.

import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const program = join(import.meta.dirname, "..", "..", "src", "bin", "mainstay.ts");
const run = promisify(execFile);

export interface RunningDemo {
  readonly said: string;
  /** Of its API server. */
  readonly url: string;
  readonly dashboard: string;
  readonly kubeconfig: string;
  readonly config: string;
  /** Another command, in another terminal. */
  mainstay(...args: readonly string[]): Promise<string>;
  /** As Ctrl-C does; answers with the exit code. */
  stop(): Promise<number>;
}

export async function startDemo(
  args: readonly string[] = ["--port", "0", "--dashboard-port", "0"],
): Promise<RunningDemo> {
  const child = spawn(process.execPath, [program, "demo", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? -1)));
  let said = "";
  const hear = (chunk: Buffer): void => {
    said += chunk.toString("utf8");
  };
  child.stderr.on("data", hear);
  await new Promise<void>((resolve, reject) => {
    void ended.then((code) => reject(new Error(`the demonstration ended with ${code}: ${said}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      hear(chunk);
      if (said.includes("Ctrl-C")) resolve();
    });
  });
  const found = (pattern: RegExp): string => pattern.exec(said)?.[1] ?? "";
  const kubeconfig = found(/KUBECONFIG=(\S+)/);
  return {
    said,
    kubeconfig,
    url: found(/runs at (\S+)/),
    dashboard: found(/Dashboard +(\S+)/),
    config: found(/--config (\S+)/),
    mainstay: async (...words) =>
      (await run(process.execPath, [program, ...words], { env: { ...process.env, KUBECONFIG: kubeconfig } })).stdout,
    stop: () => {
      child.kill("SIGINT");
      return ended;
    },
  };
}

/** A demonstration that checks itself and ends. */
export async function checkDemo(): Promise<{ readonly code: number; readonly out: string }> {
  const { stdout } = await run(process.execPath, [program, "demo", "--check", "--port", "0", "--dashboard-port", "0"]);
  return { code: 0, out: stdout };
}
