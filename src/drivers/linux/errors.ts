// What went wrong with a program of this machine, as a MainstayError; this is the only place that makes one.

import { MainstayError } from "../../core/errors.ts";

export interface Program {
  readonly name: string;
  /** With arguments that come before all others. */
  readonly command: readonly string[];
  /** Of Debian. */
  readonly packageName: string;
}

export function programMissing({ name, packageName }: Program): MainstayError {
  return new MainstayError({
    reason: "ProgramMissing",
    message: `${name}: it is not installed, or not in the PATH of this process`,
    hint: `Install the package ${packageName} (apt-get install ${packageName}), or add its folder to the PATH.`,
  });
}

/** `said` may quote what the program was given, and is cut to what people read. */
export function programFailed(
  { name }: Pick<Program, "name">,
  said: string,
  hint = "Run the agent as root or with CAP_NET_ADMIN, and read what the program says.",
): MainstayError {
  return new MainstayError({ reason: "ProgramFailed", message: `${name}: ${shortened(said)}`, hint });
}

const mostCharacters = 2_000;

function shortened(text: string): string {
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}…`;
}
