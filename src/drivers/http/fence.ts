// No change is sent once this manager's lease has run out. Checked before a call waits for anything, and again as it is sent.

import { MainstayError } from "../../core/errors.ts";
import type { Fence } from "../../ports/kube.ts";

/** `what` names the change, for the error. */
export function checkFence(what: string, fence: Fence | undefined): void {
  if (hasRunOut(fence)) throw notLeading(what);
}

export function hasRunOut(fence: Fence | undefined): boolean {
  return fence !== undefined && fence.remainingMs() <= 0;
}

/** No change takes longer than the lease lasts. */
export function fencedDeadlineMs(deadlineMs: number, fence: Fence | undefined): number {
  return Math.min(deadlineMs, fence?.remainingMs() ?? Number.POSITIVE_INFINITY);
}

export function notLeading(what: string): MainstayError {
  return new MainstayError({
    reason: "LeadershipLost",
    message: `${what}: not sent, the leader lease has run out`,
    hint: "Nothing to do: the manager that leads now does this work.",
  });
}
