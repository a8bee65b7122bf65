// docs/reference/metrics.md: every metric that /metrics shows, for dashboards and alerts.

import { metricDefinitions } from "../../src/engine/report/metric-definitions.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { generatedNote, table } from "./markdown.ts";

export function metricsPage(): string {
  const rows = [...Object.values(metricDefinitions), ...allJobs.flatMap(({ metrics }) => Object.values(metrics))]
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"))
    .map(({ name, type, help, labels }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(", "),
      help,
    ]);
  return `# Metrics

${generatedNote("src/engine/report/metric-definitions.ts", "src/jobs/*/job.ts")}

Served at \`/metrics\` in the format of Prometheus. Label values come from closed sets (controllers, kinds, verbs, codes, [reasons](reasons.md)), never from names of objects, so the number of series stays small.

${table(["Metric", "Type", "Labels", "Meaning"], rows)}
`;
}
