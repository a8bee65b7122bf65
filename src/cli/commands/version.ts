// mainstay version: which Mainstay this is, and for programs also which Node runs it.

import { Command } from "commander";
import type { CliPorts } from "../cli-ports.ts";
import { addExamples } from "../help-text.ts";
import { type OutputFormat, outputFormats, outputOption } from "../output-option.ts";
import { whenCalled } from "../when-called.ts";

const loadPrint = whenCalled(() => import("../print.ts"));

export function versionCommand({ version, nodeVersion, terminal }: CliPorts): Command {
  const command = new Command("version")
    .summary("print the version")
    .description(
      "Prints the version of Mainstay, as --version does. As JSON or YAML also the version of Node it runs on.",
    )
    .addOption(outputOption(outputFormats))
    .action(async ({ output }: { readonly output: OutputFormat }) => {
      if (output === "text") return terminal.out(version);
      const { printAs } = await loadPrint();
      printAs(output, { version, nodeVersion }, () => version, terminal);
    });
  return addExamples(command, ["mainstay version -o json", "for a script or a bug report"]);
}
