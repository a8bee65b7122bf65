// mainstay migrate lbaas: what a switch from ch-k8s-lbaas takes, before anybody makes it.

import { Command, InvalidArgumentError, Option } from "commander";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { addConnectionOptions } from "../../../cli/connection-options.ts";
import { addExamples, addExitCodes } from "../../../cli/help-text.ts";
import type { Ending } from "../../../cli/job-commands.ts";
import { outputFormats, outputOption } from "../../../cli/output-option.ts";
import { repeatable } from "../../../cli/repeated-options.ts";
import { whenCalled } from "../../../cli/when-called.ts";
import type { MigrateLbaasFlags } from "./migrate-lbaas.ts";

const loadMigrateLbaas = whenCalled(() => import("./migrate-lbaas.ts"));

/** Joins the command of the same name that another job brings. */
export function migrateCommand(ports: CliPorts, ending: Ending): Command {
  const command = new Command("migrate")
    .summary("say whether and how a cluster can move")
    .description("Says whether and how a cluster can move. It changes nothing.")
    .helpCommand(false);
  const lbaas = addConnectionOptions(command.command("lbaas"))
    .summary("say how to switch from ch-k8s-lbaas, and back")
    .description(
      "Reads the configuration of ch-k8s-lbaas' controller, prints the GatewayPool that takes its place, checks Services, ports and agents, and says each step of the switch and of the way back. It changes nothing and prints no secret.",
    )
    .requiredOption("--config <file>", "controller-config.toml of ch-k8s-lbaas; - reads standard input")
    .option("--name <name>", "name of the GatewayPool", "lbaas")
    .option("--secrets-namespace <name>", "namespace of the Secrets that the pool names", "mainstay-system")
    .addOption(
      new Option("--virtual-router-id <id>", "virtual-router-id-base of the agents").default(51).argParser(routerId),
    )
    .addOption(
      repeatable(
        new Option("--source-address <address>", "a free IPv4 address of the gateways' inner network; may be repeated"),
      ),
    )
    .option("--offline", "ask neither the cluster nor anybody else")
    .option("--clouds", "also look at the ports in Neutron, with the credentials of the configuration")
    .option("--agents", "also ask the agents what they are, with the secret of the configuration")
    .addOption(
      outputOption(outputFormats, "text is for people; yaml and json have the pool, the findings and the steps"),
    )
    .action(async (flags: MigrateLbaasFlags) => {
      const { migrateLbaas } = await loadMigrateLbaas();
      ending.code = await migrateLbaas(flags, ports);
    });
  addExamples(
    lbaas,
    ["mainstay migrate lbaas --config controller-config.toml --offline", "the pool and the steps, from the file alone"],
    [
      "mainstay migrate lbaas --config controller-config.toml --source-address 10.0.0.9 --agents --clouds",
      "with every check",
    ],
  );
  addExitCodes(lbaas, {
    0: "it can be switched",
    1: "something has to be corrected first",
    2: "the configuration cannot be used",
    3: "something could not be asked",
  });
  return command;
}

function routerId(value: string): number {
  const id = Number(value);
  if (!Number.isInteger(id) || id < 1 || id > 255) throw new InvalidArgumentError("It is a number from 1 to 255.");
  return id;
}
