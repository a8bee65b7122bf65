// mainstay demo: an API server and the controllers in this process, to try things and to start faults.

import { Argument, Command } from "commander";
import { nearest } from "../../apis/text/nearest.ts";
import type { CliPorts } from "../cli-ports.ts";
import { suggest } from "../completion/completable-commands.ts";
import type { FaultFlags } from "../demo-faults.ts";
import { defaultDashboardPort, usualServer } from "../demo-server.ts";
import { addExamples, addExitCodes } from "../help-text.ts";
import { invalid } from "../invalid-input.ts";
import type { Ending } from "../job-commands.ts";
import { outputFormats, outputOption } from "../output-option.ts";
import { whenCalled } from "../when-called.ts";

const loadDemoFaults = whenCalled(() => import("../demo-faults.ts"));

const defaultPort = 16_080;

/** Those of every demonstration; jobs add theirs (`demoFaults`). Only completion reads them: a demonstration is asked for its own. */
const commonFaults = ["kill-leader", "api-server-away", "watch-delayed", "slow-calls", "failing-calls"];

interface DemoFlags {
  readonly port: string;
  readonly dashboardPort: string;
  readonly check?: boolean;
}

export function demoCommand(ports: CliPorts, ending: Ending): Command {
  const command = new Command("demo")
    .summary("run a small cluster API with the controllers in this process, to try things on")
    .description(
      "Starts an API server, two managers and the dashboard in this process. Nothing is left behind when it ends.",
    )
    .option("--port <number>", "first port to try for the API server; the next free one is taken", String(defaultPort))
    .option("--dashboard-port <number>", "first port to try for the dashboard", String(defaultDashboardPort))
    .option("--check", "check that everything converges, print the status, then end")
    .helpCommand(false)
    .allowExcessArguments(true)
    .action(async ({ port, dashboardPort, check = false }: DemoFlags) => {
      refuseWords(command);
      const numbers = { port: portIn("--port", port), dashboardPort: portIn("--dashboard-port", dashboardPort) };
      ending.code = await ports.runDemo({ ...numbers, check });
    });
  command.addCommand(faultCommand(ports, ending));
  addExamples(
    command,
    ["mainstay demo", "until Ctrl-C; it prints what to try"],
    ["mainstay demo --check", "starts it, waits until everything has converged, and ends"],
  );
  return addExitCodes(command, {
    0: "done; with --check: everything has converged",
    1: "with --check: something has not converged",
  });
}

/** It has both an action and commands of its own, so that Commander says of a mistyped one only that it is too much. */
function refuseWords(command: Command): void {
  const [word] = command.args;
  if (word === undefined) return;
  const known = command.commands.map((one) => one.name());
  const meant = nearest(word, known);
  const hint = meant === undefined ? `Known are ${known.join(", ")}; without one it starts.` : `Did you mean ${meant}?`;
  throw invalid("demo", `there is no command "${word}"`, hint);
}

function faultCommand(ports: CliPorts, ending: Ending): Command {
  const command = new Command("fault")
    .summary("start faults in a demonstration that runs in another terminal")
    .description("Starts and ends faults in a demonstration that runs in another terminal, to see what Mainstay does.")
    .helpCommand(false);
  const talking = (name: string) =>
    command
      .command(name)
      .option(
        "--server <url>",
        `the dashboard's address, as the demonstration printed it (default: of the demonstration that KUBECONFIG names, else ${usualServer})`,
      )
      .addOption(outputOption(outputFormats));
  const fault = () =>
    suggest(new Argument("<fault>", "its name"), () => [
      ...ports.commands.flatMap(({ demoFaults = [] }) => demoFaults),
      ...commonFaults,
    ]);
  addExamples(command, ["mainstay demo fault list", "what there is"]);
  addExamples(talking("list"), ["mainstay demo fault list", "what there is, and which are active"])
    .summary("list the faults there are, and which are active")
    .description("Lists the faults of the demonstration, their settings, and which are active.")
    .action(async (flags: FaultFlags) => {
      const { listFaults } = await loadDemoFaults();
      ending.code = await listFaults(flags, ports);
    });
  addExamples(talking("start"), ["mainstay demo fault start api-server-away seconds=30", "it heals after 30 seconds"])
    .summary("start a fault; it heals by itself")
    .description(
      "Starts a fault, and says what to watch. It heals by itself. Different faults can be active at the same time; starting one again ends it first.",
    )
    .addArgument(fault())
    .argument("[settings...]", "such as seconds=30")
    .action(async (id: string, settings: readonly string[], flags: FaultFlags) => {
      const { startFault } = await loadDemoFaults();
      ending.code = await startFault(id, settings, flags, ports);
    });
  addExamples(talking("stop"), ["mainstay demo fault stop api-server-away", "it is over at once"])
    .summary("end a fault before its time")
    .description("Ends a fault before its time.")
    .addArgument(fault())
    .action(async (id: string, flags: FaultFlags) => {
      const { stopFault } = await loadDemoFaults();
      ending.code = await stopFault(id, flags, ports);
    });
  return command;
}

function portIn(flag: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  throw invalid(flag, `"${text}" is not a port`, "Write a number from 0 to 65535.");
}
