// Waiting for a real world: as long as a busy machine may need, and telling what it waits for meanwhile.

import { setTimeout as sleep } from "node:timers/promises";

/** Of a test or a hook that waits more than once. */
export const testPatienceMs = 1_800_000;
/** A test that waits for those before it, also where other stories go on beside theirs. */
export const step = { timeout: testPatienceMs, concurrent: false } as const;
const patienceMs = 600_000;
const tellEveryMs = 30_000;
/** Between two questions: every one costs the lab time that it needs for what is waited for. */
const pausesMs = { first: 250, longest: 2_000, growth: 1.25 } as const;

/** Asks until there is an answer other than undefined or false. */
export async function until<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
  const began = performance.now();
  let told = began;
  let pauseMs: number = pausesMs.first;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    const now = performance.now();
    if (now - began > patienceMs) throw new Error(`waited ${Math.round((now - began) / 1_000)} s in vain for ${what}`);
    if (now - told > tellEveryMs) {
      told = now;
      process.stderr.write(`  … ${Math.round((now - began) / 1_000)} s: waiting for ${what}\n`);
    }
    await sleep(pauseMs);
    pauseMs = Math.min(pausesMs.longest, pauseMs * pausesMs.growth);
  }
}
