// No outcome leaves an existing object without a later look: what nobody tells us of (a webhook that was mended, a cloud, a missed event) is
// found at the latest then. What only a change can help is tried again, too, later and later.

import type { Outcome, OutcomeName } from "./outcome.ts";
import type { Requeue } from "./work-queue.ts";

/** The first retry of what only a change can help; the queue's back-off takes over where it is longer. */
const hopelessRetryMs = 60_000;

const laterLooks: Readonly<Record<OutcomeName, Requeue>> = {
  failed: { retryAfterMs: hopelessRetryMs },
  refused: { againAfterMs: 600_000 },
  isolated: { againAfterMs: 7_200_000 },
  quiet: { againAfterMs: 7_200_000 },
  acted: { againAfterMs: 0 },
  waiting: { againAfterMs: 600_000 },
  blind: { againAfterMs: 600_000 },
  stale: "retry",
  unled: "retry",
  // Its run is waited for.
  overdue: "done",
  gone: "done",
};

export function withLaterLook({ name, next }: Pick<Outcome, "name" | "next">): Requeue {
  return next === "done" ? laterLooks[name] : next;
}
