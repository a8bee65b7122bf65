// mainstay doctor: configuration, reachability, versions, definitions, permissions, clock and leader.

import { Command } from "commander";
import type { CliPorts } from "../cli-ports.ts";
import { addConnectionOptions } from "../connection-options.ts";
import { type DoctorFlags, doctor } from "../doctor/doctor.ts";
import type { Ending } from "../job-commands.ts";
import { outputOption } from "../output-option.ts";
import { outputFormats } from "../print.ts";

export function doctorCommand(ports: CliPorts, ending: Ending): Command {
  return addConnectionOptions(new Command("doctor"))
    .summary("check configuration, permissions, reachability and versions, and say how to fix what is wrong")
    .option("--config <file>", "configuration file to check and to go by")
    .option("--account <namespace/name>", "check the permissions of this service account instead of your own")
    .option("--clouds", "also try the cloud credentials that objects name")
    .addOption(outputOption(outputFormats))
    .action(async (flags: DoctorFlags) => {
      ending.code = await doctor(flags, ports);
    });
}
