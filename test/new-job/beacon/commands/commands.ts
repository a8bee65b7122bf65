// The beacon job brings no command of its own: status, explain, plan and doctor know it by its declaration.

import type { JobCommands } from "../../../cli/job-commands.ts";
import { beaconReasons } from "../core/reasons.ts";

export const beaconCommands: JobCommands = {
  job: "beacon",
  reasons: beaconReasons,
  commands: [],
  invocations: () => [],
  checks: [],
};
