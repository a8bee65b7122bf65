// Every kubectl command of every runbook page, and what else a shell runs, on a real API server: where kubectl prefers v1beta1 of Cluster
// API's kinds, and where it prefers v1beta2. A command succeeds and prints something, or its page says that it may print nothing.

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allJobs } from "../../src/jobs/all.ts";
import { type HealthServer, startHealthServer } from "../../src/server/health.ts";
import { startWebhookServer, type WebhookServer } from "../../src/server/webhooks/webhook-server.ts";
import { eventually } from "../api-endpoint/api/api-world.ts";
import { selfSigned } from "../contract/kube/self-signed.ts";
import { privateSession } from "../lab/private-session.ts";
import { type ClusterApiLab, describeLab, labClusterApi } from "../lab.ts";
import { quietLog } from "../support/quiet-log.ts";
import { installKinds, type Preferred } from "./kubectl-world.ts";
import { allPageCommands, isOnlyNamed, type PageCommand, repository } from "./page-commands.ts";
import { runInShell, type Shell } from "./run-in-shell.ts";
import { type StandInKubelet, startStandInKubelet } from "./stand-in-kubelet.ts";
import { names, worldObjects } from "./world-objects.ts";

/** They go on until they are ended, and need a kubelet that forwards ports. */
const notRun: readonly string[] = ["kubectl port-forward -n mainstay-system <Mainstay pod> 8080"];

const forShell = allPageCommands().filter(({ program }) => program !== "mainstay" && program !== "openstack");
const commands = forShell.filter(
  (command) => !isOnlyNamed(command, / (<|[A-Z]|get [a-z]|apply -f|(annotate|patch|explain) infrastructure)/),
);

test("every command in a block is run, and those that are not are few and known", () => {
  expect(commands.length).toBeGreaterThan(50);
  expect(commands.map(({ text }) => text)).toEqual(expect.arrayContaining([...notRun]));
  expect(forShell.filter((command) => !commands.includes(command)).map(({ text }) => text)).toEqual([
    "kubectl delete --cascade=orphan",
    "kubectl get -o yaml",
    "kubectl get",
  ]);
});

describeLab("where kubectl prefers v1beta1", labClusterApi, (lab) => pageCommands(lab, "v1beta1"));
describeLab("where kubectl prefers v1beta2", labClusterApi, (lab) => pageCommands(lab, "v1beta2"));

interface Started {
  readonly kubelet: StandInKubelet;
  readonly webhooks: WebhookServer;
  readonly health: HealthServer;
  readonly shell: Shell;
  readonly server: URL;
}

function pageCommands({ kube, binDir: clusterApi }: ClusterApiLab, preferred: Preferred): void {
  const get = privateSession(kube);
  let started: Started;
  beforeAll(async () => {
    const { session, server } = get();
    const { certificate, key } = selfSigned();
    const on = { bind: "127.0.0.1", port: 0 };
    const webhooks = await startWebhookServer({
      tls: { key, cert: certificate },
      ...on,
      log: quietLog(),
      jobs: allJobs,
    });
    const kubelet = await startStandInKubelet();
    const missing = ["OpenStackCluster is not served"];
    const health = await startHealthServer({
      ...on,
      readiness: () => ({ ready: true, missing }),
      metrics: async () => "",
    });
    const webhook = { url: webhooks.address, caBundle: Buffer.from(certificate).toString("base64") };
    await installKinds(session.admin, { preferred, webhook, clusterApi });
    const shell = shellFor(server.lab.binDir, server.lab.kubeconfig, certificate);
    started = { kubelet, webhooks, health, shell, server: new URL(server.lab.server) };
    await succeeds("kubectl apply -f deploy/rbac", shell);
    const objects = worldObjects(preferred, kubelet.port).map((object) => JSON.stringify(object));
    // New kinds are discovered a moment after they are established.
    await eventually("the objects to be made", () =>
      succeeds("kubectl apply --server-side -f -", shell, objects.join("\n---\n")),
    );
    await succeeds(
      `kubectl apply --server-side --subresource=status -f -`,
      shell,
      objects.filter(hasStatusSubresource).join("\n---\n"),
    );
  }, 600_000);
  afterAll(async () => {
    await Promise.all([started?.kubelet.close(), started?.webhooks.close(), started?.health.close()]);
    if (started !== undefined) rmSync(started.shell.folder, { recursive: true });
  });

  test("kubectl takes that version", async () => {
    const { printed } = await runInShell(
      "kubectl get osc,machines -A -o jsonpath='{.items[*].apiVersion}'",
      started.shell,
    );
    expect(printed.split(" ").map((version) => version.split("/")[1])).toEqual([preferred, preferred]);
  });

  describe.each([
    ["reads", commands.filter(({ inSentence }) => !inSentence)],
    ["changes", commands.filter(({ inSentence }) => inSentence)],
  ])("%s", (_, some) => {
    const run = some.filter(({ text }) => !notRun.includes(text)).map((command) => [command.text, command] as const);
    test.each(run)(
      "%s",
      async (_text, command) => {
        const line = filledIn(command, started).replace("<version>", preferred);
        const { code, printed, err } = await runInShell(line, started.shell);
        const said = { pages: command.pages, code, printed: printed.trim(), err: spoken(err, command) };
        const something = command.mayPrintNothing || isEdit(command) ? /^/ : /./;
        // grep ends with 1 when it finds nothing.
        const codes = command.mayPrintNothing && said.printed === "" ? [0, 1] : [0];
        expect(said).toEqual({
          pages: command.pages,
          code: expect.toBeOneOf(codes),
          printed: expect.stringMatching(something),
          err: "",
        });
      },
      120_000,
    );
  });
}

/** What is wrong: kubectl and openssl tell on standard error how things go, too. */
function spoken(err: string, command: PageCommand): string {
  if (command.program === "openssl") return "";
  return err
    .replace(/^Warning: .*\n/gm, "")
    .replace("Edit cancelled, no changes made.", "")
    .trim();
}

const isEdit = ({ text }: PageCommand) => text.startsWith("kubectl edit ");

function hasStatusSubresource(object: string): boolean {
  return /"kind":"(Infrastructure|TopologyReport)"/.test(object);
}

async function succeeds(line: string, shell: Shell, input = ""): Promise<void> {
  const { code, err } = await runInShell(line, shell, input);
  if (code !== 0) throw new Error(`${line} ended with ${code}: ${err}`);
}

/** With an editor that changes nothing. */
function shellFor(binDir: string, kubeconfig: string, certificate: string): Shell {
  const folder = mkdtempSync(join(tmpdir(), "mainstay-runbooks-"));
  symlinkSync(join(repository, "deploy"), join(folder, "deploy"));
  writeFileSync(join(folder, "client.crt"), certificate);
  const env = {
    PATH: `${binDir}:${process.env["PATH"] ?? ""}`,
    HOME: folder,
    KUBECONFIG: kubeconfig,
    KUBE_EDITOR: "true",
  };
  return { folder, env };
}

/** What a person puts in the place of the words in brackets and in capitals. */
function filledIn({ text }: PageCommand, { health, shell, server }: Started): string {
  const { namespace, cluster, machine, secret, pod } = names;
  const isOfMachine = /\b(openstackmachine|machine) <name>/.test(text);
  const isOfSecret = /\bsecret <name>/.test(text);
  return text
    .replace("<object>", `openstackcluster/${cluster} -n ${namespace}`)
    .replace("<Mainstay pod>", pod)
    .replace("<kind>", "openstackcluster")
    .replace("<name>", isOfMachine ? machine : isOfSecret ? secret : cluster)
    .replace("<namespace>", namespace)
    .replace("<cluster>", cluster)
    .replaceAll("<secret>", secret)
    .replace("<zone>", "az1")
    .replace("<plural>.<group>", "apiendpoints.mainstay.dev")
    .replace("https://<address>:6443", server.origin)
    .replace("KIND NAME", `openstackcluster ${cluster}`)
    .replace("NAMESPACE", namespace)
    .replace(/openstackcluster blue -o/, `openstackcluster ${cluster} -n ${namespace} -o`)
    .replace("VERB RESOURCE --as=USER", "get openstackclusters --as=system:serviceaccount:mainstay-system:mainstay")
    .replace("HOST:PORT", server.host)
    .replace("CLIENT-CERTIFICATE", join(shell.folder, "client.crt"))
    .replace("FILE", shell.env["KUBECONFIG"] ?? "")
    .replace('"VALUE"', '"HighlyAvailable"')
    .replace("http://127.0.0.1:8080", health.address);
}
