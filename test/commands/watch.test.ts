// status --watch follows by watches: it asks again only when it has to, and says when what it shows is old.

import { afterEach, beforeEach, expect, test } from "vitest";
import { installCrds } from "../../src/cli/install-crds.ts";
import { definitionsOf } from "../../src/core/job/declaration.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import type { Kube } from "../../src/ports/kube.ts";
import type { KubeTransport } from "../../src/ports/kube-transport.ts";
import { ApiFaults } from "../../src/sim/demo/api-faults.ts";
import { FaultRegistry } from "../../src/sim/demo/fault-registry.ts";
import { adminToken, createFakeKubeApi, type FakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";
import { cliWorld } from "../support/cli-world.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

/** Every kind of ours is shown. */
const shownKindCount = definitionsOf(allJobs).length;

let clock: VirtualClock;
let api: FakeKubeApi;
let kube: Kube;
let faults: FaultRegistry;
let asked: string[];
let interrupt: AbortController;
let follow: (...args: readonly string[]) => void;
let running: ReturnType<ReturnType<typeof cliWorld>["run"]>;

beforeEach(async () => {
  clock = new VirtualClock();
  api = createFakeKubeApi({ clock, random: seededRandom(4) });
  kube = kubeClient({ transport: api.transport(adminToken), clock });
  const apiFaults = new ApiFaults(clock, seededRandom(5));
  faults = new FaultRegistry(apiFaults.definitions(), clock);
  asked = [];
  const inner = apiFaults.through(api.transport(adminToken));
  const counting: KubeTransport = {
    ...inner,
    send: (request, options) => {
      asked.push(request.path);
      return inner.send(request, options);
    },
  };
  interrupt = new AbortController();
  follow = (...args) => {
    const through = kubeClient({ transport: counting, clock });
    running = cliWorld({ kube: through, clock, interrupted: interrupt.signal }).run("status", "--watch", ...args);
  };
});
afterEach(() => api.close());

async function install(): Promise<void> {
  const installed = installCrds(kube, clock, definitionsOf(allJobs));
  await clock.advance(5_000);
  await installed;
}

const declare = () =>
  kube.create(infrastructures, {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    spec: {},
  });

async function finished() {
  interrupt.abort();
  await clock.advance(2_000);
  return await running;
}

const shown = /Infrastructure\/cluster +unknown +topology +Nothing has been reported yet/g;

test("prints again when something has changed, and asks for nothing while nothing does", async () => {
  await install();
  follow();
  await clock.advance(10_000);
  const askedBefore = asked.length;
  await clock.advance(120_000);
  expect(asked.slice(askedBefore)).toEqual([]);
  await declare();
  await clock.advance(1_000);
  await kube.delete(infrastructures, { name: "cluster" });
  await clock.advance(1_000);
  const { code, out, err } = await finished();
  expect([code, err]).toEqual([0, ""]);
  expect(out.match(/Mainstay manages nothing here/g)).toHaveLength(2);
  expect(out.match(shown)).toHaveLength(1);
  expect(asked.filter((path) => !path.includes("watch=")).length).toBeLessThanOrEqual(2 * shownKindCount);
});

test("says once that the server is away and that what is shown may be old, and once that it is back", async () => {
  await install();
  follow();
  await clock.advance(10_000);
  faults.start("api-server-away", { seconds: 60 });
  await clock.advance(30_000);
  await declare();
  await clock.advance(60_000);
  const { out, err } = await finished();
  expect(err.match(/note: the API server does not answer since .*Z, so that what is shown may be old/g)).toHaveLength(
    1,
  );
  expect(err.match(/note: the API server answers again since .*Z; what is shown is up to date/g)).toHaveLength(1);
  expect(err.trim().split("\n")).toHaveLength(2);
  expect(out.match(shown)).toHaveLength(1);
});

test("a watch that ends, or whose history is gone, goes on where it was", async () => {
  await install();
  follow();
  await clock.advance(10_000);
  api.closeWatches();
  api.compactHistory();
  await clock.advance(1_000);
  await declare();
  await clock.advance(10_000);
  const { out, err } = await finished();
  expect(out.match(shown)).toHaveLength(1);
  expect(err).toBe("");
});

test("kinds that come later are shown as soon as they are there", async () => {
  follow();
  await clock.advance(5_000);
  await install();
  await declare();
  await clock.advance(30_000);
  const { out, err } = await finished();
  expect(err.match(/does not serve it; mainstay crds install brings it/g)).toHaveLength(shownKindCount);
  expect(out.match(shown)).toHaveLength(1);
});

test("for programs each state is a document of its own", async () => {
  await install();
  follow("-o", "json");
  await clock.advance(5_000);
  await declare();
  await clock.advance(5_000);
  const { out } = await finished();
  const documents = out.split(/\n\n(?=\{)/).map((text) => JSON.parse(text) as { readonly objects: readonly unknown[] });
  expect(documents.map(({ objects }) => objects.length)).toEqual([0, 1]);
});

test("does not say that what is shown is up to date before it has shown anything", async () => {
  await install();
  faults.start("api-server-away", { seconds: 60 });
  follow();
  await clock.advance(90_000);
  const { err } = await finished();
  expect(err).toMatch(/note: the API server does not answer since .*Z; waiting for it/);
  expect(err).toMatch(/note: the API server answers again since .*Z$/m);
  expect(err).not.toContain("up to date");
});
