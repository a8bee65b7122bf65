// The half that both contenders share: wait for the sync, let memory settle, time GETs, then report each new object.
// It imports nothing heavy: what a contender loads is what its process weighs.

import type { ChildMessage } from "./measurement.ts";

export interface Contender {
  /** Starts the informer; resolves when all `expected` objects are in it. Calls `onAdded` for every object, old and new. */
  sync(expected: number, onAdded: (name: string) => void): Promise<void>;
  get(name: string): Promise<unknown>;
}

const gets = 300;

export async function measure(contender: Contender): Promise<void> {
  const expected = Number(process.env["BENCH_COUNT"]);
  let measured = false;
  const startedNs = process.hrtime.bigint();
  await contender.sync(expected, (name) => {
    if (measured) send({ type: "seen", name, atNs: String(process.hrtime.bigint()) });
  });
  const syncMs = Number(process.hrtime.bigint() - startedNs) / 1e6;
  const rssMb = await settledRssMb();
  const getMs = await timeGets(contender);
  measured = true;
  send({ type: "measured", measurement: { syncMs, rssMb, getMs } });
}

/** Collected garbage is given back to the system with a delay. */
async function settledRssMb(): Promise<number> {
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return process.memoryUsage.rss() / 2 ** 20;
}

async function timeGets(contender: Contender): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < gets; i += 1) {
    const startedNs = process.hrtime.bigint();
    await contender.get("bench-0");
    times.push(Number(process.hrtime.bigint() - startedNs) / 1e6);
  }
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

function send(message: ChildMessage): void {
  process.send?.(message);
}
