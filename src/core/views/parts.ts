// Objects that consist of equal parts (zones, gateways), each with a health of its own, and how that changes the object's health. Jobs
// declare which kinds have parts.

import { sentence } from "./explained.ts";
import type { HealthResult } from "./health.ts";
import type { Health, PartsCount, PartsTable } from "./object-view.ts";

export interface Parts {
  readonly noun: PartsCount["noun"];
  readonly table: PartsTable;
  /** What is left to do although every part is well. */
  readonly underWay?: string;
}

export function countParts({ noun, table: { rows } }: Parts): PartsCount {
  return { noun, healths: rows.map(({ health }) => health) };
}

/** Worst first. A part that could not be observed counts as worse than one in progress. */
const partOrder: readonly Health[] = ["degraded", "refused", "unknown", "progressing", "healthy"];

/** An object's health is no better than its worst part's; the sentence stays the one of its conditions where they have one. */
export function raisedByParts(result: HealthResult, parts: Parts | undefined): HealthResult {
  const worst = partOrder.find((health) => parts?.table.rows.some((row) => row.health === health));
  if (parts?.underWay !== undefined && result.health === "healthy" && (worst ?? "healthy") === "healthy")
    return { health: "progressing", sentence: sentence(parts.underWay) };
  if (parts === undefined || worst === undefined) return result;
  if (partOrder.indexOf(worst) >= partOrder.indexOf(result.health)) return result;
  if (result.health !== "healthy") return { ...result, health: worst };
  return { health: worst, sentence: `Not as it should be: ${namesOf(worst, parts)}.` };
}

function namesOf(health: Health, { noun: [one, several], table: { rows } }: Parts): string {
  const names = rows.filter((row) => row.health === health).map(({ name }) => name);
  if (rows.length === 1) return `the ${one}`;
  return `${names.length === 1 ? one : several} ${names.join(", ")}`;
}
