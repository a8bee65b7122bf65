// How a part was before a process began to watch it, from the Events about its object. Between two Events it was as the first one says; but where
// one happened more than twice, only its first and its last time are known, and nothing is claimed of the time between them. Pure.

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { toldByEvent } from "../part-changes.ts";
import type { StateSpan } from "./object-view.ts";
import { eventView } from "./plan-view.ts";
import type { State } from "./state-spans.ts";

interface Told {
  readonly atMs: number;
  readonly state: State;
}

interface Recalled {
  /** Oldest first. */
  readonly told: readonly Told[];
  /** In each of these the part changed at times that nobody knows any more. */
  readonly blurred: readonly { readonly fromMs: number; readonly toMs: number }[];
}

/** What Events tell, then what was seen; without gaps but for what is not known. Where both tell, what was seen counts. */
export function withRecalled(
  name: string,
  seen: readonly StateSpan[],
  events: readonly KubeObject[],
): readonly StateSpan[] {
  const [first, ...rest] = seen;
  if (first === undefined) return seen;
  const { told, blurred } = recalled(name, events, Date.parse(first.from));
  const spans: StateSpan[] = [];
  for (const [index, { atMs, state }] of told.entries()) {
    const toMs = told[index + 1]?.atMs ?? Date.parse(first.from);
    if (blurred.some((one) => one.fromMs < toMs && one.toMs > atMs)) continue;
    append(spans, { ...state, from: isoTime(atMs), to: isoTime(toMs) });
  }
  append(spans, first);
  return [...spans, ...rest];
}

function recalled(name: string, events: readonly KubeObject[], beforeMs: number): Recalled {
  const own = events.flatMap((event) => {
    const told = toldByEvent(event);
    const { firstSeen, lastSeen, count } = eventView(event);
    const [fromMs, toMs] = [Date.parse(firstSeen), Date.parse(lastSeen)];
    if (told === undefined || !told.parts.includes(name) || Number.isNaN(fromMs) || Number.isNaN(toMs)) return [];
    const { parts: _, ...state } = told;
    return [{ state, fromMs, toMs, count }];
  });
  const told = own
    .flatMap(({ state, fromMs, toMs }) => [...new Set([fromMs, toMs])].map((atMs): Told => ({ atMs, state })))
    .filter(({ atMs }) => atMs < beforeMs)
    .toSorted((a, b) => a.atMs - b.atMs);
  return { told, blurred: own.filter(({ count }) => count > 2) };
}

/** Two that follow each other and say the same are one. */
function append(spans: StateSpan[], { from, to, ...state }: StateSpan): void {
  const last = spans.at(-1);
  const isSame = last?.to === from && last.health === state.health && last.withdrawn === state.withdrawn;
  if (isSame) spans.pop();
  spans.push({ ...state, from: isSame ? last.from : from, ...(to === undefined ? {} : { to }) });
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
