// One contender in a process of its own: its measurements, and when its callback runs for a new object.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { childMessageSchema, type Measurement } from "./measurement.ts";

export interface ContenderOptions {
  readonly script: "ours.js" | "theirs.js";
  /** Where the scripts are. */
  readonly folder: URL;
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly count: number;
}

export interface RunningContender {
  readonly measurement: Measurement;
  /** When its callback ran for the object of that name, by the machine's monotonic clock. To be asked before the object exists. */
  readonly seen: (name: string) => Promise<bigint>;
  readonly stop: () => void;
}

/** Resolves when it is in sync and has measured itself. */
export async function startContender(options: ContenderOptions): Promise<RunningContender> {
  const { script, folder } = options;
  const waiting = new Map<string, (atNs: bigint) => void>();
  const child = fork(fileURLToPath(new URL(script, folder)), {
    execArgv: ["--expose-gc"],
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      BENCH_NAMESPACE: options.namespace,
      BENCH_KUBECONFIG: options.kubeconfig,
      BENCH_COUNT: String(options.count),
      BENCH_STREAMING: process.env["BENCH_STREAMING"],
    },
  });
  const measurement = await new Promise<Measurement>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${script} ended with ${code} before it was done`)));
    child.on("message", (raw) => {
      const message = childMessageSchema.parse(raw);
      if (message.type === "measured") resolve(message.measurement);
      else waiting.get(message.name)?.(BigInt(message.atNs));
    });
  });
  return {
    measurement,
    seen: (name) => new Promise((resolve) => waiting.set(name, resolve)),
    stop: () => child.kill("SIGKILL"),
  };
}
