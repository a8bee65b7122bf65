import { expect, test } from "vitest";
import { cliWorld } from "../support/cli-world.ts";

test("--guard of the controller may be repeated: every guard counts, in the order given", async () => {
  const cli = cliWorld();
  expect((await cli.run("controller", "--guard", "no-deletes", "--guard", "max-removals=2")).code).toBe(0);
  expect(cli.started.map(({ guards }) => guards)).toEqual([["no-deletes", "max-removals=2"]]);
});

test("--guard of plan may be repeated: each of them is checked", async () => {
  const plan = ["plan", "infrastructure/cluster", "--guard", "dry-run"];
  expect((await cliWorld().run(...plan, "--guard", "wish")).err).toContain('guard "wish" is not known');
  expect((await cliWorld().run(...plan, "--guard", "no-deletes")).err).toContain("there is no cluster");
});
