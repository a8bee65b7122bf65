// mainstay demo: an API server in this process, with the controllers at work on it, to try things on.

import { Command } from "commander";
import type { CliPorts } from "../cli-ports.ts";
import { invalid } from "../invalid-input.ts";
import type { Ending } from "../run.ts";

const defaultPort = 16_080;

export function demoCommand(ports: CliPorts, ending: Ending): Command {
  return new Command("demo")
    .summary("run a small cluster API with the controllers in this process, to try things on")
    .description("Starts an API server and the controllers in this process. Nothing is left behind when it ends.")
    .option("--port <number>", "first port to try; the next free one is taken", String(defaultPort))
    .option("--check", "see that everything converges, then end")
    .action(async ({ port, check = false }: { readonly port: string; readonly check?: boolean }) => {
      const number = Number(port);
      if (!Number.isInteger(number) || number < 0 || number > 65_535) {
        throw invalid("--port", `"${port}" is not a port`, "Write a number from 0 to 65535.");
      }
      ending.code = await ports.runDemo({ port: number, check });
    });
}
