// The dashboard's state, and how each message of the stream changes it. Pure: the same messages lead to the same state, whether they
// came in one stream or in several that resumed each other.

import type { ObjectSummary, PlanLogEntry } from "../../core/views/object-view.ts";
import {
  type FaultsAnswer,
  type ManagerInfo,
  objectKey,
  type Session,
  type StreamMessage,
} from "../../server/contract.ts";
import type { Failure } from "../words/failure.ts";

/** The state of the stream. `sinceMs` is when the last message came, by the reader's clock. */
export type Link =
  | { readonly status: "connecting"; readonly failure?: Failure }
  | { readonly status: "live" }
  | { readonly status: "stale"; readonly sinceMs: number; readonly failure?: Failure }
  | { readonly status: "token-needed"; readonly failure?: Failure };

export interface Knowledge {
  /** By `objectKey`. */
  readonly objects: ReadonlyMap<string, ObjectSummary>;
  readonly hiddenKinds: readonly string[];
  readonly manager: ManagerInfo;
  readonly faults: FaultsAnswer;
  /** Newest first, the latest `logLength` only; older ones are asked for. */
  readonly log: readonly PlanLogEntry[];
  /** The server has entries that are older than all of these. */
  readonly olderLog: boolean;
}

export interface LiveState {
  readonly link: Link;
  readonly session?: Session;
  readonly known?: Knowledge;
  /** Resume from here. */
  readonly lastId?: string;
  /** The server's clock minus the reader's. Ages are computed by the server's. */
  readonly clockAheadMs: number;
}

export const logLength = 1_000;

export const nothingKnown: LiveState = { link: { status: "connecting" }, clockAheadMs: 0 };

export function applyMessage(state: LiveState, message: StreamMessage, nowMs: number): LiveState {
  if (message.type === "end") return state;
  const next: LiveState = { ...state, lastId: message.id };
  if (message.type === "heartbeat") return { ...next, clockAheadMs: clockAhead(message.time, nowMs) };
  if (message.type === "snapshot") return { ...next, known: knowledgeOf(message) };
  // A change before the first snapshot has nothing to change.
  return state.known === undefined ? state : { ...next, known: changed(state.known, message) };
}

/** Ids differ between managers, so an entry is known by its term too. */
export function logKey({ term, id }: Pick<PlanLogEntry, "term" | "id">): string {
  return `${term}-${id}`;
}

type Change = Exclude<StreamMessage, { readonly type: "snapshot" | "heartbeat" | "end" }>;

function changed(known: Knowledge, change: Change): Knowledge {
  switch (change.type) {
    case "object": {
      const objects = new Map(known.objects).set(objectKey(change.object.id), change.object);
      return { ...known, objects };
    }
    case "gone": {
      const objects = new Map(known.objects);
      objects.delete(objectKey(change.object));
      return { ...known, objects };
    }
    case "plan-log":
      return withEntry(known, change.entry);
    case "manager":
      return { ...known, manager: change.manager };
    case "faults":
      return { ...known, faults: change.faults };
  }
}

function withEntry(known: Knowledge, entry: PlanLogEntry): Knowledge {
  const key = logKey(entry);
  if (known.log.some((other) => logKey(other) === key)) return known;
  const log = [entry, ...known.log];
  return { ...known, log: log.slice(0, logLength), olderLog: known.olderLog || log.length > logLength };
}

function knowledgeOf(snapshot: Extract<StreamMessage, { readonly type: "snapshot" }>): Knowledge {
  const { objects, hiddenKinds, manager, faults, log, olderLog } = snapshot;
  return {
    objects: new Map(objects.map((object) => [objectKey(object.id), object])),
    hiddenKinds,
    manager,
    faults,
    log: log.slice(0, logLength),
    olderLog: olderLog || log.length > logLength,
  };
}

function clockAhead(time: string, nowMs: number): number {
  const serverMs = Date.parse(time);
  return Number.isNaN(serverMs) ? 0 : serverMs - nowMs;
}
