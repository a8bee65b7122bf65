// mainstay migrate: what a move would take, before anybody makes it.

import { Command } from "commander";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { addConnectionOptions } from "../../../cli/connection-options.ts";
import { addExamples, addExitCodes } from "../../../cli/help-text.ts";
import type { Ending } from "../../../cli/job-commands.ts";
import { outputFormats, outputOption } from "../../../cli/output-option.ts";
import { whenCalled } from "../../../cli/when-called.ts";
import type { MigrateFlags } from "./check-migration.ts";

const loadCheckMigration = whenCalled(() => import("./check-migration.ts"));

export function migrateCommand(ports: CliPorts, ending: Ending): Command {
  const command = new Command("migrate")
    .summary("say whether and how a cluster can move")
    .description("Says whether and how a cluster can move. It changes nothing: the controllers make the move.")
    .helpCommand(false);
  addExamples(command, ["mainstay migrate api-endpoint clusters/blue --check", "to one API balancer per zone"]);
  const apiEndpoint = addConnectionOptions(command.command("api-endpoint"))
    .summary("say whether a cluster can move from one API balancer to one per zone")
    .description(
      "Says whether a cluster can move from one API balancer to one per zone, what it takes, and every step in order. It changes nothing.",
    )
    .argument("<cluster>", "a Cluster of Cluster API: its name, or namespace/name")
    .option("--check", "only say what would happen; the controllers make the move")
    .option("-n, --namespace <name>", "namespace of the cluster")
    .option("-f, --filename <file>", "the OpenStackCluster or APIEndpoint as it would be; - reads standard input")
    .option("--config <file>", "configuration file of the controller manager, for which objects are its own")
    .addOption(outputOption(outputFormats))
    .action(async (cluster: string, flags: MigrateFlags) => {
      const { checkMigration } = await loadCheckMigration();
      ending.code = await checkMigration(cluster, flags, ports);
    });
  addExamples(
    apiEndpoint,
    ["mainstay migrate api-endpoint clusters/blue --check", "as the object in the cluster asks for"],
    ["mainstay migrate api-endpoint clusters/blue --check -f blue.yaml", "as the object in this file would"],
  );
  addExitCodes(apiEndpoint, {
    0: "it can move, or has moved",
    1: "it cannot move",
    3: "something could not be observed",
    5: "there is no such cluster",
  });
  return command;
}
