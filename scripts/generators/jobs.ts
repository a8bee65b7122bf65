// docs/reference/jobs.md: what Mainstay consists of, from the declarations of its jobs.

import { resourceName } from "../../src/apis/kube/kube-object.ts";
import type { JobDeclaration } from "../../src/core/job/declaration.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { generatedNote, table } from "./markdown.ts";

export function jobsPage(): string {
  return `# Jobs

${generatedNote("src/jobs/*/job.ts")}

${allJobs.map(section).join("\n")}`;
}

function section(job: JobDeclaration): string {
  const { name, summary, controllers, settings } = job;
  const rows = Object.entries(controllers).map(([controller, { summary: what, shows }]) => [
    `\`${controller}\``,
    what,
    shows.map(({ kind }) => `\`${resourceName(kind)}\``).join(", "),
    `[rights](../../deploy/rbac/${controller}-controller.yaml)`,
  ]);
  const words = [
    ["Definitions", job.definitions.map(({ crd }) => crd.metadata.name)],
    ["Checked on writing", job.admission.map(({ kind }) => resourceName(kind))],
    ["Metrics", Object.values(job.metrics).map((metric) => metric.name)],
    ["Feature gates", Object.keys(job.featureGates)],
  ] as const;
  const lists = words
    .filter(([, names]) => names.length > 0)
    .map(([title, names]) => `- ${title}: ${names.map((one) => `\`${one}\``).join(", ")}`);
  return `## ${name}

${summary} Its settings stand under \`${settings.key}\` in the [configuration](configuration.md).

${table(["Controller", "What it does", "Shows", "Needs"], rows)}

${lists.join("\n")}
`;
}
