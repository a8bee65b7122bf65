// The present, told once a second to everybody who shows an age. By the server's clock, so that a reader whose clock is
// wrong still reads right ages.

import { useSyncExternalStore } from "react";
import { ago } from "../words/time.ts";
import { useConnection } from "./live-context.tsx";

const everyMs = 1_000;
const listeners = new Set<() => void>();
let nowMs = Date.now();
let ticking: ReturnType<typeof setInterval> | undefined;

export function useReaderNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

/** Whether this moment, by the reader's clock, has come. Undefined never comes. */
export function useReached(ms: number | undefined): boolean {
  return useSyncExternalStore(subscribe, () => ms !== undefined && nowMs >= ms);
}

export function useServerNow(): number {
  return useReaderNow() + useConnection().state().clockAheadMs;
}

/** In words. Somebody who shows a thousand of them is only drawn again where the words change. */
export function useAge(thenMs: number): string {
  const live = useConnection();
  return useSyncExternalStore(subscribe, () => ago(thenMs, nowMs + live.state().clockAheadMs));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  ticking ??= setInterval(tick, everyMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

function tick(): void {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}
