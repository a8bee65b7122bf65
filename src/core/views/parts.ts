// Objects that are made of equal parts, each with a health of its own: which kinds are, and what a bad part means for the whole. A job
// adds its kinds to the table; everything else, pages included, knows no job.

import { type Kind, type KubeObject, resourceName } from "../../apis/kube/kube-object.ts";
import { apiEndpoints } from "../../jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../../jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { zoneParts } from "../../jobs/api-endpoint/core/status/zone-parts.ts";
import { sentence } from "./explained.ts";
import type { Verdict } from "./health.ts";
import type { Health, PartsCount, PartsTable } from "./object-view.ts";

export interface Parts {
  readonly noun: PartsCount["noun"];
  readonly table: PartsTable;
  /** What is left to do although every part is well. */
  readonly underWay?: string;
}

const byResource: Readonly<Record<string, (object: KubeObject) => Parts | undefined>> = {
  [resourceName(openStackClusters)]: zoneParts,
  [resourceName(apiEndpoints)]: zoneParts,
};

export function partsOf(kind: Kind, object: KubeObject): Parts | undefined {
  return byResource[resourceName(kind)]?.(object);
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
