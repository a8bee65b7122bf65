// Work that is waited for only so long. It is not stopped: whoever gave it closes what it works on.

import type { Clock, Timer } from "../ports/clock.ts";

/** Undefined when the time is over first. */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: Timer | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = clock.after(ms, () => resolve(undefined));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    timer?.cancel();
  }
}
