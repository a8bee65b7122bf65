// How something was over time, as spans without gaps, oldest first. Pure: the current time is an argument.

import type { StateSpan } from "./object-view.ts";

export type State = Pick<StateSpan, "health" | "withdrawn">;

/** Spans that ended before are forgotten. */
const rememberedMs = 60 * 60_000;

/** `sinceMs`: since when it is as it is, where that is known; what was known before counts more. */
export function withState(
  spans: readonly StateSpan[],
  state: State,
  nowMs: number,
  sinceMs = nowMs,
): readonly StateSpan[] {
  const last = spans.at(-1);
  if (last !== undefined && last.health === state.health && last.withdrawn === state.withdrawn) return spans;
  const fromMs = last === undefined ? Math.min(sinceMs, nowMs) : nowMs;
  const from = new Date(fromMs).toISOString();
  const ended = last === undefined ? [] : [...spans.slice(0, -1), { ...last, to: from }];
  return [...recentSpans(ended, nowMs), { ...state, from }];
}

export function recentSpans(spans: readonly StateSpan[], nowMs: number): readonly StateSpan[] {
  return spans.filter(({ to }) => to === undefined || Date.parse(to) > nowMs - rememberedMs);
}
