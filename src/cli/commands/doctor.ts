// mainstay doctor: configuration, reachability, versions, definitions, permissions, clock and leader.

import { Command } from "commander";
import type { CliPorts } from "../cli-ports.ts";
import { addConnectionOptions } from "../connection-options.ts";
import type { DoctorFlags } from "../doctor/doctor.ts";
import { addExamples, addExitCodes } from "../help-text.ts";
import type { Ending } from "../job-commands.ts";
import { outputFormats, outputOption } from "../output-option.ts";
import { whenCalled } from "../when-called.ts";

const loadDoctor = whenCalled(() => import("../doctor/doctor.ts"));

export function doctorCommand(ports: CliPorts, ending: Ending): Command {
  const command = addConnectionOptions(new Command("doctor"))
    .summary("check configuration, permissions, reachability and versions, and say how to fix what is wrong")
    .description(
      "Checks the configuration, the connection, versions, definitions, permissions, the clock and the leader, and says how to fix what is wrong. It changes nothing.",
    )
    .option(
      "--config <file>",
      "configuration file to check and to go by (default: that of the manager that leads, where its Lease can be read)",
    )
    .option("--account <namespace/name>", "check the permissions of this service account instead of your own")
    .option("--clouds", "also try the cloud credentials that objects name")
    .option("--agents", "also ask the agents of gateways, with the credentials that pools name")
    .addOption(outputOption(outputFormats))
    .action(async (flags: DoctorFlags) => {
      const { doctor } = await loadDoctor();
      ending.code = await doctor(flags, ports);
    });
  addExamples(
    command,
    ["mainstay doctor --config mainstay.yaml", "with the controllers and gates of this file"],
    ["mainstay doctor --account mainstay-system/mainstay", "the rights of a service account instead of yours"],
    ["mainstay doctor --clouds", "also tries the cloud credentials"],
  );
  return addExitCodes(command, {
    0: "nothing is wrong",
    1: "something is wrong",
    2: "no kubeconfig can be used",
    3: "the cluster cannot be reached",
  });
}
