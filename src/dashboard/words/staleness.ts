// Whether the page is up to date, and the words for when it is not: the stream is interrupted, or the manager behind it cannot read the
// cluster. In both cases health is unknown, whatever it was before. Pure.

import type { ManagerInfo } from "../../server/contract.ts";
import type { Link } from "../live/live-state.ts";
import { failureWords } from "./failure.ts";
import { shortIdentity } from "./leadership.ts";
import { parseTime, timeOfDay } from "./time.ts";

export interface Staleness {
  /** By the reader's clock. Absent: the page was never up to date. */
  readonly sinceMs?: number;
  /** One sentence. */
  readonly why: string;
  /** True: the page has no stream and tries again. False: the manager does. */
  readonly cut: boolean;
}

export interface StalenessInput {
  readonly link: Link;
  readonly manager?: ManagerInfo | undefined;
  /** The server's clock minus the reader's. */
  readonly clockAheadMs: number;
}

/** Undefined while the page is up to date. */
export function stalenessOf({ link, manager, clockAheadMs }: StalenessInput): Staleness | undefined {
  const notReady = manager === undefined || manager.ready ? undefined : unreadyStaleness(manager, clockAheadMs);
  if (link.status !== "stale") return notReady;
  const why = link.failure === undefined ? "The server stopped answering." : failureWords(link.failure).what;
  // A manager that was not ready before the interruption makes the page stale since then.
  return { sinceMs: Math.min(link.sinceMs, notReady?.sinceMs ?? link.sinceMs), why, cut: true };
}

function unreadyStaleness({ identity, sawAllUntil }: ManagerInfo, clockAheadMs: number): Staleness {
  const untilMs = parseTime(sawAllUntil);
  const why = `${shortIdentity(identity)} cannot read all of the cluster.`;
  return { ...(untilMs === undefined ? {} : { sinceMs: untilMs - clockAheadMs }), why, cut: false };
}

/** Replaces the sentence about the health of all objects. */
export function staleHeadline({ sinceMs }: Staleness): string {
  if (sinceMs === undefined) return "The cluster could not be read yet: health is unknown.";
  return `Stale since ${timeOfDay(sinceMs)}: health is unknown.`;
}
