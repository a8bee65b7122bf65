// Every generated file of the repository, as text in memory. `npm run generate` writes them; the tidy test compares them.

import { allJobs } from "../src/jobs/all.ts";
import { cliPage } from "./generators/cli.ts";
import { configurationPage } from "./generators/configuration.ts";
import { crdManifest } from "./generators/crds.ts";
import { featureGatesPage } from "./generators/feature-gates.ts";
import { jobsPage } from "./generators/jobs.ts";
import { generatedNote } from "./generators/markdown.ts";
import { metricsPage } from "./generators/metrics.ts";
import { rbacManifests } from "./generators/rbac.ts";
import { reasonsPage } from "./generators/reasons.ts";
import { webhookManifests } from "./generators/webhooks.ts";

/** Folders in which every file is generated: one that no generator makes is stale. */
export const generatedFolders: readonly string[] = ["docs/reference", "deploy/crds", "deploy/webhook"];

/** Path relative to the repository → text. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const pages: readonly (readonly [name: string, text: string])[] = [
    ["cli.md", await cliPage()],
    ["configuration.md", configurationPage()],
    ["feature-gates.md", featureGatesPage()],
    ["jobs.md", jobsPage()],
    ["metrics.md", metricsPage()],
    ["reasons.md", reasonsPage()],
  ];
  return new Map([
    ...pages.map(([name, text]) => [`docs/reference/${name}`, text] as const),
    ["docs/reference/README.md", contents(pages)],
    ...allJobs
      .flatMap(({ definitions }) => definitions)
      .map(({ crd }) => [`deploy/crds/${crd.metadata.name}.yaml`, crdManifest(crd)] as const),
    ...rbacManifests().map(([name, text]) => [`deploy/rbac/${name}`, text] as const),
    ...webhookManifests().map(([name, text]) => [`deploy/webhook/${name}`, text] as const),
  ]);
}

function contents(pages: readonly (readonly [name: string, text: string])[]): string {
  const entries = pages.map(([name, text]) => `- [${/^# (.+)$/m.exec(text)?.[1] ?? name}](${name})`);
  return `# Reference\n\n${generatedNote("scripts/generated-files.ts")}\n\n${entries.join("\n")}\n`;
}
