// Prints progress when something takes longer than expected.

import type { Clock, Timer } from "../ports/clock.ts";
import type { Terminal } from "../ports/terminal.ts";

const patienceMs = 2_000;

export async function withProgress<T>(
  what: string,
  ports: { readonly clock: Clock; readonly terminal: Terminal },
  work: Promise<T>,
): Promise<T> {
  const { clock, terminal } = ports;
  let waitedMs = 0;
  let timer: Timer | undefined;
  const report = (): void => {
    waitedMs += patienceMs;
    terminal.err(`${what} … ${waitedMs / 1000} s`);
    timer = clock.after(patienceMs, report);
  };
  timer = clock.after(patienceMs, report);
  try {
    return await work;
  } finally {
    timer.cancel();
  }
}
