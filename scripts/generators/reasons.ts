// docs/reference/reasons.md: the table of reasons, for people who met one in a condition, an event, a log or a metric.

import { type Reason, reasons } from "../../src/core/reasons.ts";
import { generatedNote, table } from "./markdown.ts";

export function reasonsPage(): string {
  // Object.keys of a closed record: the names are its keys and nothing else.
  const names = (Object.keys(reasons) as Reason[]).sort();
  const rows = names.map((name) => {
    const { retry, severity, summary } = reasons[name];
    return [`[${name}](../operations/${name}.md)`, severity, retry, summary];
  });
  return `# Reasons

${generatedNote("src/core/reasons.ts")}

A reason is one word. The same word stands in the condition, the event, the log line and the metric, and its page says what to do.

What happens next to the object that met it:

- **backoff**: Mainstay tries again by itself, later and later; the world outside may heal.
- **wait**: not a failure; Mainstay looks again after a set time, or when something changes.
- **on-change**: trying again is useless until somebody changes an object or the configuration.

${table(["Reason", "Severity", "Retry", "Meaning"], rows)}
`;
}
