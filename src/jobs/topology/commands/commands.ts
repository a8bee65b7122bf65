// What the topology job brings to the command line.

import type { JobCommands } from "../../../cli/job-commands.ts";
import { topologyCommand } from "./topology.ts";

export const topologyCommands: JobCommands = {
  job: "topology",
  commands: [topologyCommand],
  checks: [],
  invocations: () => [
    ["topology", "show"],
    ["topology", "explain"],
    ["topology", "check"],
  ],
};
