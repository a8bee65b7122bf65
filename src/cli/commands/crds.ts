// mainstay crds: prints the definitions of Mainstay's kinds, or installs them in a cluster.

import { Command } from "commander";
import type { Definition } from "../../core/job/declaration.ts";
import type { CliPorts, ConnectOptions } from "../cli-ports.ts";
import { addConnectionOptions, withConnection } from "../connection-options.ts";
import { addExamples } from "../help-text.ts";
import type { InstalledCrd } from "../install-crds.ts";
import { withProgress } from "../progress.ts";
import { whenCalled } from "../when-called.ts";

const loadPrint = whenCalled(() => import("../print.ts"));
const loadInstallCrds = whenCalled(() => import("../install-crds.ts"));
const loadDeclaration = whenCalled(() => import("../../core/job/declaration.ts"));

const words: Readonly<Record<InstalledCrd["result"], string>> = {
  created: "created",
  renewed: "renewed",
  current: "up to date",
  foreign: "left alone: it exists and does not bear Mainstay's mark",
  newer: "left alone: a newer Mainstay installed it",
};

export function crdsCommand(ports: CliPorts): Command {
  const command = new Command("crds")
    .summary("print or install the definitions of Mainstay's kinds")
    .description("Prints or installs the CustomResourceDefinitions of Mainstay's kinds.")
    .helpCommand(false);
  addExamples(command, ["mainstay crds install", "before the first controller starts"]);
  addExamples(
    command.command("print"),
    ["mainstay crds print", "to read them"],
    ["mainstay crds print | kubectl apply --server-side -f -", "to install them with kubectl"],
  )
    .summary("print the definitions as YAML")
    .description("Prints the CustomResourceDefinitions as YAML, as they would be installed.")
    .action(async () => {
      const [definitions, { toYaml }] = await Promise.all([definitionsFor(ports), loadPrint()]);
      ports.terminal.out(definitions.map(({ crd }) => toYaml(crd).trimEnd()).join("\n---\n"));
    });
  addExamples(addConnectionOptions(command.command("install")), [
    "mainstay crds install --context lab",
    "in one cluster",
  ])
    .summary("install the definitions in a cluster; definitions of others stay as they are")
    .description(
      "Installs the CustomResourceDefinitions and waits until the API server serves them. Definitions of others, and newer ones, stay as they are.",
    )
    .action(async (options: ConnectOptions) => {
      const [definitions, { installCrds }, { table }] = await Promise.all([
        definitionsFor(ports),
        loadInstallCrds(),
        loadPrint(),
      ]);
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

async function definitionsFor({ product }: CliPorts): Promise<readonly Definition[]> {
  const [{ jobs }, { definitionsOf }] = await Promise.all([product(), loadDeclaration()]);
  return definitionsOf(jobs);
}
