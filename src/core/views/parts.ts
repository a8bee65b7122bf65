// Objects that consist of equal parts (zones, gateways), each with a health of its own, and how that changes the object's health. Jobs
// declare which kinds have parts.

import { sayingWhoActs } from "../who-acts.ts";
import { sentence } from "./explained.ts";
import type { HealthResult } from "./health.ts";
import type { Health, PartsCount, PartsTable } from "./object-view.ts";

export interface Parts {
  readonly noun: PartsCount["noun"];
  readonly table: PartsTable;
  /** Of other things that belong to the object. They count for nothing. */
  readonly tables?: readonly PartsTable[];
  /** What is left to do although every part is well. */
  readonly underWay?: string;
}

export function countParts({ noun, table: { rows } }: Parts): PartsCount {
  const degraded = rows.filter(({ serves }) => serves === true).length;
  const healthy = rows.filter(({ health }) => health === "healthy").length;
  return {
    noun,
    names: rows.map(({ name }) => name),
    healths: rows.map(({ health }) => health),
    ...(degraded === 0 ? {} : { serving: healthy + degraded }),
  };
}

/** Worst first. A part that could not be observed counts as worse than one in progress. */
const partOrder: readonly Health[] = ["unhealthy", "degraded", "refused", "unknown", "progressing", "healthy"];

/** An object's health is no better than its worst part's; the sentence stays the one of its conditions where they have one. */
export function raisedByParts(result: HealthResult, parts: Parts | undefined): HealthResult {
  const worst = partOrder.find((health) => parts?.table.rows.some((row) => row.health === health));
  if (parts?.underWay !== undefined && result.health === "healthy" && (worst ?? "healthy") === "healthy")
    return { health: "progressing", sentence: sentence(parts.underWay) };
  if (parts === undefined || worst === undefined) return result;
  // An object without one of its parts is degraded.
  const health = worst === "unhealthy" ? "degraded" : worst;
  if (partOrder.indexOf(health) >= partOrder.indexOf(result.health)) return result;
  if (result.health !== "healthy") return { ...result, health };
  return { health, sentence: sentence(sayingWhoActs(`Not healthy: ${namesOf(worst, parts)}`, "", "later")) };
}

function namesOf(health: Health, { noun: [one, several], table: { rows } }: Parts): string {
  const names = rows.filter((row) => row.health === health).map(({ name }) => name);
  if (rows.length === 1) return `the ${one}`;
  return `${names.length === 1 ? one : several} ${names.join(", ")}`;
}
