// The files that a gateway's agent is installed with: systemd takes the unit, keepalived outlives it, and the sample configuration is one.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parseAgentConfiguration } from "../src/jobs/gateway/agent/configuration/agent-configuration.ts";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "..", "deploy", "agent");
const unit = await readFile(join(folder, "mainstay-agent.service"), "utf8");

test("the unit leaves keepalived running, and may change the network and its own folder alone", () => {
  const settings = new Map([...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));
  expect(Object.fromEntries(settings)).toMatchObject({
    KillMode: "process",
    CapabilityBoundingSet: "CAP_NET_ADMIN CAP_NET_RAW",
    NoNewPrivileges: "yes",
    ProtectSystem: "strict",
    ReadWritePaths: "/var/lib/mainstay-agent",
    Restart: "always",
  });
});

test("systemd finds nothing wrong with the unit", async (context) => {
  const analyze = await run("systemd-analyze", ["--version"]).catch(() => undefined);
  if (analyze === undefined) return context.skip("systemd-analyze is not installed");
  const place = await mkdtemp(join(tmpdir(), "mainstay-unit-"));
  try {
    // It asks whether the program is there, too.
    const copy = join(place, "mainstay-agent.service");
    await writeFile(copy, unit.replace("/usr/bin/mainstay", process.execPath));
    const { stdout, stderr } = await run("systemd-analyze", ["verify", "--man=no", copy]);
    expect(`${stdout}${stderr}`.split("\n").filter((line) => line.includes("mainstay-agent"))).toEqual([]);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
});

test("the sample configuration can be used as it is, once its files are there", async () => {
  const text = await readFile(join(folder, "agent.yaml"), "utf8");
  const checked = parseAgentConfiguration(text, "agent.yaml");
  expect(checked).toMatchObject({ ok: true, configuration: { name: "gw1", folder: "/var/lib/mainstay-agent" } });
});
