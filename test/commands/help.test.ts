// Every command's help says in a sentence what it does, and shows at least one example that the command line understands.

import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { commandLine } from "../../src/cli/run.ts";
import { cliPorts, cliWorld } from "../support/cli-world.ts";

const root = commandLine(cliPorts(), { code: 0 });

function everyCommand(command: Command, path: readonly string[]): readonly (readonly [string, Command])[] {
  const inner = command.commands.flatMap((one) => everyCommand(one, [...path, one.name()]));
  return [[["mainstay", ...path].join(" "), command], ...inner];
}

const commands = everyCommand(root, []);

test("there are commands", () => {
  expect(commands.length).toBeGreaterThan(25);
});

describe.each(commands)("%s", (path, command) => {
  test("says in a sentence what it does", () => {
    expect(command.description()).toMatch(/^[A-Z].*[^.]\.$/);
  });

  test("has an example, and every flag in it exists", async () => {
    const { code, out } = await cliWorld().run(...path.split(" ").slice(1), "--help");
    expect(code).toBe(0);
    const examples = /^Examples:\n((?: {2}.*\n?)+)/m.exec(out)?.[1]?.trimEnd().split("\n") ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const line of examples) {
      expect(line).toMatch(/^ {2}\S.* {2}# \S/);
      const words = (line.split(" # ")[0] ?? "").replace(/^.*?\bmainstay\b/, "").replace(/[)>|].*$/, "");
      expectUnderstood(words.trim().split(/\s+/).filter(Boolean));
    }
  });
});

/** The words name commands as far as they go, and the flags are those of the command. */
function expectUnderstood(words: readonly string[]): void {
  let command = root;
  for (const word of words) command = command.commands.find((one) => one.name() === word) ?? command;
  const known = command.createHelp().visibleOptions(command);
  for (const flag of words.filter((word) => /^--?[a-z]/i.test(word)))
    expect(
      known.some(({ short, long }) => [short, long].includes(flag)),
      `${words.join(" ")}: ${flag}`,
    ).toBe(true);
}
