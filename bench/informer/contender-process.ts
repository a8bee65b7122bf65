// One contender in a process of its own, from its start to its last reported object.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Kube } from "../../src/ports/kube.ts";
import { childMessageSchema, type Measurement } from "./measurement.ts";
import { createService, removeService } from "./services.ts";

export interface Round extends Measurement {
  readonly callbackMs: number;
}

export interface ContenderOptions {
  readonly script: "ours.js" | "theirs.js";
  /** Where the scripts are. */
  readonly folder: URL;
  readonly kube: Kube;
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly count: number;
  readonly creates: number;
}

export async function runContender(options: ContenderOptions): Promise<Round> {
  const { script, kube, namespace } = options;
  const seen = new Map<string, (atNs: bigint) => void>();
  const child = fork(fileURLToPath(new URL(script, options.folder)), {
    execArgv: ["--expose-gc"],
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      BENCH_NAMESPACE: namespace,
      BENCH_KUBECONFIG: options.kubeconfig,
      BENCH_COUNT: String(options.count),
      BENCH_STREAMING: process.env["BENCH_STREAMING"],
    },
  });
  try {
    const measurement = await new Promise<Measurement>((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`${script} ended with ${code} before it was done`)));
      child.on("message", (raw) => {
        const message = childMessageSchema.parse(raw);
        if (message.type === "measured") resolve(message.measurement);
        else seen.get(message.name)?.(BigInt(message.atNs));
      });
    });
    const times: number[] = [];
    for (let i = 0; i < options.creates; i += 1)
      times.push(await createToCallbackMs(kube, namespace, `new-${i}`, seen));
    return { ...measurement, callbackMs: median(times) };
  } finally {
    child.removeAllListeners("exit");
    child.kill("SIGKILL");
  }
}

/** From just before the request until the other process's callback runs: both read the machine's one monotonic clock. */
async function createToCallbackMs(
  kube: Kube,
  namespace: string,
  name: string,
  seen: Map<string, (atNs: bigint) => void>,
): Promise<number> {
  const arrival = new Promise<bigint>((resolve) => seen.set(name, resolve));
  const sentNs = process.hrtime.bigint();
  await createService(kube, namespace, name);
  const elapsedMs = Number((await arrival) - sentNs) / 1e6;
  await removeService(kube, namespace, name);
  return elapsedMs;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
