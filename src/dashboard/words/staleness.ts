// Whether what is shown is the present, and the words for when it is not: the stream may be cut, or the manager behind it may not see the
// cluster. Either way health is unknown, whatever was seen last. Pure.

import type { ManagerInfo } from "../../server/contract.ts";
import type { Link } from "../live/live-state.ts";
import { failureWords } from "./failure.ts";
import { shortIdentity } from "./leadership.ts";
import { parseTime, timeOfDay } from "./time.ts";

export interface Staleness {
  /** By the reader's clock. Absent: the present was never seen. */
  readonly sinceMs?: number;
  /** One sentence. */
  readonly why: string;
  /** The page is cut off itself, and tries again; otherwise the manager does. */
  readonly cut: boolean;
}

export interface StalenessInput {
  readonly link: Link;
  readonly manager?: ManagerInfo | undefined;
  /** The server's clock minus the reader's. */
  readonly clockAheadMs: number;
}

/** Undefined while the present is shown. */
export function stalenessOf({ link, manager, clockAheadMs }: StalenessInput): Staleness | undefined {
  const blind = manager === undefined || manager.ready ? undefined : blindness(manager, clockAheadMs);
  if (link.status !== "stale") return blind;
  const why = link.failure === undefined ? "The server fell silent." : failureWords(link.failure).what;
  // A manager that was blind before the cut is no fresher for it.
  return { sinceMs: Math.min(link.sinceMs, blind?.sinceMs ?? link.sinceMs), why, cut: true };
}

function blindness({ identity, sawAllUntil }: ManagerInfo, clockAheadMs: number): Staleness {
  const untilMs = parseTime(sawAllUntil);
  const why = `${shortIdentity(identity)} does not see all of the cluster.`;
  return { ...(untilMs === undefined ? {} : { sinceMs: untilMs - clockAheadMs }), why, cut: false };
}

/** In place of a verdict over all objects. */
export function staleHeadline({ sinceMs }: Staleness): string {
  if (sinceMs === undefined) return "The cluster was not seen yet: health is unknown.";
  return `Stale since ${timeOfDay(sinceMs)}: health is unknown.`;
}
