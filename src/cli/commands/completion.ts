// mainstay completion: a script for the user's shell that completes commands, flags and their choices. It asks no cluster.

import { Argument, Command } from "commander";
import type { CliPorts } from "../cli-ports.ts";
import { bashCompletion } from "../completion/bash-completion.ts";
import { type CompletableCommand, completableCommands } from "../completion/completable-commands.ts";
import { fishCompletion } from "../completion/fish-completion.ts";
import { zshCompletion } from "../completion/zsh-completion.ts";
import { addExamples } from "../help-text.ts";

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
type Shell = keyof typeof scripts;
const shells = Object.keys(scripts);

export function completionCommand({ terminal }: CliPorts, root: Command): Command {
  const command = new Command("completion")
    .summary("print a script that completes commands and flags in your shell")
    .description(
      "Prints a script for your shell that completes commands, flags and their choices. It does not ask a cluster. Print it again after an update.",
    )
    .addArgument(new Argument("<shell>", "the shell you use").choices(shells))
    .action((shell: Shell) => terminal.out(scripts[shell](commandsToComplete(root))));
  return addExamples(
    command,
    ["source <(mainstay completion bash)", "bash: now; put the line into ~/.bashrc to keep it"],
    ["source <(mainstay completion zsh)", "zsh: now; put the line into ~/.zshrc, after compinit"],
    ["mainstay completion fish > ~/.config/fish/completions/mainstay.fish", "fish: from the next shell on"],
  );
}

/** `help` is left out of the paths: what follows it is completed as if it were not there. */
function commandsToComplete(root: Command): readonly CompletableCommand[] {
  return completableCommands(root).filter(({ path }) => path !== `${root.name()} help`);
}
