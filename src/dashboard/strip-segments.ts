// The last hour of a part as segments of a bar, in shares of its length, and the moments at which it changed. Pure.

import type { Health, PartStrip, StateSpan } from "../core/views/object-view.ts";
import { healthNames } from "./words/health.ts";
import { timeOfDay } from "./words/time.ts";

export interface StripSegment {
  readonly key: string;
  /** From the beginning of the hour, as a share of it. */
  readonly left: number;
  readonly width: number;
  readonly health: Health;
  readonly withdrawn: boolean;
  /** `Degraded, out of DNS from 14:03:09 to 14:05:00`. */
  readonly words: string;
}

const hourMs = 60 * 60_000;

export function stripSegments({ spans }: PartStrip, nowMs: number): readonly StripSegment[] {
  const beginMs = nowMs - hourMs;
  return spans.flatMap((span) => {
    const fromMs = Date.parse(span.from);
    const toMs = Math.min(span.to === undefined ? nowMs : Date.parse(span.to), nowMs);
    const leftMs = Math.max(fromMs, beginMs);
    if (toMs <= leftMs) return [];
    const { health, withdrawn } = span;
    const until = span.to === undefined ? "until now" : `to ${timeOfDay(toMs)}`;
    return [
      {
        key: span.from,
        left: (leftMs - beginMs) / hourMs,
        width: (toMs - leftMs) / hourMs,
        health,
        withdrawn: withdrawn !== undefined,
        words: `${stateWords(span)} from ${timeOfDay(fromMs)} ${until}`,
      },
    ];
  });
}

/** Undefined where all of the hour is known, or nothing of it. */
export function unknownBefore([first]: readonly StripSegment[], nowMs: number): string | undefined {
  if (first === undefined || first.left === 0) return undefined;
  return `Not known before ${timeOfDay(nowMs - hourMs + first.left * hourMs).slice(0, 5)}`;
}

const mostChanges = 2;

/** What was before the current state, the latest first: the moments of change for those who cannot point at the bar. */
export function latestChanges(segments: readonly StripSegment[]): readonly string[] {
  return segments
    .slice(0, -1)
    .toReversed()
    .slice(0, mostChanges)
    .map(({ words }) => words);
}

/** How it is now, and since when; undefined where nothing is remembered. */
export function currentState({ spans }: PartStrip): { readonly words: string; readonly since: string } | undefined {
  const last = spans.at(-1);
  return last === undefined ? undefined : { words: stateWords(last), since: last.from };
}

function stateWords({ health, withdrawn }: StateSpan): string {
  return withdrawn === undefined ? healthNames[health] : `${healthNames[health]}, ${withdrawn}`;
}
