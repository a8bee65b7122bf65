// mainstay status --wait: follows the objects until all of them are healthy or the time is over, and says what it waits for.

import type { Timer } from "../../ports/clock.ts";
import type { CliPorts } from "../cli-ports.ts";
import { healthWord } from "./health-word.ts";
import type { Status } from "./read-status.ts";
import { nameOf } from "./status-text.ts";
import { unhealthy, type WantedObjects } from "./wanted-objects.ts";

/** Whoever waits wants to see that it goes on, and not a page of it. */
const repeatMs = 10_000;
const mostNamed = 3;

/** Calls back with every state until the signal ends it. */
export type Follow = (show: (found: Status) => void, end: AbortSignal) => Promise<void>;

/** What was seen last; undefined when nothing was seen at all. */
export async function waitUntilHealthy(
  follow: Follow,
  wanted: WantedObjects,
  timeoutMs: number,
  { clock, terminal, interrupted }: Pick<CliPorts, "clock" | "terminal" | "interrupted">,
): Promise<Status | undefined> {
  const over = new AbortController();
  const startedMs = clock.monotonicMs();
  let last: Status | undefined;
  let told = "";
  let again: Timer | undefined;
  const tell = (): void => {
    again?.cancel();
    again = clock.after(repeatMs, tell);
    if (last !== undefined)
      terminal.err(`${waitingFor(last, wanted)} … ${Math.round((clock.monotonicMs() - startedMs) / 1_000)} s`);
  };
  const deadline = clock.after(timeoutMs, () => over.abort());
  interrupted?.addEventListener("abort", () => over.abort(), { once: true });
  const show = (found: Status): void => {
    last = found;
    if (isOver(found, wanted)) return over.abort();
    const words = waitingFor(found, wanted);
    if (words !== told) tell();
    told = words;
  };
  await follow(show, over.signal);
  deadline.cancel();
  again?.cancel();
  return last;
}

/** Also when something may not be listed: waiting does not change that. */
export function isOver(found: Status, wanted: WantedObjects): boolean {
  return found.hidden || (!isMissing(found, wanted) && unhealthy(found, wanted).length === 0);
}

export function isMissing({ objects }: Status, { named }: WantedObjects): boolean {
  return named !== undefined && objects.length === 0;
}

function waitingFor(found: Status, wanted: WantedObjects): string {
  if (isMissing(found, wanted)) return `waiting for ${wanted.named}: it does not exist yet`;
  const rows = unhealthy(found, wanted);
  const [only, ...others] = rows;
  if (only !== undefined && others.length === 0)
    return `waiting for ${nameOf(only.id)} (${healthWord(only.health)}): ${only.sentence}`;
  return `waiting for ${rows.length} of ${found.objects.length} objects: ${namesOf(rows)}`;
}

/** The first few, with their health. */
export function namesOf(rows: Status["objects"]): string {
  const names = rows.slice(0, mostNamed).map(({ id, health }) => `${nameOf(id)} (${healthWord(health)})`);
  const more = rows.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
