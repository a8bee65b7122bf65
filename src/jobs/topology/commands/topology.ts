// mainstay topology: derive, show, explain and check the cluster's high-availability mode.

import { Command } from "commander";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { addConnectionOptions } from "../../../cli/connection-options.ts";
import { addExamples, addExitCodes } from "../../../cli/help-text.ts";
import type { Ending } from "../../../cli/job-commands.ts";
import { outputFormats, outputOption } from "../../../cli/output-option.ts";
import { whenCalled } from "../../../cli/when-called.ts";
import type { DeriveFlags } from "./derive.ts";
import type { ShowFlags } from "./show.ts";
import { addSourceOptions, type SourceFlags } from "./source-options.ts";

const loadDerive = whenCalled(() => import("./derive.ts"));
const loadShow = whenCalled(() => import("./show.ts"));
const loadExplain = whenCalled(() => import("./explain.ts"));
const loadCheck = whenCalled(() => import("./check.ts"));

export function topologyCommand(ports: CliPorts, ending: Ending): Command {
  const command = new Command("topology")
    .summary("the cluster's high-availability mode, as operators obey it")
    .description("Derives, shows, explains and checks the cluster's high-availability mode, as operators obey it.")
    .helpCommand(false);
  addExamples(command, ["mainstay topology show", "what is published, and what operators read"]);
  const output = (what: string) => outputOption(outputFormats, what);

  addExamples(
    addConnectionOptions(addSourceOptions(command.command("derive"))),
    ["mainstay topology derive install-config.yaml", "in words"],
    ["mainstay topology derive --control-plane 3 --workers 2 -o yaml", "as a manifest"],
    ["mainstay topology derive --live --apply", "from what the cluster declares, into the cluster"],
  )
    .summary("derive the topology from declared replicas; print, write or apply it")
    .description(
      "Derives the topology from declared replicas, and prints it, writes it into a manifest or applies it. Values that are set already are never overwritten.",
    )
    .addOption(output("text for people, or the manifest"))
    .option(
      "--into <file>",
      "merge into this manifest, keeping its comments and other fields; made when it does not exist",
    )
    .option("--apply", "bring it into the cluster; values that are set there already stay")
    .option("--target-kubeconfig <file>", "with --apply: the cluster to apply to, when it is not the one read from")
    .action(async (file: string | undefined, flags: DeriveFlags) => {
      const { derive } = await loadDerive();
      ending.code = await derive(file, flags, ports);
    });

  addExamples(addConnectionOptions(command.command("show")), ["mainstay topology show", "of the current context"])
    .summary("show the published topology and what Mainstay knows about it")
    .description("Shows the published topology, what operators read from it, and what Mainstay knows about it.")
    .addOption(output("output format"))
    .action(async (flags: ShowFlags) => {
      const { show } = await loadShow();
      ending.code = await show(flags, ports);
    });

  addExamples(
    addConnectionOptions(addSourceOptions(command.command("explain"))),
    ["mainstay topology explain", "of the current context"],
    ["mainstay topology explain --control-plane 1 --workers 0", "before there is a cluster"],
  )
    .summary("explain how the topology came about and what operators make of it")
    .description("Explains how the topology came about, and what operators make of it.")
    .addOption(output("output format"))
    .action(async (file: string | undefined, flags: SourceFlags & ShowFlags) => {
      const { explain } = await loadExplain();
      ending.code = await explain(file, flags, ports);
    });

  const check = addExamples(
    addConnectionOptions(addSourceOptions(command.command("check"))),
    ["mainstay topology check", "against what was declared when it was published"],
    ["mainstay topology check install-config.yaml", "against this file"],
  );
  addExitCodes(check, { 0: "it is as it should be", 1: "it is not", 5: "there is no Infrastructure" })
    .summary("check that the published topology is the declared one, unaltered, and fits the cluster")
    .description("Checks that the published topology is the declared one, unaltered, and fits the cluster.")
    .addOption(output("output format"))
    .action(async (file: string | undefined, flags: SourceFlags & ShowFlags) => {
      const { checkTopology } = await loadCheck();
      ending.code = await checkTopology(file, flags, ports);
    });

  return command;
}
