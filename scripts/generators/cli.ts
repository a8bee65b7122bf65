// docs/reference/cli.md: the help of every command, as the program itself prints it.

import type { CliPorts } from "../../src/cli/cli-ports.ts";
import { run } from "../../src/cli/run.ts";
import { allCommands } from "../../src/jobs/commands.ts";
import { generatedNote } from "./markdown.ts";

export async function cliPage(): Promise<string> {
  const sections = await commandSections([]);
  return `# Command line

${generatedNote("src/cli", "src/jobs/*/commands")}

${sections.join("\n\n")}
`;
}

async function commandSections(path: readonly string[]): Promise<readonly string[]> {
  const help = await helpOf(path);
  const title = ["mainstay", ...path].join(" ");
  const section = `## ${title}\n\n\`\`\`text\n${help}\n\`\`\``;
  const inner = await Promise.all(subcommands(help).map((name) => commandSections([...path, name])));
  return [section, ...inner.flat()];
}

/** The names under "Commands:", as the help lists them. */
function subcommands(help: string): readonly string[] {
  const list = /^Commands:\n((?: .*\n?)+)/m.exec(help)?.[1] ?? "";
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .flatMap((match) => match[1] ?? [])
    .filter((name) => name !== "help");
}

async function helpOf(path: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const code = await run([...path, "--help"], printingInto(printed));
  if (code !== 0) throw new Error(`mainstay ${path.join(" ")} --help: exit code ${code}`);
  return printed.join("\n").trim();
}

/** Help needs a terminal and nothing else. */
function printingInto(printed: string[]): CliPorts {
  const never = () => {
    throw new Error("printing help touches nothing");
  };
  return {
    version: "0.0.0",
    nodeVersion: "0.0.0",
    commands: allCommands,
    product: never,
    terminal: {
      out: (text) => void printed.push(text),
      err: never,
      readInput: never,
      interactive: false,
      colours: false,
      columns: 100,
    },
    runbookFolder: "",
    shipped: (path) => path,
    files: { readText: never, exists: never, writeText: never },
    clock: { nowMs: never, monotonicMs: never, after: never },
    random: { next: never, uuid: never },
    connect: never,
    openStack: { project: never },
    gatewayAccess: never,
    parseToml: never,
    http: never,
    runController: never,
    runAgent: never,
    runDemo: never,
  };
}
