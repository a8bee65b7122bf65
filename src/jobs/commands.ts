// The commands of every job, and what `mainstay doctor` checks for it.

import type { JobCommands } from "../cli/job-commands.ts";
import { apiEndpointCommands } from "./api-endpoint/commands/commands.ts";
import { gatewayCommands } from "./gateway/commands/commands.ts";
import { topologyCommands } from "./topology/commands/commands.ts";

// biome-ignore format: a job a line
export const allCommands: readonly JobCommands[] = [
  topologyCommands,
  apiEndpointCommands,
  gatewayCommands,
];
