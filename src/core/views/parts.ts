// Objects that are made of equal parts, each with a health of its own, and what a bad part means for the whole. Which kinds are made of
// parts, and of which, jobs declare.

import { sentence } from "./explained.ts";
import type { Verdict } from "./health.ts";
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

/** Worst first. A part that nobody could look at outweighs what is in progress: whether it is cannot be told. */
const partOrder: readonly Health[] = ["degraded", "refused", "unknown", "progressing", "healthy"];

/** The whole is no better than its worst part; the words stay those of its conditions where they say something. */
export function raisedByParts(verdict: Verdict, parts: Parts | undefined): Verdict {
  const worst = partOrder.find((health) => parts?.table.rows.some((row) => row.health === health));
  if (parts?.underWay !== undefined && verdict.health === "healthy" && (worst ?? "healthy") === "healthy")
    return { health: "progressing", sentence: sentence(parts.underWay) };
  if (parts === undefined || worst === undefined) return verdict;
  if (partOrder.indexOf(worst) >= partOrder.indexOf(verdict.health)) return verdict;
  if (verdict.health !== "healthy") return { ...verdict, health: worst };
  return { health: worst, sentence: `Not as it should be: ${namesOf(worst, parts)}.` };
}

function namesOf(health: Health, { noun: [one, several], table: { rows } }: Parts): string {
  const names = rows.filter((row) => row.health === health).map(({ name }) => name);
  if (rows.length === 1) return `the ${one}`;
  return `${names.length === 1 ? one : several} ${names.join(", ")}`;
}
