// The commands on the fake API server; test/lab/commands.test.ts runs the same on the real one.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KubeTargetSession } from "../contract/kube-target.ts";
import { fakeInProcess } from "../contract/targets/fake-in-process.ts";
import { fakeTokens } from "../contract/targets/fake-users.ts";
import { cliWorld } from "../support/cli-world.ts";
import { commandsContract } from "./commands.contract.ts";

describe("commands on the fake API server", () => {
  let session: KubeTargetSession;
  beforeAll(async () => {
    session = await fakeInProcess.open();
  });
  afterAll(() => session.close());
  commandsContract(() => ({ session, token: fakeTokens.controller }));
});

describe("without a cluster", () => {
  test("doctor says that there is no connection, and what to do", async () => {
    const { code, out } = await cliWorld().run("doctor");
    expect(code).toBe(3);
    expect(out).toContain("FAIL  connection: there is no cluster\n      to fix it: Bring one.");
  });

  test("doctor lists every problem of a configuration", async () => {
    const files = { "/mainstay.yaml": "dashbord: {}\nlog: {level: loud}\n" };
    const { out } = await cliWorld({ files }).run("doctor", "--config", "/mainstay.yaml");
    expect(out).toContain("/mainstay.yaml: dashbord: not known; did you mean dashboard?");
    expect(out).toContain("/mainstay.yaml: log.level");
  });

  test("an object that cannot be named is invalid input, with the kind that was meant", async () => {
    const run = async (...args: readonly string[]) => {
      const { code, err } = await cliWorld().run(...args);
      return [code, err];
    };
    expect(await run("plan", "infrastructur/cluster")).toEqual([
      2,
      expect.stringContaining("Did you mean infrastructure?"),
    ]);
    expect(await run("explain", "infrastructure")).toEqual([
      2,
      expect.stringContaining("Write infrastructure/<name>."),
    ]);
    expect(await run("explain", "infrastructure/kube-system/cluster")).toEqual([
      2,
      expect.stringContaining("does not name an object"),
    ]);
    expect(await run("plan", "infrastructure/cluster", "--guard", "wish")).toEqual([
      2,
      expect.stringContaining('guard "wish" is not known'),
    ]);
    expect(await run("doctor", "--account", "x")).toEqual([2, expect.stringContaining("Write namespace/name.")]);
    expect(await run("demo", "fault", "start", "x", "seconds")).toEqual([
      2,
      expect.stringContaining("Write name=number"),
    ]);
    expect(await run("demo", "fault", "start", "zone-dark", "zone=az2")).toEqual([
      2,
      expect.stringContaining("Write zone=2."),
    ]);
    expect(await run("demo", "fault", "list", "--server", "http://example.com")).toEqual([
      2,
      expect.stringContaining("not the address of a demonstration"),
    ]);
    expect(await run("demo", "fault", "list")).toEqual([3, expect.stringContaining("there is no demonstration")]);
  });
});
