// Every command that the demonstration prints, and those of its guide, word by word: copied, pasted and run with the lab's kubectl.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ManagerInfo, routes } from "../../src/server/contract.ts";
import { describeLab, labKube } from "../lab.ts";
import { eventually } from "../topology/topology-world.ts";
import { type RunningDemo, startDemo } from "./running-demo.ts";

const run = promisify(execFile);

describeLab("what the demonstration tells people to try, with a real kubectl", labKube, ({ binDir }) => {
  let demo: RunningDemo;
  let said: readonly { readonly command: string; readonly answer: string }[];
  const commands = (): readonly string[] => commandsIn(demo.said);
  /** In a shell of a person's own, somewhere else on the machine; it stops at the first command that fails. */
  const shell = async (lines: readonly string[]): Promise<string> => {
    const env = { ...process.env, PATH: [binDir, process.env["PATH"]].join(delimiter), KUBECONFIG: "" };
    return (await run("bash", ["-ec", lines.join("\n")], { env, cwd: tmpdir(), timeout: 120_000 })).stdout;
  };
  const marked = (lines: readonly string[]) => lines.flatMap((line, index) => [`printf '\\n=== %s\\n' ${index}`, line]);

  beforeAll(async () => {
    demo = await startDemo();
    const printed = await shell(marked(commands()));
    const parts = printed.split(/\n=== \d+\n/).slice(1);
    said = commands().map((command, index) => ({ command, answer: parts[index] ?? "" }));
  }, 600_000);
  afterAll(() => demo.stop());
  const answersTo = (part: string): readonly string[] => {
    const found = said.filter(({ command }) => command.includes(part));
    if (found.length === 0) throw new Error(`no command with "${part}" among: ${commands().join("; ")}`);
    return found.map(({ answer }) => answer);
  };
  const answerTo = (part: string): string => answersTo(part).join("\n");

  test("there are commands for three things, and each of them runs", () => {
    expect(demo.said.match(/^ {2}[123]\. /gm)).toHaveLength(3);
    expect(commands().length).toBeGreaterThanOrEqual(10);
    expect(said.map(({ command }) => command)).toEqual(commands());
  });

  test("1: status and explain tell how everything fares, with the demonstration's own configuration", () => {
    expect(answerTo(" explain openstackcluster/blue")).toContain("Managed by openstack-cluster.");
    expect(answerTo(" explain openstackcluster/blue")).toContain("Configuration: that of the running manager manager-");
    expect(answerTo("kubectl get openstackclusters")).toMatch(/blue +True +AsExpected +3\/3 +api\.blue\.example\.com/);
    expect(answerTo("kubectl get openstackclusters").match(/machine\.cluster\.x-k8s\.io\/blue-az\d/g)).toHaveLength(3);
  });

  test("2: a zone that is lost leaves the records, and comes back", () => {
    expect(answerTo("fault start zone-dark")).toContain("Lose a zone has begun");
    expect(answerTo("MembersHealthy=false")).toContain("condition met");
    const [lost = "", healed = ""] = answersTo("kubectl get dnsendpoint blue");
    const [, explained = ""] = answersTo(" explain openstackcluster/blue");
    expect(explained).toMatch(/^az2 .* 0 of 1 answers .* left out\s*$/m);
    expect(lost.match(/"203\.0\.113\.\d+"/g)).toHaveLength(2);
    expect(healed.match(/"203\.0\.113\.\d+"/g)).toHaveLength(3);
  });

  test("3: the request waits for the nodes that are missing, and is granted when they come", () => {
    expect(answerTo(" plan infrastructure/cluster")).toContain("1 of 3 control-plane nodes are ready and schedulable.");
    expect(answerTo("kubectl create -f")).toContain("node/control-plane-2 created");
    expect(answerTo("kubectl wait")).toContain("condition met");
    expect(answerTo(" status")).toMatch(/Infrastructure\/cluster +healthy/);
    expect(answerTo(" topology explain")).toMatch(
      /controlPlaneTopology +HighlyAvailable +published by Mainstay because/,
    );
    expect(answerTo(" topology explain")).not.toContain("somebody else");
    expect(answerTo(" topology explain")).toMatch(
      /as recorded at installation .*: 1 control plane, 0 workers; .* Declared today: 3 control plane, 0 workers/,
    );
  });

  test("the guide's changes of a cluster are carried out, one by one", { timeout: 240_000 }, async () => {
    const open = commands().slice(0, 2);
    const [add = "", members = "", port = "", remove = "", machine = ""] = guideBlocks("Change it with kubectl");
    expect(await shell([...open, add])).toMatch(/condition met[^]*az4 +203\.0\.113\.\d+ +1 of 1 machine answers/);
    expect(await shell([...open, members])).toMatch(/az4 +203\.0\.113\.\d+ +4 of 4 machines answer/);
    expect(await shell([...open, port])).toContain("9345");
    expect(await shell([...open, `{ ${remove}} 2>&1`])).toMatch(
      /Warning: .*az4 goes: its balancer leaves the DNS records[^]*blue-az4/,
    );
    expect(await shell([...open, machine])).toContain("condition met");
  });

  test("the guide's second cluster gets its machines, a deleted one back, and goes as a whole", {
    timeout: 300_000,
  }, async () => {
    const open = commands().slice(0, 2);
    const [add = "", remove = ""] = guideBlocks("Add a cluster");
    expect(await shell([...open, add])).toMatch(/OpenStackCluster\/default\/green +healthy/);
    const after = await shell([...open, remove]);
    expect(after).toMatch(/OpenStackCluster\/default\/green +healthy/);
    expect(after.slice(after.lastIndexOf("deleted"))).toMatch(/blue-az1/);
    expect(after.slice(after.lastIndexOf("deleted"))).not.toMatch(/green/);
  });

  test("the guide's service account has its rights", async () => {
    const [rights = ""] = guideBlocks("Check the rights of an account");
    expect(await shell([...commands().slice(0, 2), rights])).toMatch(
      /permissions of openstack-cluster: all \d+ are granted/,
    );
  });

  test("the guide's faults begin and end, and another manager leads after the leader's death", {
    timeout: 600_000,
  }, async () => {
    const manager = async () => (await (await fetch(`${demo.dashboard}${routes.manager}`)).json()) as ManagerInfo;
    const { identity: ledAtFirst } = await manager();
    const [faults = ""] = guideBlocks("Break it");
    const here = faults.replaceAll(/^(\S+ demo fault .*)$/gm, `$1 --server ${demo.dashboard}`);
    expect(await shell([...commands().slice(0, 2), here])).toContain("Kill the leader has begun");
    // A machine under load may need longer than people are told.
    await eventually(async () => {
      const leads = /ok {4}leader: (manager-\d) leads/.exec(await demo.mainstay("doctor"))?.[1];
      expect(leads).toMatch(/^manager/);
      expect(leads).not.toBe(ledAtFirst);
    }, 600_000);
  });

  test("the guide's edit behind Mainstay's back is seen, said and left alone, and healed by its undoing", async () => {
    const [edit = "", undo = ""] = guideBlocks("Edit it behind Mainstay's back");
    const open = commands().slice(0, 2);
    expect(await shell([...open, edit])).toMatch(/Unaltered is False[^]*mainstay runbook TopologyEdited/);
    expect(await shell([...open, undo])).toMatch(/Infrastructure\/cluster +healthy/);
  });
});

/** Lines that are indented by seven spaces. */
function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(/^ {7}(\S.*)$/gm)].map(([, command = ""]) => command);
}

/** The shell blocks of a section of the guide. */
function guideBlocks(title: string): readonly string[] {
  const guide = readFileSync(join(import.meta.dirname, "..", "..", "docs", "guides", "demo.md"), "utf8");
  const section = guide.split(/^## /m).find((one) => one.startsWith(title)) ?? "";
  return [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = ""]) => block);
}
