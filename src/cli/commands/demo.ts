// mainstay demo: an API server and the controllers in this process, to try things and to start faults.

import { Command } from "commander";
import type { CliPorts } from "../cli-ports.ts";
import { type FaultFlags, listFaults, startFault, stopFault } from "../demo-faults.ts";
import { invalid } from "../invalid-input.ts";
import type { Ending } from "../job-commands.ts";
import { outputOption } from "../output-option.ts";
import { outputFormats } from "../print.ts";

const defaultPort = 16_080;
export const defaultDashboardPort = 16_090;

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
    .action(async ({ port, dashboardPort, check = false }: DemoFlags) => {
      const numbers = { port: portIn("--port", port), dashboardPort: portIn("--dashboard-port", dashboardPort) };
      ending.code = await ports.runDemo({ ...numbers, check });
    });
  command.addCommand(faultCommand(ports, ending));
  return command;
}

function faultCommand(ports: CliPorts, ending: Ending): Command {
  const command = new Command("fault")
    .summary("start faults in a demonstration that runs in another terminal")
    .helpCommand(false);
  const talking = (name: string) =>
    command
      .command(name)
      .option(
        "--server <url>",
        "the dashboard's address, as the demonstration printed it",
        `http://127.0.0.1:${defaultDashboardPort}`,
      )
      .addOption(outputOption(outputFormats));
  talking("list")
    .summary("list the faults there are, and which are active")
    .action(async (flags: FaultFlags) => {
      ending.code = await listFaults(flags, ports);
    });
  talking("start")
    .summary("start a fault; it heals by itself")
    .argument("<fault>", "its name")
    .argument("[settings...]", "such as seconds=30")
    .action(async (id: string, settings: readonly string[], flags: FaultFlags) => {
      ending.code = await startFault(id, settings, flags, ports);
    });
  talking("stop")
    .summary("end a fault before its time")
    .argument("<fault>", "its name")
    .action(async (id: string, flags: FaultFlags) => {
      ending.code = await stopFault(id, flags, ports);
    });
  return command;
}

function portIn(flag: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  throw invalid(flag, `"${text}" is not a port`, "Write a number from 0 to 65535.");
}
