// mainstay topology: derive, show, explain and check the cluster's high-availability mode.

import { Command } from "commander";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { addConnectionOptions } from "../../../cli/connection-options.ts";
import type { Ending } from "../../../cli/job-commands.ts";
import { outputOption } from "../../../cli/output-option.ts";
import { outputFormats } from "../../../cli/print.ts";
import { checkTopology } from "./check.ts";
import { type DeriveFlags, derive } from "./derive.ts";
import { explain } from "./explain.ts";
import { type ShowFlags, show } from "./show.ts";
import { addSourceOptions, type SourceFlags } from "./source-options.ts";

export function topologyCommand(ports: CliPorts, ending: Ending): Command {
  const command = new Command("topology")
    .summary("the cluster's high-availability mode, as operators obey it")
    .helpCommand(false);
  const output = (what: string) => outputOption(outputFormats, what);

  addConnectionOptions(addSourceOptions(command.command("derive")))
    .summary("derive the topology from declared replicas; print, write or apply it")
    .addOption(output("text for people, or the manifest"))
    .option(
      "--into <file>",
      "merge into this manifest, keeping its comments and other fields; made when it does not exist",
    )
    .option("--apply", "bring it into the cluster; values that are set there already stay")
    .option("--target-kubeconfig <file>", "with --apply: the cluster to apply to, when it is not the one read from")
    .action(async (file: string | undefined, flags: DeriveFlags) => {
      ending.code = await derive(file, flags, ports);
    });

  addConnectionOptions(command.command("show"))
    .summary("show the published topology and what Mainstay knows about it")
    .addOption(output("output format"))
    .action(async (flags: ShowFlags) => {
      ending.code = await show(flags, ports);
    });

  addConnectionOptions(addSourceOptions(command.command("explain")))
    .summary("explain how the topology came about and what operators make of it")
    .addOption(output("output format"))
    .action(async (file: string | undefined, flags: SourceFlags & ShowFlags) => {
      ending.code = await explain(file, flags, ports);
    });

  addConnectionOptions(addSourceOptions(command.command("check")))
    .summary("exit 0 when the published topology is the declared one, unaltered, and fits the cluster; else 1")
    .addOption(output("output format"))
    .action(async (file: string | undefined, flags: SourceFlags & ShowFlags) => {
      ending.code = await checkTopology(file, flags, ports);
    });

  return command;
}
