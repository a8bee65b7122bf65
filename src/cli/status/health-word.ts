// Health as people read it. For programs the values stay what they are in core/views/object-view.ts.

import type { Health } from "../../core/views/object-view.ts";

const words: Readonly<Record<Health, string>> = {
  healthy: "healthy",
  progressing: "in progress",
  degraded: "degraded",
  refused: "refused",
  unknown: "unknown",
};

export function healthWord(health: Health): string {
  return words[health];
}
