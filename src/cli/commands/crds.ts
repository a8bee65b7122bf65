// mainstay crds: prints the definitions of Mainstay's kinds, or installs them in a cluster.

import { Command } from "commander";
import { definitionsOf } from "../../core/job/declaration.ts";
import type { CliPorts, ConnectOptions } from "../cli-ports.ts";
import { addConnectionOptions, withConnection } from "../connection-options.ts";
import { type InstalledCrd, installCrds } from "../install-crds.ts";
import { table, toYaml } from "../print.ts";
import { withProgress } from "../progress.ts";

const words: Readonly<Record<InstalledCrd["result"], string>> = {
  created: "created",
  renewed: "renewed",
  current: "up to date",
  foreign: "left alone: it exists and does not bear Mainstay's mark",
  newer: "left alone: a newer Mainstay installed it",
};

export function crdsCommand(ports: CliPorts): Command {
  const definitions = definitionsOf(ports.product.jobs);
  const command = new Command("crds")
    .summary("print or install the definitions of Mainstay's kinds")
    .helpCommand(false);
  command
    .command("print")
    .summary("print the definitions as YAML")
    .action(() => ports.terminal.out(definitions.map(({ crd }) => toYaml(crd).trimEnd()).join("\n---\n")));
  addConnectionOptions(command.command("install"))
    .summary("install the definitions in a cluster; definitions of others stay as they are")
    .action(async (options: ConnectOptions) => {
      await withConnection(ports, options, async ({ kube }) => {
        const installed = await withProgress(
          "installing definitions",
          ports,
          installCrds(kube, ports.clock, definitions),
        );
        ports.terminal.out(table(installed.map(({ name, result }) => [name, words[result]])));
      });
    });
  return command;
}
