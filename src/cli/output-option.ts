// The flag -o of every command that prints something for programs, too. `text` is for people; `table` is another word for it.

import { Option } from "commander";

export const outputFormats = ["text", "yaml", "json"] as const;
export type OutputFormat = (typeof outputFormats)[number];

const synonym = "table";

export function outputOption(formats: readonly string[], description = "output format"): Option {
  const choices = formats.flatMap((format) => (format === "text" ? ["text", synonym] : [format]));
  const option = new Option("-o, --output <format>", description).choices(choices).default("text");
  const parse = option.parseArg;
  return option.argParser((value: string) => {
    const chosen = parse?.(value, undefined);
    return chosen === synonym ? "text" : chosen;
  });
}
