// What stands below the flags in a command's help: examples that can be typed as they are, and exit codes where they say more than usual.

import type { Command } from "commander";
import type { exitCodes } from "./exit-codes.ts";

type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A line to type, and what it does. */
export type Example = readonly [line: string, what: string];

export function addExamples(command: Command, ...examples: readonly Example[]): Command {
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, what]) => `  ${line.padEnd(width)}  # ${what}`);
  return command.addHelpText("after", ["", "Examples:", ...lines].join("\n"));
}

/** For a command whose codes mean something of their own; `mainstay --help` has the usual ones. */
export function addExitCodes(command: Command, words: Readonly<Partial<Record<ExitCode, string>>>): Command {
  const lines = Object.entries(words).map(([code, meaning]) => `  ${code}  ${meaning}`);
  return command.addHelpText("after", ["", "Exit codes:", ...lines].join("\n"));
}
