// Every openstack command of every runbook page, with the client that people use, on the real services: a project with a balancer,
// its floating IP and its members. It succeeds, and what reads prints something.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildLegacyBalancer } from "../lab/openstack/legacy-balancer.ts";
import { type OwnProject, openProject } from "../lab/openstack/own-project.ts";
import { rowOf, rowsOf, text as textOf } from "../lab/openstack/rest.ts";
import { testPatienceMs, until } from "../lab/until.ts";
import { describeLab, labOpenStackClient, labParts, type OpenStackLab, slowSuites } from "../lab.ts";
import { allPageCommands, type PageCommand } from "./page-commands.ts";
import { runInShell, type Shell } from "./run-in-shell.ts";

const commands = allPageCommands().filter(({ program }) => program === "openstack");
/** It asks the compute service too, which the lab does not have. */
const notRun: readonly string[] = ["openstack quota show <project>"];

const ownerId = "5f8c";

test("pages give enough of them to look at", () => {
  expect(commands.length).toBeGreaterThan(25);
  expect(commands.map(({ text }) => text)).toEqual(expect.arrayContaining([...notRun]));
});

const parts = labParts({ cloud: labOpenStackClient, time: slowSuites });

describeLab("on the real services", parts, ({ parts: { cloud: lab } }) => {
  let project: OwnProject;
  let shell: Shell;
  let places: ReadonlyMap<string, string>;
  beforeAll(async () => {
    project = await openProject(lab);
    places = await furnish(project, lab);
    shell = shellFor(project);
  }, 600_000);
  afterAll(async () => {
    await project?.remove();
    if (shell !== undefined) rmSync(shell.folder, { recursive: true });
  }, 600_000);

  const run = async (command: PageCommand) => {
    const { code, printed, err } = await runInShell(filledIn(command, places), shell);
    const something = command.mayPrintNothing || changes(command) ? expect.any(String) : expect.stringMatching(/./);
    expect({ pages: command.pages, code, err, printed: printed.trim() }).toEqual({
      pages: command.pages,
      code: 0,
      err: "",
      printed: something,
    });
  };
  const named = (some: readonly PageCommand[]) => some.map((command) => [command.text, command] as const);

  describe.concurrent("reads", () => {
    test.each(named(commands.filter((one) => !changes(one) && !notRun.includes(one.text))))(
      "%s",
      async (_, command) => await run(command),
      testPatienceMs,
    );
  });

  describe("changes", () => {
    test.each(named(commands.filter(changes).toSorted((a, b) => rank(a) - rank(b))))(
      "%s",
      async (_, command) => {
        await until("the balancer to take a change", async () => {
          const id = places.get("<id>") ?? "";
          const { provisioning_status: status } = rowOf(
            await project.rest("octavia", "GET", `/loadbalancers/${id}`),
            "loadbalancer",
          );
          return status === "ACTIVE";
        });
        await run(command);
      },
      testPatienceMs,
    );
  });

  test.each(notRun)(
    "%s is a command",
    async (text) => {
      const { code } = await runInShell(`${text.replace(/ <.*$/, "")} --help`, shell);
      expect(code).toBe(0);
    },
    testPatienceMs,
  );
});

function changes({ text }: PageCommand): boolean {
  return / (set|unset|delete|failover) /.test(text);
}

/** The balancer itself goes last. */
function rank(command: PageCommand): number {
  return command.text.includes(" delete --cascade ") ? 3 : command.text.includes(" failover ") ? 2 : 1;
}

/** What a person puts in the place of the words in brackets. */
async function furnish(project: OwnProject, { provider }: OpenStackLab): Promise<ReadonlyMap<string, string>> {
  const { rest } = project;
  const { id, floatingIp } = await buildLegacyBalancer(project, "clusters", "blue");
  await rest("octavia", "PUT", `/loadbalancers/${id}`, { loadbalancer: { tags: [`mainstay-owner=${ownerId}`] } });
  const one = async (service: "octavia" | "neutron", path: string, key: string) => {
    const [row] = rowsOf(await rest(service, "GET", path), key);
    if (row === undefined) throw new Error(`${path} lists nothing`);
    return row;
  };
  const balancer = rowOf(await rest("octavia", "GET", `/loadbalancers/${id}`), "loadbalancer");
  const pool = await one("octavia", `/pools?loadbalancer_id=${id}`, "pools");
  const member = await one("octavia", `/pools/${pool.id}/members`, "members");
  const listener = await one("octavia", `/listeners?loadbalancer_id=${id}`, "listeners");
  const floating = await one("neutron", `/floatingips?floating_ip_address=${floatingIp}`, "floatingips");
  const tags = { tags: [`mainstay-owner=${ownerId}`, "mainstay-role=floating-ip"] };
  await rest("neutron", "PUT", `/floatingips/${floating.id}/tags`, tags);
  // One that leads nowhere.
  const floatingip = { floating_network_id: project.externalNetworkId };
  await rest("neutron", "POST", "/floatingips", { floatingip });
  const [user] = Object.values(JSON.parse(project.cloudsYaml).clouds as Record<string, { auth: { username: string } }>);
  return new Map([
    ["<id>", id],
    ["<pool>", pool.id],
    ["<member>", member.id],
    ["<listener>", listener.id],
    ["<address>", floatingIp],
    ["<port>", textOf(balancer, "vip_port_id")],
    ["<VIP port>", textOf(balancer, "vip_port_id")],
    ["<owner id>", ownerId],
    ["<user>", user?.auth.username ?? ""],
    ["<project>", project.id],
    ["<provider>", provider],
    ["<cloud>", "openstack"],
  ]);
}

function filledIn({ text }: PageCommand, places: ReadonlyMap<string, string>): string {
  return [...places].reduce((line, [place, value]) => line.replaceAll(place, value), text);
}

/** Some commands are an administrator's. */
function shellFor({ cloudsYaml }: OwnProject): Shell {
  const folder = mkdtempSync(join(tmpdir(), "mainstay-runbooks-"));
  const path = join(folder, "clouds.yaml");
  writeFileSync(path, cloudsYaml);
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, OS_CLIENT_CONFIG_FILE: path, OS_CLOUD: "admin" };
  return { folder, env };
}
