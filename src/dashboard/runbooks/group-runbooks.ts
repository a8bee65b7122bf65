// Runbook pages as the list of them shows them: by job, the most severe first, narrowed by what somebody looks for. Pure.

import type { RunbookTitle } from "../../server/contract.ts";

export interface RunbookGroup {
  /** Undefined: reasons that any job may give. */
  readonly job: string | undefined;
  readonly runbooks: readonly RunbookTitle[];
}

const severityOrder: readonly RunbookTitle["severity"][] = ["error", "warning", "info"];

export function groupRunbooks(runbooks: readonly RunbookTitle[], text = ""): readonly RunbookGroup[] {
  const words = text.toLowerCase().split(/\s+/);
  const found = runbooks.filter(({ reason, summary, job = "", severity }) =>
    words.every((word) => [reason, summary, job, severity].join(" ").toLowerCase().includes(word)),
  );
  const jobs = [...new Set(found.map(({ job }) => job))].toSorted(byJob);
  return jobs.map((job) => ({ job, runbooks: found.filter((one) => one.job === job).toSorted(mostSevereFirst) }));
}

function byJob(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  return a < b ? -1 : 1;
}

function mostSevereFirst(a: RunbookTitle, b: RunbookTitle): number {
  return severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity) || (a.reason < b.reason ? -1 : 1);
}
