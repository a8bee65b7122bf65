// Every command with -o takes `table` for what it prints for people, as status and kubectl do.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { outputOption } from "../../src/cli/output-option.ts";
import { cliWorld } from "../support/cli-world.ts";

const page = readFileSync(new URL("../../docs/reference/cli.md", import.meta.url), "utf8");
const commands = page.split(/^## /m).filter((section) => section.includes("-o, --output"));

test.each(commands.map((section) => [section.split("\n")[0] ?? "", section]))("%s takes table", (_name, section) => {
  expect(section.replaceAll(/\s+/g, " ")).toMatch(/-o, --output <format>.*\(choices: "text", "table", /);
});

test("there are such commands", () => {
  expect(commands.length).toBeGreaterThan(8);
});

test("table prints what text prints, which is the default", async () => {
  const cli = cliWorld();
  const derive = ["topology", "derive", "--control-plane", "3", "--workers", "2"];
  const { code, out } = await cli.run(...derive);
  for (const word of ["text", "table"]) expect(await cli.run(...derive, "-o", word)).toMatchObject({ code, out });
  expect([code, (await cli.run(...derive, "-o", "json")).out === out]).toEqual([0, false]);
});

test("other formats stay what they are", () => {
  const { parseArg } = outputOption(["text", "wide", "yaml"]);
  expect(["text", "table", "wide", "yaml"].map((word) => parseArg?.(word, undefined))).toEqual([
    "text",
    "text",
    "wide",
    "yaml",
  ]);
});
