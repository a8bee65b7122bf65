// Waiting for a real world: as long as a busy machine may need, and telling what it waits for meanwhile.

import { setTimeout as sleep } from "node:timers/promises";

const patienceMs = 300_000;
const tellEveryMs = 30_000;

/** Asks until there is an answer other than undefined or false. */
export async function until<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
  const began = performance.now();
  let told = began;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    const now = performance.now();
    if (now - began > patienceMs) throw new Error(`waited ${Math.round((now - began) / 1_000)} s in vain for ${what}`);
    if (now - told > tellEveryMs) {
      told = now;
      process.stderr.write(`  … ${Math.round((now - began) / 1_000)} s: waiting for ${what}\n`);
    }
    await sleep(400);
  }
}
