import { expect, test } from "vitest";
import { parse } from "yaml";
import { cliWorld } from "../support/cli-world.ts";

test("mainstay version prints what --version prints", async () => {
  const cli = cliWorld();
  expect(await cli.run("version")).toEqual({ code: 0, out: "1.2.3", err: "" });
  expect(await cli.run("--version")).toEqual({ code: 0, out: "1.2.3", err: "" });
});

test("for programs it names the Node it runs on, too", async () => {
  const cli = cliWorld();
  const versions = { version: "1.2.3", nodeVersion: "22.12.0" };
  expect(JSON.parse((await cli.run("version", "-o", "json")).out)).toEqual(versions);
  expect(parse((await cli.run("version", "-o", "yaml")).out)).toEqual(versions);
});
