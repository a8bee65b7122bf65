// mainstay migrate: what a move would take, before anybody makes it.

import { Command } from "commander";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { addConnectionOptions } from "../../../cli/connection-options.ts";
import type { Ending } from "../../../cli/job-commands.ts";
import { outputOption } from "../../../cli/output-option.ts";
import { outputFormats } from "../../../cli/print.ts";
import { checkMigration, type MigrateFlags } from "./check-migration.ts";

export function migrateCommand(ports: CliPorts, ending: Ending): Command {
  const command = new Command("migrate").summary("say whether and how a cluster can move").helpCommand(false);
  addConnectionOptions(command.command("api-endpoint"))
    .summary(
      "from one API balancer to one per zone: exit 0 when it can move or has moved, 1 when it cannot, 3 when nobody can look",
    )
    .argument("<cluster>", "a Cluster of Cluster API: its name, or namespace/name")
    .option("--check", "only say what would happen; the controllers make the move")
    .option("-n, --namespace <name>", "namespace of the cluster")
    .option("-f, --filename <file>", "the OpenStackCluster or APIEndpoint as it would be; - reads standard input")
    .option("--config <file>", "configuration file of the controller manager, for which objects are its own")
    .addOption(outputOption(outputFormats))
    .action(async (cluster: string, flags: MigrateFlags) => {
      ending.code = await checkMigration(cluster, flags, ports);
    });
  return command;
}
