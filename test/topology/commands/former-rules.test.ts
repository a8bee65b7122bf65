// The rules `two-modes` were called `seed`: whoever still says so is understood, and nobody is answered with it.

import { expect, test } from "vitest";
import { product } from "../../../src/bin/product.ts";
import { readConfiguration } from "../../../src/cli/configuration/configuration.ts";
import { enabledFeatures } from "../../../src/cli/configuration/enabled-features.ts";
import { declaredAnnotation } from "../../../src/jobs/topology/apis/infrastructure.ts";
import { declarationOf } from "../../../src/jobs/topology/core/declaration.ts";
import { noOpenStack } from "../../../src/sim/fakes/openstack/no-openstack.ts";
import { cliWorld } from "../../support/cli-world.ts";

const derive = ["topology", "derive", "--control-plane", "2", "--workers", "2", "--arbiters", "1"];

test("a flag with the former word gives what the new one gives", async () => {
  const cli = cliWorld();
  const { code, out } = await cli.run(...derive, "--rules", "two-modes");
  expect([code, out]).toEqual([0, expect.stringContaining('rules "two-modes"')]);
  expect(await cli.run(...derive, "--rules", "seed")).toMatchObject({ code, out });
  expect((await cli.run(...derive, "-o", "yaml", "--rules", "seed")).out).toContain('"rules":"two-modes"');
  expect((await cli.run(...derive, "--rules", "nonsense")).err).toContain("Allowed choices are two-modes, current.");
});

test("a stored declaration with the former word is read", () => {
  const declared = (rules: string) =>
    declarationOf({
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: {
        name: "cluster",
        annotations: {
          [declaredAnnotation]: JSON.stringify({
            controlPlaneTopology: "SingleReplica",
            infrastructureTopology: "SingleReplica",
            source: "flags",
            rules,
          }),
        },
      },
    });
  expect(declared("seed")).toMatchObject({ rules: "two-modes" });
  expect(declared("seed")).toEqual(declared("two-modes"));
  expect(declared("current")).toMatchObject({ rules: "current" });
  expect(declared("tulip")).toBe("invalid");
});

test.each(["seed", "two-modes", "current"])("a configuration may say %s", (rules) => {
  const text = `topology:\n  rules: ${rules}\n`;
  const { configuration } = readConfiguration({ path: "c.yaml", text, jobs: product.jobs });
  const features = enabledFeatures(configuration, product.features, { openStack: noOpenStack });
  expect(features.map(({ name }) => name)).toContain("topology");
});
