// Input that cannot be used, with every problem in it.

import type { Checked, Problem } from "../apis/text/problem.ts";
import { MainstayError } from "../core/errors.ts";

export class InvalidInput extends MainstayError {
  readonly problems: readonly Problem[];

  constructor(message: string, problems: readonly Problem[]) {
    super({ reason: "InputInvalid", message });
    this.name = "InvalidInput";
    this.problems = problems;
  }
}

/** The value, or all that is wrong with it. */
export function orInvalid<T>(
  what: string,
  checked: Checked<T>,
): { readonly value: T; readonly notes: readonly string[] } {
  if (checked.ok) return checked;
  throw new InvalidInput(`${what} cannot be used`, checked.problems);
}

export const notUnderstood = "the command cannot be understood";

export function invalid(where: string, message: string, hint: string): InvalidInput {
  return new InvalidInput(notUnderstood, [{ where, message, hint }]);
}
