import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allReasons, sharedReasons } from "../../src/core/reasons.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { gatewayJob } from "../../src/jobs/gateway/job.ts";
import { cliWorld } from "../support/cli-world.ts";

const page = "# MembersUnhealthy\n\n## What it means\n\nSome machines do not answer.\n";
const cli = cliWorld({ files: { "/runbooks/MembersUnhealthy.md": page } });

test.each(["MembersUnhealthy", "membersunhealthy"])("mainstay runbook %s prints the page", async (word) => {
  expect(await cli.run("runbook", word)).toEqual({ code: 0, out: page.trimEnd(), err: "" });
});

test("a mistyped reason is answered with the one that was meant", async () => {
  const { code, err } = await cli.run("runbook", "MemberUnhealthy");
  expect([code, err]).toEqual([
    2,
    'error: <reason>: Mainstay has no reason "MemberUnhealthy"\nhint: Did you mean MembersUnhealthy?',
  ]);
  expect((await cli.run("runbook", "nonsense")).err).toContain("hint: mainstay runbook lists all of them.");
});

test("a cause has no page: its sentence is printed", async () => {
  const { code, out } = await cli.run("runbook", "AsExpected");
  expect([code, out]).toEqual([0, "AsExpected: Everything is as expected. You do not have to do anything about it."]);
});

test.each([
  ["MemberAdded", "member added"],
  ["DnsRecordsPublished", "DNS records published"],
  ["topologystatusset", "topology status set"],
])("the reason of a normal Event, %s, is said to be one", async (word, change) => {
  const { code, out } = await cli.run("runbook", word);
  expect(code).toBe(0);
  expect(out).toContain(`: a normal event: ${change}. `);
  expect(out).toContain("You do not have to do anything about it.");
});

test("without a reason all are listed with their summaries, the worst first", async () => {
  const { code, out } = await cli.run("runbook");
  expect(code).toBe(0);
  const groups = out.split("\n\n");
  expect(groups.map((group) => group.split(":")[0])).toEqual(["Errors", "Warnings", "News"]);
  for (const [name, { severity, summary }] of allReasons()) {
    const group = groups[["error", "warning", "info"].indexOf(severity)] ?? "";
    expect(group.split("\n").find((line) => line.startsWith(`  ${name} `))).toMatch(/ {2}\S/);
    expect(group).toContain(summary);
  }
});

test("the program knows the reasons of every job before it has loaded one", () => {
  const listed = execFileSync(process.execPath, ["src/bin/mainstay.ts", "runbook"], {
    cwd: new URL("../../", import.meta.url),
    encoding: "utf8",
  });
  const names = [...listed.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name);
  // By the declarations: the gateway job brings its commands before it is among the product's jobs.
  const tables = [sharedReasons, gatewayJob.reasons, ...allJobs.map(({ reasons }) => reasons)];
  const declared = new Set(tables.flatMap((table) => Object.keys(table)));
  expect(names.toSorted()).toEqual([...declared].toSorted());
});

test("the program finds the pages that come with it", () => {
  const root = new URL("../../", import.meta.url);
  const printed = execFileSync(process.execPath, ["src/bin/mainstay.ts", "runbook", "ZoneWithoutMembers"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(printed).toBe(readFileSync(new URL("docs/operations/ZoneWithoutMembers.md", root), "utf8"));
});
