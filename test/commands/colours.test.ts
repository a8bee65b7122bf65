// The health of objects in colour: on a terminal with colours alone, and without an effect on the columns of a table.

import { afterEach, beforeEach, expect, test } from "vitest";
import { splitColoured } from "../../src/apis/text/coloured-word.ts";
import { installCrds } from "../../src/cli/install-crds.ts";
import { definitionsOf } from "../../src/core/job/declaration.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { adminToken, createFakeKubeApi, type FakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";
import { cliWorld } from "../support/cli-world.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const escape = "\u001b";
const unknown = `${escape}[35munknown${escape}[39m`;

let api: FakeKubeApi;
let kube: Kube;
const clock = new VirtualClock();

beforeEach(async () => {
  api = createFakeKubeApi({ clock, random: seededRandom(4) });
  kube = kubeClient({ transport: api.transport(adminToken), clock });
  const installed = installCrds(kube, clock, definitionsOf(allJobs));
  await clock.advance(5_000);
  await installed;
  const cluster = {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    spec: {},
  };
  await kube.create(infrastructures, cluster);
});
afterEach(() => api.close());

const withoutColour = (text: string): string =>
  splitColoured(text)
    .map((piece) => piece.replaceAll(`${escape}[39m`, "").replace(new RegExp(`${escape}\\[\\d+m`), ""))
    .join("");

test.each([["status"], ["status", "-o", "wide"], ["explain", "infrastructure/cluster"]])(
  "%s %s %s: the health is in colour, and the columns are where they are without",
  async (...args) => {
    const inColour = await cliWorld({ kube, clock, colours: true }).run(...args);
    const plain = await cliWorld({ kube, clock }).run(...args);
    expect(inColour.out).toContain(unknown);
    expect(plain.out).not.toContain(escape);
    expect(withoutColour(inColour.out)).toBe(plain.out);
  },
);

test("a plan's waits and refusals are in colour", async () => {
  const plan = ["plan", "infrastructure/cluster", "--guard", "dry-run"];
  expect((await cliWorld({ kube, clock, colours: true }).run(...plan)).out).toContain(
    `${escape}[33mrefuses${escape}[39m (`,
  );
});

test.each(["json", "yaml"])("-o %s has no colour, on a terminal either", async (format) => {
  const cli = cliWorld({ kube, clock, colours: true });
  for (const args of [["status"], ["explain", "infrastructure/cluster"], ["plan", "infrastructure/cluster"]])
    expect((await cli.run(...args, "-o", format)).out).not.toMatch(/\\u001b|\[3\dm/);
});
