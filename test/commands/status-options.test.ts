// mainstay status for one namespace or one object, as a check in a script, and waiting until all is well.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { namespaces } from "../../src/apis/kube/builtin-kinds.ts";
import { installCrds } from "../../src/cli/install-crds.ts";
import { definitionsOf } from "../../src/core/job/declaration.ts";
import { KubeError } from "../../src/core/kube-error.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { type ApiEndpoint, apiEndpoints } from "../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import type { Kube } from "../../src/ports/kube.ts";
import type { KubeTransport } from "../../src/ports/kube-transport.ts";
import { ApiFaults } from "../../src/sim/demo/api-faults.ts";
import { FaultRegistry } from "../../src/sim/demo/fault-registry.ts";
import { adminToken, createFakeKubeApi, type FakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";
import { cliWorld } from "../support/cli-world.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

let clock: VirtualClock;
let api: FakeKubeApi;
let kube: Kube;
let throughFaults: Kube;
let faults: FaultRegistry;

beforeEach(async () => {
  clock = new VirtualClock();
  api = createFakeKubeApi({ clock, random: seededRandom(4) });
  kube = kubeClient({ transport: api.transport(adminToken), clock });
  const apiFaults = new ApiFaults(clock, seededRandom(5));
  faults = new FaultRegistry(apiFaults.definitions(), clock);
  throughFaults = kubeClient({ transport: apiFaults.through(api.transport(adminToken)), clock });
  const installed = installCrds(kube, clock, definitionsOf(allJobs));
  await clock.advance(5_000);
  await installed;
  for (const name of ["clusters", "other"])
    await kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
});
afterEach(() => api.close());

async function endpoint(namespace: string, name: string, ready?: boolean): Promise<void> {
  const object: ApiEndpoint = {
    apiVersion: "mainstay.dev/v1alpha1",
    kind: "APIEndpoint",
    metadata: { namespace, name },
    spec: {
      clusterRef: { name },
      identityRef: { name: "cloud", cloudName: "openstack" },
      controlPlaneEndpoint: { host: `api.${name}.example.com`, port: 6443 },
      apiServerLoadBalancer: { enabled: true },
    },
  };
  await kube.create(apiEndpoints, object);
  if (ready !== undefined) await setReady(namespace, name, ready);
}

async function setReady(namespace: string, name: string, ready: boolean): Promise<void> {
  const condition = {
    type: "Ready",
    status: ready ? "True" : "False",
    reason: ready ? "AsExpected" : "LoadBalancerDown",
    message: ready ? "" : "the load balancer of az1 is down",
    lastTransitionTime: "2026-01-01T00:00:00Z",
    observedGeneration: 1,
  };
  const body = { status: { conditions: [condition] } };
  await kube.patch(apiEndpoints, { namespace, name }, { type: "merge", body }, { subresource: "status" });
}

const run = (...args: readonly string[]) => cliWorld({ kube: throughFaults, clock }).run("status", ...args);

async function names(...args: readonly string[]): Promise<readonly string[]> {
  const { out } = await run(...args);
  return [...out.matchAll(/^(\w+\/\S+)/gm)].flatMap(([, name]) => name ?? []);
}

/** A command that goes on while time passes. */
async function during(ms: number, running: ReturnType<typeof run>): Promise<Awaited<ReturnType<typeof run>>> {
  await clock.advance(ms);
  return await running;
}

const untilAborted: KubeTransport["send"] = (_request, options) =>
  new Promise((_resolve, reject) => {
    options?.signal?.addEventListener("abort", () =>
      reject(new KubeError({ code: "Unreachable", message: "aborted" })),
    );
  });

/** What is not healthy comes first; of equals the order stays. */
describe("which objects", () => {
  beforeEach(async () => {
    await endpoint("clusters", "blue", true);
    await endpoint("clusters", "green", false);
    await endpoint("other", "blue", true);
    await kube.create(infrastructures, {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
      spec: {},
    });
  });

  test.each([
    [
      [],
      ["Infrastructure/cluster", "APIEndpoint/clusters/green", "APIEndpoint/clusters/blue", "APIEndpoint/other/blue"],
    ],
    [["-n", "other"], ["APIEndpoint/other/blue"]],
    [["blue"], ["APIEndpoint/clusters/blue", "APIEndpoint/other/blue"]],
    [["apie/blue"], ["APIEndpoint/clusters/blue", "APIEndpoint/other/blue"]],
    [["apie/blue", "-n", "clusters"], ["APIEndpoint/clusters/blue"]],
    [["apie/other/blue"], ["APIEndpoint/other/blue"]],
    [["infrastructure/cluster"], ["Infrastructure/cluster"]],
    [["cluster"], ["Infrastructure/cluster"]],
    [["apie"], ["APIEndpoint/clusters/green", "APIEndpoint/clusters/blue", "APIEndpoint/other/blue"]],
    [["APIEndpoints", "-n", "other"], ["APIEndpoint/other/blue"]],
    [["infrastructure"], ["Infrastructure/cluster"]],
    [["other/blue"], ["APIEndpoint/other/blue"]],
  ])("status %j shows %j", async (args, shown) => {
    expect(await names(...args)).toEqual(shown);
  });

  test("a namespace that does not exist is said to be missing, and an empty one is not", async () => {
    const missing = await run("-n", "otter");
    expect([missing.code, missing.err]).toEqual([
      5,
      "error: there is no namespace otter\nhint: kubectl get namespaces lists them.",
    ]);
    expect(await run("-n", "default")).toMatchObject({ code: 0, out: "Mainstay manages nothing here." });
  });

  test("all namespaces are the default, and may be asked for", async () => {
    expect(await run("-A")).toEqual(await run());
  });

  test("a name that nothing has is an error that says what is near", async () => {
    const missing = await run("greem");
    expect([missing.code, missing.out]).toEqual([5, ""]);
    expect(missing.err).toBe("error: there is no object greem that Mainstay shows\nhint: Did you mean green?");
    expect((await run("apie/clusters/red")).code).toBe(5);
  });

  test.each([
    [["apie/clusterz/blue"], "apie/clusterz/blue", "APIEndpoint/clusters/blue or APIEndpoint/other/blue"],
    [["green", "-n", "other"], "green", "APIEndpoint/clusters/green"],
    [["apie/other/greem"], "apie/other/greem", "green"],
  ])("status %j names the same name in another namespace first", async (args, named, meant) => {
    const { err } = await run(...args);
    expect(err).toBe(`error: there is no object ${named} that Mainstay shows\nhint: Did you mean ${meant}?`);
  });
});

describe("as a check", () => {
  test("status ends with 1 when one object is not healthy, and with 0 without --check", async () => {
    await endpoint("clusters", "blue", true);
    expect((await run("--check")).code).toBe(0);
    await endpoint("clusters", "green", false);
    expect((await run("--check")).code).toBe(1);
    expect((await run("--check", "blue")).code).toBe(0);
    expect((await run()).code).toBe(0);
  });

  test("what nobody has reported on yet is not healthy", async () => {
    await endpoint("clusters", "blue");
    expect((await run("--check")).code).toBe(1);
  });
});

describe("waiting", () => {
  test("ends at once when all are healthy, or when there is nothing", async () => {
    expect((await run("--wait")).code).toBe(0);
    await endpoint("clusters", "blue", true);
    const { code, out, err } = await run("--wait");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/APIEndpoint\/clusters\/blue +healthy/);
  });

  test("says what it waits for, prints the status once all are healthy, and ends with 0", async () => {
    await endpoint("clusters", "blue", false);
    await endpoint("clusters", "green");
    const running = run("--wait");
    await clock.advance(15_000);
    await setReady("clusters", "green", true);
    await clock.advance(15_000);
    await setReady("clusters", "blue", true);
    const { code, out, err } = await during(5_000, running);
    expect(code).toBe(0);
    expect(err.split("\n")[0]).toMatch(
      /^waiting for 2 of 2 objects: APIEndpoint\/clusters\/green \(unknown\), APIEndpoint\/clusters\/blue \([a-z ]+\) … \d+ s$/,
    );
    expect(err).toMatch(
      /waiting for APIEndpoint\/clusters\/blue \([a-z ]+\): .*load balancer of az1 is down.* … 15 s/i,
    );
    expect(err.split("\n").length).toBeLessThan(7);
    expect(out.match(/^OBJECT/gm)).toHaveLength(1);
    expect(out.match(/ healthy /g)).toHaveLength(2);
    expect(clock.pendingTimers).toBe(0);
  });

  test("ends with 1 when the time is over, and names what is not healthy", async () => {
    await endpoint("clusters", "blue", false);
    const { code, out, err } = await during(61_000, run("--wait", "--timeout", "1m"));
    expect(code).toBe(1);
    expect(out).toContain("APIEndpoint/clusters/blue");
    expect(err).toMatch(
      /error: not healthy after 1m: APIEndpoint\/clusters\/blue \([a-z ]+\)\nhint: mainstay explain /,
    );
  });

  test("waits for a named object that is not there yet", async () => {
    const running = run("apie/clusters/blue", "--wait");
    await clock.advance(20_000);
    await endpoint("clusters", "blue", true);
    const { code, err } = await during(5_000, running);
    expect([code, err.split("\n")[0]]).toEqual([0, "waiting for apie/clusters/blue: it does not exist yet … 0 s"]);
    const never = await during(61_000, run("red", "--wait", "--timeout", "1m"));
    expect([never.code, never.out]).toEqual([5, ""]);
  });

  test("ends in time although a server takes calls and never answers", async () => {
    const silent: KubeTransport = { ...api.transport(adminToken), send: untilAborted };
    const through = kubeClient({ transport: silent, clock });
    const running = cliWorld({ kube: through, clock }).run("status", "--wait", "--timeout", "10s");
    let ended = false;
    void running.finally(() => (ended = true));
    await clock.advance(11_000);
    expect(ended).toBe(true);
    expect(await running).toMatchObject({ code: 3, out: "" });
  });

  test("goes on while the API server is away, and ends with 3 when it never answered", async () => {
    await endpoint("clusters", "blue", true);
    faults.start("api-server-away", { seconds: 60 });
    const { code, err } = await during(120_000, run("--wait"));
    expect([code, err]).toEqual([0, expect.stringMatching(/the API server does not answer since .*Z; waiting for it/)]);
    faults.start("api-server-away", { seconds: 120 });
    const never = await during(120_000, run("--wait", "--timeout", "1m"));
    expect([never.code, never.out]).toEqual([3, ""]);
    expect(never.err).toContain("error: the API server did not answer within 1m");
  });
});

test("--watch that is started while the API server is away waits for it and goes on", async () => {
  await endpoint("clusters", "blue", true);
  faults.start("api-server-away", { seconds: 60 });
  const interrupt = new AbortController();
  const watching = cliWorld({ kube: throughFaults, clock, interrupted: interrupt.signal }).run("status", "--watch");
  await clock.advance(120_000);
  interrupt.abort();
  const { code, out, err } = await during(2_000, watching);
  expect(code).toBe(0);
  expect(err).toMatch(/note: the API server does not answer since .*Z; waiting for it \(/);
  expect(err).toMatch(/note: the API server answers again since/);
  expect(out).toMatch(/APIEndpoint\/clusters\/blue +healthy/);
});
