// The command line: arguments in, exit code out. All commands are registered here; none of them ends the process.

import { Command, CommanderError } from "commander";
import type { CliPorts } from "./cli-ports.ts";
import { agentCommand } from "./commands/agent.ts";
import { completionCommand } from "./commands/completion.ts";
import { controllerCommand } from "./commands/controller.ts";
import { crdsCommand } from "./commands/crds.ts";
import { demoCommand } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { helpCommand } from "./commands/help.ts";
import { runbookCommand } from "./commands/runbook.ts";
import { explainCommand, planCommand, statusCommand } from "./commands/status.ts";
import { versionCommand } from "./commands/version.ts";
import { exitCodeHelp, exitCodes } from "./exit-codes.ts";
import { addExamples } from "./help-text.ts";
import type { Ending } from "./job-commands.ts";
import { printError } from "./print-error.ts";
import { refuseRepeated } from "./repeated-options.ts";

export async function run(args: readonly string[], ports: CliPorts): Promise<number> {
  const { terminal } = ports;
  try {
    const ending: Ending = { code: exitCodes.ok };
    await commandLine(ports, ending).parseAsync([...args], { from: "user" });
    return ending.code;
  } catch (error) {
    // Commander has printed help, the version, or what is wrong with the arguments.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.invalid;
    return printError(error, terminal);
  }
}

/** All commands; their actions store the exit code in `ending`. */
export function commandLine(ports: CliPorts, ending: Ending): Command {
  const { terminal } = ports;
  const line = (write: (text: string) => void) => (text: string) => write(text.replace(/\n$/, ""));
  const root = new Command("mainstay")
    .description("Keeps Kubernetes clusters reachable, and says how they are.")
    .version(ports.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false);
  addExamples(
    root,
    ["mainstay status", "the health of every object"],
    ["mainstay explain osc/clusters/blue", "why one of them is not healthy"],
    ["mainstay demo", "a cluster to try things on, on this machine"],
    ["mainstay help topology derive", "the help of any command"],
  ).addHelpText("after", exitCodeHelp);
  root.addCommand(statusCommand(ports, ending));
  root.addCommand(explainCommand(ports, ending));
  root.addCommand(planCommand(ports, ending));
  root.addCommand(doctorCommand(ports, ending));
  for (const { commands } of ports.commands) for (const command of commands) join(root, command(ports, ending));
  root.addCommand(runbookCommand(ports));
  root.addCommand(controllerCommand(ports));
  root.addCommand(agentCommand(ports));
  root.addCommand(crdsCommand(ports));
  root.addCommand(demoCommand(ports, ending));
  root.addCommand(versionCommand(ports));
  root.addCommand(completionCommand(ports, root));
  root.addCommand(helpCommand(root));
  for (const command of everyCommand(root)) {
    command
      .exitOverride()
      .showHelpAfterError("Try --help.")
      .configureOutput({
        writeOut: line((text) => terminal.out(text)),
        writeErr: line((text) => terminal.err(text)),
        getOutHelpWidth: () => terminal.columns,
      });
    refuseRepeated(command);
  }
  return root;
}

/** Jobs may bring commands below one name: `migrate` is one for all. */
function join(root: Command, command: Command): void {
  const known = root.commands.find((one) => one.name() === command.name());
  if (known === undefined) root.addCommand(command);
  else for (const one of command.commands) known.addCommand(one);
}

function everyCommand(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
