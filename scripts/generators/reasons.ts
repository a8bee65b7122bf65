// docs/reference/reasons.md: the table of reasons, for people who met one in a condition, an event, a log or a metric.

import { changeWords } from "../../src/core/change-reasons.ts";
import { sharedCauses, sharedReasons } from "../../src/core/reasons.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { generatedNote, table } from "./markdown.ts";

export function reasonsPage(): string {
  const rows = byName([sharedReasons, ...allJobs.map(({ reasons }) => reasons)]).map(
    ([name, { retry, severity, summary }]) => [`[${name}](../operations/${name}.md)`, severity, retry, summary],
  );
  const causes = byName([sharedCauses, ...allJobs.map(({ causes: own }) => own)]).map(([name, { summary }]) => [
    `\`${name}\``,
    summary,
  ]);
  const changes = [...new Set(allJobs.flatMap((job) => changeWords(job.changes)))].toSorted();
  return `# Reasons

${generatedNote("src/core/reasons.ts", "src/jobs/*/core/reasons.ts")}

A reason is one word for something that you may have to act on. The same word is in the condition, the event, the log line and the metric, and its page says what to do.

What happens next to the object that met it:

- **backoff**: Mainstay tries again by itself, later and later; the world outside may heal.
- **wait**: not a failure; Mainstay observes again after a set time, or when something changes.
- **on-change**: trying again is useless until somebody changes an object or the configuration.

${table(["Reason", "Severity", "Retry", "Meaning"], rows)}

## Causes

A cause is one word for why Mainstay does something, or waits for a moment, by itself. It is in conditions and the plan log, and its meaning is in Events. There is nothing to do about it.

${table(["Cause", "Meaning"], causes)}

## What was done

An Event about a change that Mainstay made has a reason that names the change. Its message says what was changed, and the cause. All of them are of type Normal.

${changes.map((word) => `- \`${word}\``).join("\n")}
`;
}

function byName<T>(tables: readonly Readonly<Record<string, T>>[]): readonly (readonly [string, T])[] {
  return tables.flatMap((table) => Object.entries(table)).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
