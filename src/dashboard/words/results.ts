// The result of an action, as a word and as the tone it is shown in. Pure.

import type { ActionResult, Health, PlanLogEntry } from "../../core/views/object-view.ts";

export type Tone = "good" | "wait" | "bad" | "unknown";

export const resultNames: Readonly<Record<PlanLogEntry["result"] | ActionResult, string>> = {
  done: "Done",
  failed: "Failed",
  skipped: "Skipped",
  waiting: "Waiting",
  refused: "Refused",
  noticed: "Noticed",
  planned: "Planned",
};

export const resultTones: Readonly<Record<PlanLogEntry["result"] | ActionResult, Tone>> = {
  done: "good",
  failed: "bad",
  skipped: "unknown",
  waiting: "wait",
  refused: "bad",
  noticed: "unknown",
  planned: "wait",
};

export const healthTones: Readonly<Record<Health, Tone>> = {
  healthy: "good",
  progressing: "wait",
  degraded: "bad",
  unhealthy: "bad",
  refused: "bad",
  unknown: "unknown",
};

/** Of a part: one that is degraded does its work, and does not look like one that does not. */
export const partTones: Readonly<Record<Health, Tone>> = { ...healthTones, degraded: "wait" };
