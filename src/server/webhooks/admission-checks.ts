// Checks a write for what it changes: a problem that the object had before is only warned of, so that other fields can still be fixed,
// and a deletion is always allowed. Jobs declare the checks of their kinds.

import { type KubeObject, resourceName } from "../../apis/kube/kube-object.ts";
import { formatProblem, type Problem } from "../../apis/text/problem.ts";
import type { Admission } from "../../core/job/admission.ts";

export interface Write {
  /** Such as `apiendpoints.mainstay.dev`. */
  readonly resource: string;
  /** The API version that the writer used. */
  readonly version: string;
  readonly after: KubeObject;
  readonly before: KubeObject | undefined;
}

export interface WriteProblems {
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** Undefined: no job declares checks for such a resource. */
export function checkWrite(
  { resource, version, after, before }: Write,
  admissions: readonly Admission[],
): WriteProblems | undefined {
  const checks = admissions.find(({ kind }) => resourceName(kind) === resource);
  if (checks === undefined) return undefined;
  if (after.metadata.deletionTimestamp !== undefined) return { problems: [], warnings: [] };
  const found = checks.problems(after, version);
  const warnings = checks.warnings(after, version);
  if (before === undefined) return { problems: found, warnings };
  const known = new Set(checks.problems(before, version).map(formatProblem));
  const isKnown = (problem: Problem) => known.has(formatProblem(problem));
  const problems = [...checks.updateProblems(before, after, version), ...found.filter((problem) => !isKnown(problem))];
  // A change that is refused costs nothing.
  const costs = problems.length > 0 ? [] : (checks.updateWarnings?.(before, after, version) ?? []);
  return { problems, warnings: [...costs, ...warnings, ...found.filter(isKnown).map(formatProblem)] };
}
