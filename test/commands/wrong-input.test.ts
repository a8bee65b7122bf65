// Whatever is given to a command that it cannot use: one sentence that names the thing and the value, one that says what to do, the
// right exit code, and never a stack. With the program's own drivers, on servers that are away, strict or not there at all.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectCluster } from "../../src/bin/connect.ts";
import { type KubeListener, listenForKube } from "../../src/bin/fake-kube-listener.ts";
import { httpJson } from "../../src/bin/http-json.ts";
import { product } from "../../src/bin/product.ts";
import { run as runCommandLine } from "../../src/cli/run.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { systemFiles } from "../../src/drivers/system/system-files.ts";
import { parseToml } from "../../src/drivers/system/toml-text.ts";
import { createFakeKubeApi, type FakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";
import { noOpenStack } from "../../src/sim/fakes/openstack/no-openstack.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";
import { fakeTokens, fakeUsers } from "../contract/targets/fake-users.ts";

let folder = "";
let api: FakeKubeApi;
let strict: KubeListener;
let page: Server;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mainstay-wrong-input-"));
  api = createFakeKubeApi({ clock: systemClock, random: seededRandom(1), users: fakeUsers });
  strict = await listenForKube(api);
  page = createServer((_request, response) => response.writeHead(404).end("no such page"));
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
  writeFileSync(at("kubeconfig"), kubeconfig());
  for (const [name, text] of Object.entries({ broken: "{{{", empty: "", text: "hello" })) writeFileSync(at(name), text);
  writeFileSync(at("secret"), "users: [{user: {token: secret-marker-7}}]");
  chmodSync(at("secret"), 0o600);
});
afterAll(async () => {
  page.close();
  await strict.close();
  api.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A server that is away, one whose name nobody knows, one that we are nobody to, one that lets us do nothing. */
function kubeconfig(): string {
  const clusters = { away: "http://127.0.0.1:1", lost: "http://no-such-host.invalid", strict: strict.url };
  const users = { nobody: { token: fakeTokens.stranger }, powerless: { token: fakeTokens.controller } };
  const contexts = {
    away: { cluster: "away", user: "nobody" },
    lost: { cluster: "lost", user: "nobody" },
    nobody: { cluster: "strict", user: "nobody" },
    powerless: { cluster: "strict", user: "powerless" },
  };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: Object.entries(clusters).map(([name, server]) => ({ name, cluster: { server } })),
    users: Object.entries(users).map(([name, user]) => ({ name, user })),
    contexts: Object.entries(contexts).map(([name, context]) => ({ name, context })),
    "current-context": "away",
  });
}

/** The command line with the program's own drivers, in this process: starting one for each line would take minutes. */
async function run(...args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const never = () => Promise.reject(new Error("nothing is to be started"));
  const code = await runCommandLine(args, {
    version: "1.2.3",
    nodeVersion: "22.12.0",
    commands: product.commands,
    product: async () => product,
    terminal: {
      out: (text) => void out.push(`${text}\n`),
      err: (text) => void err.push(`${text}\n`),
      readInput: async () => "",
      interactive: false,
      colours: false,
      columns: 120,
    },
    files: systemFiles,
    runbookFolder: "/nowhere",
    shipped: (path) => path,
    clock: systemClock,
    random: seededRandom(1),
    connect: connectCluster,
    openStack: noOpenStack,
    gatewayAccess: never,
    parseToml: async (text, where) => parseToml(text, where),
    http: httpJson,
    runController: never,
    runAgent: never,
    runDemo: never,
  });
  // A busy machine takes so long that progress is told.
  const said = err.filter((text) => !text.startsWith("looking … "));
  return { code, out: out.join(""), err: said.join("") };
}

/** An error line, a hint, and nothing else to read. */
function expectOneSentence({ out, err }: { readonly out: string; readonly err: string }, words: string): void {
  expect(`${out}${err}`).not.toMatch(/^ {4}at |fault in Mainstay|secret-marker/m);
  expect(out).toBe("");
  const [error = "", hint = "", ...more] = err.trimEnd().split("\n");
  expect(error).toMatch(/^error: /);
  expect(error).toContain(words);
  expect(hint).toMatch(/^(hint: .*\.?|Try --help\.|\(Did you mean .*\?\))$/);
  expect(more.filter((line) => line !== "Try --help.")).toEqual([]);
}

const reading = [
  ["status"],
  ["explain", "infrastructure/cluster"],
  ["plan", "infrastructure/cluster"],
  ["topology", "show"],
  ["topology", "explain"],
  ["topology", "check"],
  ["topology", "derive", "--live"],
  ["crds", "install"],
];

describe.each(reading.map((words) => [words.join(" "), words] as const))("%s", (_name, words) => {
  const inContext = (context: string) => run(...words, "--kubeconfig", at("kubeconfig"), "--context", context);

  test("names a kubeconfig that is not there, cannot be read or is none", async () => {
    const answers = ["nowhere", ".", "broken", "empty", "text", "secret"].map(async (name) => {
      const answer = await run(...words, "--kubeconfig", at(name));
      expect(answer.code).toBe(2);
      expectOneSentence(answer, at(name).replace(/\/\.$/, ""));
    });
    await Promise.all(answers);
  });

  test("names a context that is not there, with those that are", async () => {
    const answer = await inContext("nope");
    expect(answer.code).toBe(2);
    expectOneSentence(answer, 'context "nope": not defined; known contexts: away, lost, nobody, powerless');
  });

  test("names the address of a server that does not answer", async () => {
    const answers = [
      ["away", "127.0.0.1:1"],
      ["lost", "no-such-host.invalid"],
    ].map(async ([context = "", address = ""]) => {
      const answer = await inContext(context);
      expect(answer.code).toBe(3);
      expectOneSentence(answer, address);
    });
    await Promise.all(answers);
  });

  test("says that the credentials are not accepted", async () => {
    const answer = await inContext("nobody");
    expect(answer.code).toBe(3);
    expectOneSentence(answer, "Unauthorized");
  });
});

test.each([
  [["explain", "infrastructure/cluster"], "infrastructures.config.openshift.io"],
  [["topology", "show"], 'User "controller" cannot get resource "infrastructures"'],
  [["topology", "derive", "--live"], 'User "controller" cannot get resource "configmaps"'],
  [["crds", "install"], 'User "controller" cannot get resource "customresourcedefinitions"'],
])("%j without rights says which right is missing", async (words, said) => {
  const answer = await run(...words, "--kubeconfig", at("kubeconfig"), "--context", "powerless");
  expect(answer.code).toBe(3);
  expectOneSentence(answer, said);
});

test("status and plan without rights say so, and do not say that nothing is there", async () => {
  const powerless = ["--kubeconfig", at("kubeconfig"), "--context", "powerless"];
  const status = await run("status", ...powerless);
  expect([status.code, status.out]).toEqual([3, "Mainstay manages nothing that you may list.\n"]);
  expect(status.err).toContain("you may not list it; ask for the right to list infrastructures.config.openshift.io");
  const plan = await run("plan", "infrastructure/cluster", ...powerless);
  expect([plan.code, plan.out]).toEqual([
    3,
    expect.stringContaining("infrastructures.config.openshift.io may not be listed"),
  ]);
});

test.each([
  [["away"], "FAIL  reachability: ", 3],
  [["nobody"], "FAIL  identity: ", 3],
  [["nope"], "FAIL  connection: kubeconfig", 2],
  [["powerless", "--account", "kube-system/nobody"], "FAIL  permissions of manager: cannot be checked: ", 1],
] as const)("doctor in context %j finds what is wrong and how to fix it", async ([context, ...more], finding, code) => {
  const answer = await run("doctor", "--kubeconfig", at("kubeconfig"), "--context", context, ...more);
  expect([answer.code, answer.err]).toEqual([code, ""]);
  expect(answer.out).toContain(finding);
  expect(answer.out).not.toMatch(/^ {4}at /m);
  for (const [, next] of answer.out.matchAll(/^(?:FAIL|warn) .*\n(.*)$/gm)) expect(next).toMatch(/^ {6}to fix it: ./);
});

test.each<readonly [string, string]>([
  ["explain", "missing required argument 'object'"],
  ["explain infrastructure", '"infrastructure" does not name an object'],
  ["explain infrastructure/", '"infrastructure/" does not name an object'],
  ["explain infrastructure//cluster", '"infrastructure//cluster" does not name an object'],
  ["explain infrastructure/a/b/c", '"infrastructure/a/b/c" does not name an object'],
  ["explain infrastructur/cluster", '"infrastructur" is no kind that Mainstay manages'],
  ["plan node/x", '"node" is no kind that Mainstay manages'],
  [
    "plan infrastructure/cluster -n foo",
    '"foo" is given for infrastructure/cluster, and Infrastructure is a kind without',
  ],
  [
    "explain infrastructure/cluster -n foo",
    '"foo" is given for infrastructure/cluster, and Infrastructure is a kind without',
  ],
  ["plan infrastructure/cluster --guard wish", 'guard "wish" is not known'],
  ["plan infrastructure/cluster more", '"more" after infrastructure/cluster is one argument too many'],
  ["plan osc blue green", "too many arguments for 'plan'"],
  ["plan infrastructure/cluster -o wide", "argument 'wide' is invalid. Allowed choices are text, table, yaml, json."],
  ["status -o xml", "argument 'xml' is invalid. Allowed choices are text, table, wide, yaml, json."],
  ["status -o json -o yaml", "'-o, --output <format>' is given more than once"],
  ["status some more", "too many arguments for 'status'"],
  ["status openstackclutser/blue", '"openstackclutser" is no kind that Mainstay manages'],
  ["status infrastructure/cluster -n foo", '"foo" is given for infrastructure/cluster, and Infrastructure is a kind'],
  ["status -n foo -A", "--namespace, --all-namespaces: both are set"],
  ["status --watch --wait", "--watch, --wait: both are set"],
  ["status --watch --check", "--watch, --check: both are set"],
  ["status --timeout 5m", '"5m" means nothing without --wait'],
  ["status --wait --timeout 0s", '"0s" leaves no time to wait'],
  ["status --wait --timeout soon", '"soon" is not a duration'],
  ["status --config /nowhere", "file /nowhere cannot be read"],
  ["explain infrastructure/cluster --config /", "file / cannot be read"],
  ["doctor --account x", '"x" is not a service account'],
  ["doctor --account a/b/c", '"a/b/c" is not a service account'],
  ["doctor --config /nowhere", "file /nowhere cannot be read"],
  ["statu", "unknown command 'statu'"],
  ["--nope", "unknown option '--nope'"],
  ["help nope", 'mainstay has no command "nope"'],
  ["crds nope", "unknown command 'nope'"],
  ["topology derive", "source: none is named"],
  ["topology derive /nowhere", "file /nowhere cannot be read"],
  ["controller --config /nowhere", "file /nowhere cannot be read"],
  ["controller --feature-gates x", 'feature gate "x" must read Name=true'],
  ["demo --port x", '"x" is not a port'],
  ["demo --dashboard-port 70000", '"70000" is not a port'],
  ["demo nope", 'there is no command "nope"'],
  ["demo faults list", 'there is no command "faults"'],
  ["demo fault start", "missing required argument 'fault'"],
  ["demo fault start x seconds", '"seconds" is not a setting'],
  ["demo fault start x seconds=1 seconds=2", '"seconds" is given more than once'],
  ["demo fault list --server http://127.0.0.1:99999", '"http://127.0.0.1:99999" is not the address of a demonstration'],
  ["demo fault list --server http://example.com", '"http://example.com" is not the address of a demonstration'],
])("mainstay %s is invalid input", async (line, said) => {
  const answer = await run(...line.split(" "));
  expect(answer.code).toBe(2);
  expectOneSentence(answer, said);
});

test("a server that is no demonstration is named", async () => {
  const { port } = page.address() as AddressInfo;
  const nobody = await run("demo", "fault", "list", "--server", "http://127.0.0.1:1");
  expect(nobody.code).toBe(3);
  expectOneSentence(nobody, "http://127.0.0.1:1 does not answer as a demonstration would");
  const other = await run("demo", "fault", "list", "--server", `http://127.0.0.1:${port}`);
  expect(other.code).toBe(3);
  expectOneSentence(other, `http://127.0.0.1:${port}`);
  const kube = await run("demo", "fault", "list", "--server", strict.url);
  expect(kube.code).toBe(2);
  expectOneSentence(kube, `${strict.url} answers 403, as the dashboard of a demonstration does not`);
});
