// Every mainstay command of every runbook page, on the fakes: a cluster `blue` with a machine in each zone behind its balancers, and a
// topology. It succeeds and prints something. Pages that only name a command name one that exists.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dnsEndpoints } from "../../src/apis/external-dns/dns-endpoint.ts";
import { configMaps, nodes } from "../../src/apis/kube/builtin-kinds.ts";
import { openStackClusterIdentities } from "../../src/apis/openstack/openstack-cluster-identity.ts";
import { apiEndpoints } from "../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { gatewayPoolCrd } from "../../src/jobs/gateway/apis/gateway-pool-crd.ts";
import { clusterVersions } from "../../src/jobs/topology/apis/cluster-version.ts";
import { infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import { topologyFeature } from "../../src/jobs/topology/controller/feature.ts";
import {
  clusterVersion,
  installConfig,
  nodeNamed,
  topologyCrds,
} from "../../src/jobs/topology/sim/topology-objects.ts";
import { openCrd } from "../../src/sim/fakes/kube/open-crd.ts";
import { mainstay } from "../api-endpoint/world/endpoint-commands.ts";
import { EndpointWorld, namespace } from "../api-endpoint/world/endpoint-world.ts";
import { applyRights } from "../support/rights-manifests.ts";
import { allPageCommands, isOnlyNamed, type PageCommand } from "./page-commands.ts";
import { runInShell } from "./run-in-shell.ts";

const forMainstay = allPageCommands().filter(({ program }) => program === "mainstay");
const commands = forMainstay.filter((command) => !isOnlyNamed(command, /<| (doctor|crds install|--help)$/));
const onlyNamed = forMainstay.filter((command) => !commands.includes(command));

const configuration = "guards: [dry-run]\n";
const files = {
  FILE: configuration,
  "install-config.yaml": "controlPlane: {replicas: 1}\ncompute: [{name: worker, replicas: 0}]\n",
};

let world: EndpointWorld;
const folder = mkdtempSync(join(tmpdir(), "mainstay-runbooks-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  world = new EndpointWorld();
  await world.furnish();
  await world.define(...topologyCrds(true), gatewayPoolCrd, openCrd(dnsEndpoints), openCrd(openStackClusterIdentities));
  await applyRights(world.kube);
  await furnishTopology(world);
  const host = { controlPlaneEndpoint: { host: "api.blue.example.com", port: 6443 } };
  await world.cluster("blue", { spec: { apiServerLoadBalancer: world.zones(), ...host } });
  for (const zone of ["az1", "az2", "az3"]) await world.machine("blue", zone);
  await world.cluster("green", { annotations: { "cluster.x-k8s.io/managed-by": "capo" } });
  await world.kube.create(apiEndpoints, world.apiEndpoint("green"));
  const manager = world.manager({ features: [...world.features(), topologyFeature()] });
  await world.clock.advance(300_000);
  await manager.manager.stop();
}, 600_000);

test("pages give enough of them to look at", () => {
  expect(commands.length).toBeGreaterThan(15);
});

test.each(commands.map((command) => [command.text, command] as const))("%s", async (_, command) => {
  const { code, out, err } = await runLine(filledIn(command));
  expect({ pages: command.pages, code, out, err }).toEqual({
    pages: command.pages,
    code: 0,
    out: expect.stringMatching(/./),
    err: "",
  });
});

test.each(onlyNamed.map(({ text }) => text))("%s is a command", async (text) => {
  const { code, out } = await mainstay(world, [...words(text), "--help"]);
  expect([code, out]).toEqual([0, expect.stringContaining(`Usage: ${text}`)]);
});

/** The first command is ours; what it prints goes through the rest of the line in a shell. */
async function runLine(line: string) {
  const [ours = "", rest = ""] = line.split(/(?<=[^;|]) ?(?=[|;])/, 2);
  const { code, out, err } = await mainstay(world, words(ours), files);
  if (!rest.startsWith("|")) return { code, out, err };
  const {
    printed,
    code: ended,
    err: said,
  } = await runInShell(rest.slice(1), { folder, env: { PATH: process.env["PATH"] ?? "" } }, out);
  return { code: code || ended, out: printed, err: err + said };
}

function words(line: string): readonly string[] {
  return line.split(" ").slice(1);
}

/** An APIEndpoint has a Cluster of its own. */
function filledIn({ text }: PageCommand): string {
  const name = text.includes("apie/") ? "green" : "blue";
  return text
    .replace("<object>", `osc/${namespace}/blue`)
    .replace("<namespace>", namespace)
    .replace("<name>", name)
    .replace("<cluster>", name);
}

async function furnishTopology({ kube }: EndpointWorld): Promise<void> {
  await kube.create(configMaps, installConfig(1, "x"));
  await kube.create(nodes, nodeNamed("node-1", "control-plane"));
  await kube.create(clusterVersions, clusterVersion);
  await kube.create(infrastructures, {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
  });
}
