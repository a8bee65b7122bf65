// Health in words: the name, what it means, and the sentence for many objects at once. Pure.

import type { Health } from "../../core/views/object-view.ts";
import { healths } from "../routes.ts";

export const healthNames: Readonly<Record<Health, string>> = {
  healthy: "Healthy",
  progressing: "In progress",
  degraded: "Degraded",
  unhealthy: "Unhealthy",
  refused: "Refused",
  unknown: "Unknown",
};

export const healthMeanings: Readonly<Record<Health, string>> = {
  healthy: "every promise is kept and nothing is left to do",
  progressing: "something is being done or waited for",
  degraded: "a promise is broken, or the last attempt failed",
  unhealthy: "it does not do its work",
  refused: "Mainstay could act and will not, and says why",
  unknown: "it could not be observed",
};

export function countByHealth(objects: readonly { readonly health: Health }[]): Readonly<Record<Health, number>> {
  const counts = { healthy: 0, progressing: 0, degraded: 0, unhealthy: 0, refused: 0, unknown: 0 };
  for (const { health } of objects) counts[health] += 1;
  return counts;
}

/** The worst first: negative when `a` is worse. */
export function compareHealth(a: Health, b: Health): number {
  return healths.indexOf(a) - healths.indexOf(b);
}

/** All objects in one sentence. */
export function healthSummary(objects: readonly { readonly health: Health }[]): string {
  const total = objects.length;
  const counts = countByHealth(objects);
  const needsAttention = counts.unhealthy + counts.degraded + counts.refused + counts.unknown;
  if (total === 0) return "There is nothing to manage yet.";
  const are = (count: number) => (count === 1 ? "is" : "are");
  if (needsAttention === 0 && counts.progressing === 0) return `${some(total, total)} ${are(total)} healthy.`;
  if (needsAttention === 0) return `${some(counts.progressing, total)} ${are(counts.progressing)} in progress.`;
  const working = counts.progressing === 0 ? "" : `, ${counts.progressing} ${are(counts.progressing)} in progress`;
  return `${some(needsAttention, total)} ${needsAttention === 1 ? "needs" : "need"} attention${working}.`;
}

function some(count: number, total: number): string {
  if (count < total) return `${count} of ${total} objects`;
  return total === 1 ? "The one object" : total === 2 ? "Both objects" : `All ${total} objects`;
}
