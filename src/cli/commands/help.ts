// mainstay help COMMAND ...: the help of any command, however deep; of one that does not exist, the nearest.

import { Command } from "commander";
import { nearest } from "../../apis/text/nearest.ts";
import { addExamples } from "../help-text.ts";
import { invalid } from "../invalid-input.ts";

export function helpCommand(root: Command): Command {
  return addExamples(new Command("help"), ["mainstay help topology derive", "as mainstay topology derive --help"])
    .summary("print the help of a command")
    .description("Prints the help of a command, however deep.")
    .argument("[command...]", "such as: topology derive")
    .action((path: readonly string[]) => find(root, path).help());
}

function find(command: Command, [name, ...rest]: readonly string[]): Command {
  if (name === undefined) return command;
  const inner = command.commands.find((candidate) => candidate.name() === name);
  if (inner !== undefined) return find(inner, rest);
  const names = command.commands.map((candidate) => candidate.name());
  const meant = nearest(name, names);
  const hint = names.length === 0 ? "It has none." : `Known are ${names.join(", ")}.`;
  throw invalid(
    "help",
    `${command.name()} has no command "${name}"`,
    meant === undefined ? hint : `Did you mean ${meant}?`,
  );
}
