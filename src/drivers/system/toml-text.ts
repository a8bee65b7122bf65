// Parses TOML that people wrote; what is wrong with the text is said without quoting it, for it may hold secrets.

import { parse, TomlError } from "smol-toml";
import type { Checked } from "../../apis/text/problem.ts";

export function parseToml(text: string, where: string): Checked<unknown> {
  try {
    return { ok: true, value: parse(text), notes: [] };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = `line ${error.line}, column ${error.column} is no TOML`;
    return { ok: false, problems: [{ where, message, hint: "Correct the TOML." }] };
  }
}
