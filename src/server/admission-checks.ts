// Judges a write by what it changes: trouble that an object has had before is warned of and keeps nobody from mending something else, and
// nothing keeps an object from being deleted. Which checks belong to which kind, jobs declare.

import { type KubeObject, resourceName } from "../apis/kube/kube-object.ts";
import { formatProblem, type Problem } from "../apis/text/problem.ts";
import type { Admission } from "../core/job/admission.ts";

export interface Write {
  /** Such as `apiendpoints.mainstay.dev`. */
  readonly resource: string;
  /** That the writer speaks. */
  readonly version: string;
  readonly after: KubeObject;
  readonly before: KubeObject | undefined;
}

export interface WriteProblems {
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** Undefined: nobody should have asked about such a resource. */
export function checkWrite(
  { resource, version, after, before }: Write,
  admissions: readonly Admission[],
): WriteProblems | undefined {
  const checks = admissions.find(({ kind }) => resourceName(kind) === resource);
  if (checks === undefined) return undefined;
  if (after.metadata.deletionTimestamp !== undefined) return { problems: [], warnings: [] };
  const found = checks.problems(after, version);
  const said = checks.warnings(after, version);
  if (before === undefined) return { problems: found, warnings: said };
  const known = new Set(checks.problems(before, version).map(formatProblem));
  const isKnown = (problem: Problem) => known.has(formatProblem(problem));
  return {
    problems: [...checks.updateProblems(before, after, version), ...found.filter((problem) => !isKnown(problem))],
    warnings: [...said, ...found.filter(isKnown).map(formatProblem)],
  };
}
