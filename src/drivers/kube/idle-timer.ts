// Ends a connection whose stream has been silent for too long. Time that the reader spends on an event does not count.

import { MainstayError } from "../../core/errors.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import { DeadlineExceeded } from "../http/deadline.ts";

export interface IdleTimer {
  /** Something came; the reader has it now. */
  pause(): void;
  /** The reader waits for more. */
  resume(): void;
  stop(): void;
}

export function startIdleTimer(clock: Clock, timeoutMs: number, connection: AbortController): IdleTimer {
  if (!(timeoutMs > 0)) {
    throw new MainstayError({
      reason: "RequestRejected",
      message: `watch: idle timeout of ${timeoutMs} ms must be above zero`,
    });
  }
  let waitingSince: number | undefined = clock.monotonicMs();
  let timer: Timer = clock.after(timeoutMs, check);

  // One timer that checks again, not one for each event, of which there may be thousands.
  function check(): void {
    const silentMs = waitingSince === undefined ? 0 : clock.monotonicMs() - waitingSince;
    if (silentMs >= timeoutMs) connection.abort(new DeadlineExceeded(timeoutMs));
    else timer = clock.after(timeoutMs - silentMs, check);
  }

  return {
    pause: () => {
      waitingSince = undefined;
    },
    resume: () => {
      waitingSince = clock.monotonicMs();
    },
    stop: () => timer.cancel(),
  };
}
