// docs/reference/feature-gates.md: every feature gate with its stage and default.

import { gatesOf } from "../../src/cli/configuration/configuration.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { generatedNote, table } from "./markdown.ts";

export function featureGatesPage(): string {
  const rows = Object.entries(gatesOf(allJobs))
    .toSorted(([a], [b]) => a.localeCompare(b, "en"))
    .map(([name, { stage, default: on, since, description }]) => [
      `\`${name}\``,
      stage,
      on ? "on" : "off",
      since,
      description,
    ]);
  return `# Feature gates

${generatedNote("src/jobs/*/job.ts")}

A gate is switched with \`Name=true\` or \`Name=false\`. A name that is not in this table is an error, a deprecated one a warning. \`mainstay_feature_gate_enabled\` shows which are on.

- **alpha**: off unless you ask for it; may change or go with any release.
- **beta**: on by default; stays compatible.
- **ga**: always on; the switch only remains so that old settings do no harm.
- **deprecated**: will go.

${table(["Gate", "Stage", "Default", "Since", "What it does"], rows)}
`;
}
