// Waiting for a moment only: what is slow goes on without whoever waited for it.

import type { Clock } from "../../ports/clock.ts";

/** So long one part of an object may keep the others waiting, where it is asked about and where it is changed. */
export const patienceMs = 2_000;

/** Undefined: it has not come in time. Rejects as the work does; afterwards its failure is the caller's business. */
export async function inTime<T>(work: Promise<T>, clock: Clock): Promise<{ readonly value: T } | undefined> {
  let stopWaiting = (): void => {};
  const late = new Promise<undefined>((resolve) => {
    const timer = clock.after(patienceMs, () => resolve(undefined));
    stopWaiting = () => timer.cancel();
  });
  try {
    return await Promise.race([work.then((value) => ({ value })), late]);
  } finally {
    stopWaiting();
  }
}
