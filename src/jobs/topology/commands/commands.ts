// What the topology job brings to the command line.

import type { JobCommands } from "../../../cli/job-commands.ts";
import { topologyReasons } from "../core/reasons.ts";
import { topologyCommand } from "./topology.ts";

export const topologyCommands: JobCommands = {
  job: "topology",
  reasons: topologyReasons,
  commands: [topologyCommand],
  checks: [],
  invocations: () => [
    ["topology", "show"],
    ["topology", "explain"],
    ["topology", "check"],
  ],
};
