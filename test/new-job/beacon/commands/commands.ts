// The beacon job brings no command of its own: status, explain, plan and doctor know it by its declaration.

import type { JobCommands } from "../../../cli/job-commands.ts";

export const beaconCommands: JobCommands = { job: "beacon", commands: [], invocations: () => [], checks: [] };
