// A token bucket on the clock port: `burst` calls at once, then `qps` a second, first come first served.
// A caller whose signal aborts leaves the queue, and the next one takes its place.

import { MainstayError } from "../../core/errors.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import { abortReason } from "../http/deadline.ts";

export interface RateLimit {
  readonly qps: number;
  readonly burst: number;
}

export interface RateLimiter {
  /** Resolves when the caller may go ahead; rejects with the signal's reason when that comes first. */
  take(signal: AbortSignal): Promise<void>;
}

export function rateLimiter(clock: Clock, { qps, burst }: RateLimit): RateLimiter {
  if (!(qps > 0) || !(burst >= 1)) {
    throw new MainstayError({
      reason: "ConfigurationInvalid",
      message: `rate limit: qps ${qps} and burst ${burst} allow no request`,
      hint: "Set qps above 0 and burst to 1 or more.",
    });
  }
  const waiting = new Set<() => void>();
  let tokens = burst;
  let filledAt = clock.monotonicMs();
  let timer: Timer | undefined;

  function fill(): void {
    const now = clock.monotonicMs();
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * qps);
    filledAt = now;
  }

  function serve(): void {
    timer = undefined;
    fill();
    for (const go of waiting) {
      // Timers may fire a hair early; a rounding error must not cost another round.
      if (tokens < 1 - 1e-6) break;
      tokens -= 1;
      waiting.delete(go);
      go();
    }
    if (waiting.size > 0) timer = clock.after(Math.ceil(((1 - tokens) / qps) * 1000), serve);
  }

  return {
    take(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(abortReason(signal));
        function go(): void {
          signal.removeEventListener("abort", leave);
          resolve();
        }
        function leave(): void {
          waiting.delete(go);
          reject(abortReason(signal));
        }
        signal.addEventListener("abort", leave, { once: true });
        waiting.add(go);
        if (timer === undefined) serve();
      });
    },
  };
}
