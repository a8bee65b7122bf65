// --into: a manifest that exists gets three values, and not a byte of it changes elsewhere.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { declaredAnnotation } from "../../../src/jobs/topology/apis/infrastructure.ts";
import { editYaml } from "../../../src/jobs/topology/commands/edit-yaml.ts";
import { cliWorld } from "../../support/cli-world.ts";

describe("mainstay topology derive --into", () => {
  const manifest = `# written by the installer
apiVersion: config.openshift.io/v1
kind: Infrastructure
metadata:
  name: cluster # the only one
  creationTimestamp: null
spec:
  platformSpec: {type: None}
status:
  # filled in below
  infrastructureName: edge-x7f2k
  controlPlaneTopology: HighlyAvailable # as installed
  infrastructureTopology: ""
---
# something else entirely
kind: ConfigMap
`;
  const args = ["topology", "derive", "--control-plane", "1", "--workers", "0", "--into"];

  test("keeps comments, order, other fields and other documents", async () => {
    const cli = cliWorld({ files: { "/m.yaml": manifest } });
    const { code, out } = await cli.run(...args, "/m.yaml");
    expect({ code, out }).toEqual({
      code: 0,
      out: '/m.yaml: merged (status.controlPlaneTopology was "HighlyAvailable")',
    });
    const merged = cli.files.get("/m.yaml") ?? "";
    const untouched = manifest.split("\n").filter((line) => !/Topology/.test(line));
    expect(merged.split("\n").filter((line) => untouched.includes(line))).toEqual(untouched);
    expect(merged).toContain("  controlPlaneTopology: SingleReplica # as installed\n");
    expect(parse(merged.split("---")[0] ?? "")).toMatchObject({
      metadata: { annotations: { [declaredAnnotation]: expect.stringContaining("SingleReplica") } },
      status: {
        infrastructureName: "edge-x7f2k",
        controlPlaneTopology: "SingleReplica",
        infrastructureTopology: "SingleReplica",
      },
    });
    expect(merged).not.toContain("emptyFields");
  });

  test("changes nothing the second time", async () => {
    const cli = cliWorld({ files: { "/m.yaml": manifest } });
    await cli.run(...args, "/m.yaml");
    const once = cli.files.get("/m.yaml");
    expect((await cli.run(...args, "/m.yaml")).out).toBe("/m.yaml: says so already");
    expect(cli.files.get("/m.yaml")).toBe(once);
  });

  test("makes a file that does not exist", async () => {
    const cli = cliWorld();
    await cli.run(...args, "/new.yaml");
    expect(parse(cli.files.get("/new.yaml") ?? "")).toMatchObject({
      kind: "Infrastructure",
      status: { controlPlaneTopology: "SingleReplica" },
    });
  });

  test.each([
    ["kind: ConfigMap\n", "0 Infrastructure objects"],
    [`${manifest}---\n${manifest}`, "2 Infrastructure objects"],
    ["a: b: c\n", "Nested mappings"],
    ["# caf\uFFFD\napiVersion: config.openshift.io/v1\nkind: Infrastructure\nmetadata: {name: cluster}\n", "UTF-8"],
    [
      "apiVersion: config.openshift.io/v1\nkind: Infrastructure\nmetadata: {name: cluster, annotations: []}\n",
      "metadata.annotations",
    ],
    [
      "apiVersion: config.openshift.io/v1\nkind: Infrastructure\nmetadata: {name: cluster, annotations: &a {x: y}}\nspec: *a\n",
      "without anchors",
    ],
    ["apiVersion: v2\nkind: Infrastructure\nmetadata: {name: other}\nstatus: text\n", "is not config.openshift.io/v1"],
  ])("leaves %j as it is", async (text, word) => {
    const cli = cliWorld({ files: { "/m.yaml": text } });
    const { code, err } = await cli.run(...args, "/m.yaml");
    expect(code).toBe(2);
    expect(err).toContain(word);
    expect(cli.files.get("/m.yaml")).toBe(text);
  });

  const added = `topology.mainstay.dev/declared: '{"controlPlaneTopology":"SingleReplica","infrastructureTopology":"SingleReplica","source":"flags","rules":"two-modes","replicas":{"controlPlane":1,"workers":[0],"arbiters":0}}'`;
  const fields = ["controlPlaneTopology: SingleReplica", "infrastructureTopology: SingleReplica"];
  const head = "apiVersion: config.openshift.io/v1\nkind: Infrastructure\n";

  test.each<readonly [string, string, string]>([
    [
      "appends where nothing stands, as deep as the file is indented",
      `${head}metadata:\n    name: cluster\nstatus:\n    a: >-\n        folded\n        text\n# the end\n`,
      `${head}metadata:\n    name: cluster\n    annotations:\n      ${added}\nstatus:\n    a: >-\n        folded\n        text\n    ${fields.join("\n    ")}\n# the end\n`,
    ],
    [
      "fills what stands empty",
      `${head}metadata:\n  name: cluster\n  annotations: # none yet\nstatus: null # later\n`,
      `${head}metadata:\n  name: cluster\n  annotations: # none yet\n    ${added}\nstatus:  # later\n  ${fields.join("\n  ")}\n`,
    ],
    [
      "keeps line ends of Windows and a byte-order mark",
      `\uFEFF${head}metadata:\n  name: cluster\nstatus:\n  x: 1\n`.replaceAll("\n", "\r\n"),
      `\uFEFF${head}metadata:\n  name: cluster\n  annotations:\n    ${added}\nstatus:\n  x: 1\n  ${fields.join("\n  ")}\n`.replaceAll(
        "\n",
        "\r\n",
      ),
    ],
    [
      "keeps directives and documents around it",
      `%YAML 1.1\n---\nkind: ConfigMap\nx: >\n  a\n  b\n...\n---\n${head}metadata:\n  name: cluster\nstatus: {controlPlaneTopology: 'External', infrastructureTopology: SingleReplica}\n---\n# nothing\n`,
      `%YAML 1.1\n---\nkind: ConfigMap\nx: >\n  a\n  b\n...\n---\n${head}metadata:\n  name: cluster\n  annotations:\n    ${added}\nstatus: {controlPlaneTopology: 'SingleReplica', infrastructureTopology: SingleReplica}\n---\n# nothing\n`,
    ],
  ])("%s", async (_promise, before, after) => {
    const cli = cliWorld({ files: { "/m.yaml": before } });
    expect(await cli.run(...args, "/m.yaml")).toMatchObject({ code: 0 });
    expect(cli.files.get("/m.yaml")).toBe(after);
    await cli.run(...args, "/m.yaml");
    expect(cli.files.get("/m.yaml")).toBe(after);
  });

  test.each([undefined, 2])("leaves JSON JSON (indented by %s)", async (indent) => {
    const object = {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
      status: {},
    };
    const cli = cliWorld({ files: { "/m.json": JSON.stringify(object, undefined, indent) } });
    await cli.run(...args, "/m.json");
    expect(JSON.parse(cli.files.get("/m.json") ?? "")).toMatchObject({
      metadata: { annotations: { [declaredAnnotation]: expect.any(String) } },
      status: { controlPlaneTopology: "SingleReplica", infrastructureTopology: "SingleReplica" },
    });
  });
});

test("an edit sets exactly its value in whatever way a file is laid out, and once is enough", () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const key = fc.constantFrom("a", "b", "c", "d e");
  const tree = fc.dictionary(key, fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(key, leaf)), {
    maxKeys: 4,
  });
  const layout = fc.record({
    indent: fc.constantFrom(2, 4),
    collectionStyle: fc.constantFrom("any" as const, "block" as const, "flow" as const),
    singleQuote: fc.boolean(),
  });
  const path = fc.tuple(key, fc.constantFrom("x", "a"));
  fc.assert(
    fc.property(tree, layout, path, fc.string(), fc.boolean(), (value, options, [outer, inner], text, windows) => {
      const there = (value as Record<string, unknown>)[outer];
      fc.pre(there === undefined || there === null || (typeof there === "object" && !Array.isArray(there)));
      const before = stringify({ first: 1, ...value }, { ...options, lineWidth: 0 }).replaceAll(
        "\n",
        windows ? "\r\n" : "\n",
      );
      const edit = { path: [outer, inner] as const, value: text };
      const after = editYaml(before, 0, [edit]);
      const parsed = parse(before) as Record<string, unknown>;
      expect(parse(after ?? "")).toEqual({
        ...parsed,
        [outer]: { ...(parsed[outer] as object | null), [inner]: text },
      });
      expect(editYaml(after ?? "", 0, [edit])).toBe(after);
    }),
  );
});
