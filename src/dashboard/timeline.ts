// What happened to an object, as one list: the plan log of this manager and the Events, which outlive it. An Event that tells what an entry
// of the log tells already is left out. Pure.

import type { EventView, PlanLogEntry } from "../core/views/object-view.ts";
import { parseTime } from "./words/time.ts";

export type Happening =
  | { readonly from: "log"; readonly key: string; readonly atMs: number; readonly entry: PlanLogEntry }
  | { readonly from: "events"; readonly key: string; readonly atMs: number; readonly event: EventView };

/** An Event is written right after what it tells of. */
const togetherMs = 5_000;

/** Newest first. */
export function timeline(history: readonly PlanLogEntry[], events: readonly EventView[]): readonly Happening[] {
  const logged = history.map(
    (entry): Happening => ({ from: "log", key: `${entry.term}-${entry.id}`, atMs: parseTime(entry.time) ?? 0, entry }),
  );
  const others = events
    .filter((event) => !history.some((entry) => tellsTheSame(entry, event)))
    .map(
      (event): Happening => ({
        from: "events",
        key: `${event.reason} ${event.action} ${event.firstSeen} ${event.message}`,
        atMs: parseTime(event.lastSeen) ?? 0,
        event,
      }),
    );
  return [...logged, ...others].toSorted((a, b) => b.atMs - a.atMs);
}

/** Of what was done both have the action and the controller, each in words of its own; of everything else they have the same words. */
function tellsTheSame(entry: PlanLogEntry, event: EventView): boolean {
  const [loggedMs, firstMs, lastMs] = [entry.time, event.firstSeen, event.lastSeen].map((time) => parseTime(time) ?? 0);
  const isNear = (one = 0, other = 0) => Math.abs(one - other) <= togetherMs;
  if (!isNear(loggedMs, lastMs) && !isNear(loggedMs, firstMs)) return false;
  if (entry.result === "done")
    return (
      event.type === "Normal" && event.action === entry.action && event.controller.endsWith(`/${entry.controller}`)
    );
  return event.message.includes(entry.message ?? entry.words);
}
