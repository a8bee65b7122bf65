// The current time for all components that show an age, updated once a second. By the server's clock, so that ages are right even
// when the reader's clock is wrong.

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

/** In words. A component is drawn again only when its own words change. */
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
