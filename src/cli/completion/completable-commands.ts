// All commands with what can follow them, as data: the scripts for the shells are written from it.

import { type Argument, type Command, Help, type Option } from "commander";

export interface CompletableCommand {
  /** With the program's name first: `mainstay topology derive`. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly summary: string }[];
  readonly flags: readonly CompletableFlag[];
  /** What its arguments may be, where that is known. */
  readonly words: readonly string[];
  readonly takesFile: boolean;
}

export interface CompletableFlag {
  readonly short?: string;
  readonly long: string;
  readonly summary: string;
  readonly value: "none" | "any" | "file" | readonly string[];
}

const suggestions = new WeakMap<Argument | Option, () => readonly string[]>();

/** What an argument or a flag's value may be, for completion alone: the command takes other words too, or has an answer of its own to them. */
export function suggest<T extends Argument | Option>(taken: T, words: () => readonly string[]): T {
  suggestions.set(taken, words);
  return taken;
}

export function completableCommands(command: Command, parents: readonly string[] = []): readonly CompletableCommand[] {
  const names = [...parents, command.name()];
  const own: CompletableCommand = {
    path: names.join(" "),
    subcommands: command.commands.map((inner) => ({ name: inner.name(), summary: inner.summary() })),
    flags: new Help().visibleOptions(command).map(completableFlag),
    words: command.registeredArguments.flatMap(
      (argument) => suggestions.get(argument)?.() ?? argument.argChoices ?? [],
    ),
    takesFile: command.registeredArguments.some(isFile),
  };
  return [own, ...command.commands.flatMap((inner) => completableCommands(inner, names))];
}

/** As it is typed; a flag without a long name does not exist here. */
export function namesOfFlag({ short, long }: CompletableFlag): readonly string[] {
  return short === undefined ? [long] : [short, long];
}

function completableFlag(option: Option): CompletableFlag {
  const { short, long, description } = option;
  const argChoices = suggestions.get(option)?.() ?? option.argChoices;
  const value = !option.required ? "none" : (argChoices ?? (option.flags.includes("<file>") ? "file" : "any"));
  return { ...(short === undefined ? {} : { short }), long: long ?? option.flags, summary: description, value };
}

function isFile(argument: Argument): boolean {
  return argument.name() === "FILE";
}
