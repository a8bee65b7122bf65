// The guides of the api-endpoint job tell the truth: their commands run, and what they name exists.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import * as annotations from "../../../src/jobs/api-endpoint/apis/annotations.ts";
import { apiEndpointCrd } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint-crd.ts";
import { openStackClusterCrd } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-crd.ts";
import { mainstay } from "../world/endpoint-commands.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const docs = join(import.meta.dirname, "..", "..", "..", "docs");
const guides = readdirSync(join(docs, "guides")).filter((name) => /^api-endpoint-.*\.md$/.test(name));
const pages = [
  ...guides.map((name) => ({ name, text: readFileSync(join(docs, "guides", name), "utf8") })),
  { name: "concept", text: readFileSync(join(docs, "concepts", "api-endpoint.md"), "utf8") },
];

const commands = pages.flatMap(({ text }) =>
  [...text.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .map((line) => line.trim().replace(/ *(#|>|&&).*$/, ""))
    .filter((line) => line.startsWith("mainstay ") && !line.startsWith("mainstay doctor")),
);

test("every command of every guide ends well on a cluster with zones", async () => {
  expect(guides.length).toBeGreaterThan(6);
  expect(commands.length).toBeGreaterThan(12);
  const world = new EndpointWorld();
  await world.furnish();
  const { manager } = world.work();
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones() } });
  for (const zone of ["az1", "az2", "az3"]) await world.machine("blue", zone);
  await world.clock.advance(120_000);
  const { apiVersion, kind, spec } = await world.read("blue");
  const file = stringify({ apiVersion, kind, metadata: { name: "blue", namespace }, spec });
  const files = { "blue.yaml": file, "my-cluster.yaml": file };
  for (const command of new Set(commands)) {
    const words = command.replaceAll("default/my-cluster", `${namespace}/blue`).split(/\s+/).slice(1);
    const { code, err } = await mainstay(world, words, files);
    // No manager runs beside the commands of a guide.
    const said = err.replace(/^note: Configuration: the defaults;.*$/gm, "").trim();
    expect([command, code, said]).toEqual([command, 0, ""]);
  }
  await manager.stop();
});

test("every annotation that a page names is one that Mainstay reads", () => {
  const known = new Set<string>(Object.values(annotations).filter((value) => typeof value === "string"));
  const named = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/\b(?:mainstay\.dev|(?:clusterctl\.)?cluster\.x-k8s\.io)\/([a-z][a-z-]*)\b/g)].map(([whole]) => ({
      name,
      whole,
    })),
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter(({ whole }) => !known.has(whole) && !/\/(v1|move)/.test(whole))).toEqual([]);
});

test("every field of the objects that a page names is in a definition", () => {
  const schemas = JSON.stringify([openStackClusterCrd(), apiEndpointCrd]);
  const fields = pages.flatMap(({ text }) =>
    [...text.matchAll(/`(?:spec|status)\.([A-Za-z.]+)`/g)].flatMap(([, path = ""]) => path.split(".")),
  );
  expect(fields.length).toBeGreaterThan(20);
  // Of a Machine or a Cluster, which others define.
  const elsewhere = ["failureDomain"];
  expect(fields.filter((field) => !schemas.includes(`"${field}"`) && !elsewhere.includes(field))).toEqual([]);
});
