// `mainstay demo` as a process of its own, with what it printed and the commands that people run beside it.

import { execFile, spawn } from "node:child_process";
import { dirname, join } from "node:path";
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

/** The process, whatever becomes of it. It listens on ports that nobody else has unless it is told otherwise. */
export function spawnDemo(args: readonly string[] = [], env: NodeJS.ProcessEnv = process.env) {
  const ports = args.includes("--port") ? [] : ["--port", "0", "--dashboard-port", "0"];
  const child = spawn(process.execPath, [program, "demo", ...ports, ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? -1)));
  let said = "";
  const heard = new EventTarget();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
      heard.dispatchEvent(new Event("more"));
    });
  return { child, ended, heard, said: () => said };
}

/** A demonstration that is ready and has said so. */
export async function startDemo(args: readonly string[] = []): Promise<RunningDemo> {
  const { child, ended, heard, said: saidSoFar } = spawnDemo(args);
  await new Promise<void>((resolve, reject) => {
    void ended.then((code) => reject(new Error(`the demonstration ended with ${code}: ${saidSoFar()}`)));
    heard.addEventListener("more", () => {
      if (saidSoFar().includes("leaves nothing behind")) resolve();
    });
  });
  const said = saidSoFar();
  const found = (pattern: RegExp): string => pattern.exec(said)?.[1] ?? "";
  const kubeconfig = found(/KUBECONFIG=(\S+)/);
  return {
    said,
    kubeconfig,
    url: found(/runs at (\S+)/),
    dashboard: found(/Dashboard +(\S+)/),
    config: join(dirname(kubeconfig), "mainstay.yaml"),
    mainstay: async (...words) =>
      (await run(process.execPath, [program, ...words], { env: { ...process.env, KUBECONFIG: kubeconfig } })).stdout,
    stop: () => {
      child.kill("SIGINT");
      return ended;
    },
  };
}
