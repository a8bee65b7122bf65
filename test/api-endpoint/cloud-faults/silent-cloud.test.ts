// A cloud that never answers: many clusters that wait for it hold up no object that does not need it, they send it few calls, and they
// are looked after again soon after it answers.

import { afterEach, beforeEach, expect, test } from "vitest";
import type { Feature } from "../../../src/engine/feature.ts";
import { openStackClusterFeature } from "../../../src/jobs/api-endpoint/controller/front-doors.ts";
import type { CloudCall } from "../../../src/sim/fakes/openstack/call-handler.ts";
import { createLabShaped } from "../../../src/sim/fakes/openstack/lab-shaped.ts";
import { seededRandom } from "../../../src/sim/time/seeded-random.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { cloudsYaml, EndpointWorld } from "../world/endpoint-world.ts";

const silentUrl = "http://silent.example.com/identity/v3";

/** Beside the cloud that is well there is one that can fall silent; the Secret `silent` is of that one. */
class TwoClouds extends EndpointWorld {
  readonly silent = createLabShaped({ clock: this.clock, random: seededRandom(6), authUrl: silentUrl });

  override features(): readonly Feature[] {
    const project = (config: Parameters<typeof this.lab.fake.project>[0]) =>
      (config.authUrl === silentUrl ? this.silent : this.lab).fake.project(config);
    return [openStackClusterFeature({ openStack: { project }, claims: "annotated" })];
  }

  override async furnish(): Promise<void> {
    await super.furnish();
    await this.putCredentials(cloudsYaml(this.silent), "silent");
  }

  /** In one zone, with the credentials of that Secret. */
  async clusterOf(name: string, secret: string): Promise<void> {
    const { networkId, subnetIds } = secret === "silent" ? this.silent : this.lab;
    const availabilityZoneSubnets = [{ availabilityZone: "az1", subnet: { id: subnetIds[0] } }];
    await this.cluster(name, {
      spec: {
        identityRef: { name: secret, cloudName: "lab" },
        network: { id: networkId },
        controlPlaneEndpoint: { host: `api.${name}.example.com`, port: 6443 },
        apiServerLoadBalancer: { enabled: true, network: { id: networkId }, availabilityZoneSubnets },
      },
    });
  }

  async clustersOfSilent(count: number): Promise<void> {
    for (let one = 0; one < count; one += 1) await this.clusterOf(`silent-${one}`, "silent");
  }

  /** Answers with how it speaks again, and how often it was asked. */
  fallSilent(isAbout: (call: CloudCall) => boolean): { readonly end: () => void; readonly calls: () => number } {
    let calls = 0;
    const end = this.silent.fake.addCallPlan((call) => {
      if (!isAbout(call)) return undefined;
      calls += 1;
      return { loseReply: "silence" };
    });
    return { end, calls: () => calls };
  }

  async conditions(name: string) {
    return (await this.read(name)).status?.conditions ?? [];
  }
}

let world: TwoClouds;
let running: TestManager;

beforeEach(async () => {
  world = new TwoClouds();
  await world.furnish();
  running = world.work();
});
afterEach(stop);

async function stop(): Promise<void> {
  const stopped = running.manager.stop();
  await world.clock.advance(60_000);
  await stopped;
}

async function secondsUntil(isDone: () => Promise<boolean>, maxSeconds: number): Promise<number> {
  for (let seconds = 0; seconds < maxSeconds; seconds += 1) {
    if (await isDone()) return seconds;
    await world.clock.advance(1_000);
  }
  return Number.POSITIVE_INFINITY;
}

async function secondsUntilStatus(name: string): Promise<number> {
  await world.clusterOf(name, "absent");
  return await secondsUntil(async () => (await world.conditions(name)).length > 0, 600);
}

async function secondsUntilReady(name: string): Promise<number> {
  await world.clusterOf(name, "cloud");
  await world.machine(name, "az1");
  const isReady = ({ type, status }: { readonly type: string; readonly status: string }) =>
    type === "LoadBalancersReady" && status === "True";
  return await secondsUntil(async () => (await world.conditions(name)).some(isReady), 600);
}

const isList = ({ service, operation }: CloudCall) => service === "octavia" && operation === "list load balancers";
const isLogin = ({ service }: CloudCall) => service === "keystone";

test.each([
  ["lists no balancers", 80, isList],
  ["lets nobody log in", 40, isLogin],
] as const)("while a cloud %s for %i clusters, nothing that does not need it waits", async (_how, count, isAbout) => {
  const alone = await secondsUntilReady("alone");
  world.fallSilent(isAbout);
  await world.clustersOfSilent(count);
  expect(await secondsUntilStatus("lone-0")).toBeLessThan(10);
  expect(await secondsUntilReady("first")).toBeLessThan(alone + 10);
  expect(await secondsUntilStatus("lone-1")).toBeLessThan(10);
  await world.clock.advance(120_000);
  expect(await secondsUntilStatus("lone-2")).toBeLessThan(10);
  expect(await secondsUntilReady("later")).toBeLessThan(alone + 10);
});

test("when a cloud of clusters at rest falls silent, an object elsewhere does not wait, and nothing is taken away", async () => {
  await world.clustersOfSilent(40);
  await world.clock.advance(90_000);
  const { loadbalancers } = world.silent.fake.cloud.tables;
  expect(loadbalancers.all()).toHaveLength(40);
  world.fallSilent(isList);
  for (const [index, afterMs] of [25_000, 20_000, 30_000].entries()) {
    await world.clock.advance(afterMs);
    expect(await secondsUntilStatus(`lone-${index}`)).toBeLessThan(10);
  }
  expect(loadbalancers.all()).toHaveLength(40);
});

test.each([
  ["lists no balancers", isList],
  ["lets nobody log in", isLogin],
] as const)(
  "a cloud that %s is asked once a minute, all clusters say so, and they are built soon after it answers",
  async (_how, isAbout) => {
    const { end, calls } = world.fallSilent(isAbout);
    await world.clustersOfSilent(10);
    await world.clock.advance(180_000);
    const [before, writes] = [calls(), running.writes.length];
    await world.clock.advance(240_000);
    expect(calls() - before).toBeLessThan(6);
    // Nothing comes and goes in status.
    expect(running.writes.length - writes).toBeLessThan(5);
    for (const name of ["silent-0", "silent-9"])
      expect((await world.conditions(name)).find(({ type }) => type === "LoadBalancersReady")).toMatchObject({
        status: "Unknown",
        message: expect.stringMatching(/no answer in time/),
      });
    end();
    await world.clock.advance(150_000);
    expect(world.silent.fake.cloud.tables.loadbalancers.all()).toHaveLength(10);
  },
);
