// A cloud that never answers: eighty clusters that wait for it hold up no object that does not need it, they send it few calls, and they
// are looked after again soon after it answers.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { secrets } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Feature } from "../../../src/engine/feature.ts";
import { openStackClusterFeature } from "../../../src/jobs/api-endpoint/controller/front-doors.ts";
import type { CloudCall } from "../../../src/sim/fakes/openstack/call-handler.ts";
import { createLabShaped } from "../../../src/sim/fakes/openstack/lab-shaped.ts";
import { seededRandom } from "../../../src/sim/time/seeded-random.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNames } from "../world/cloud-contents.ts";
import { cloudsYaml, EndpointWorld, namespace } from "../world/endpoint-world.ts";

const clusterCount = 80;
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
    const data = { "clouds.yaml": Buffer.from(cloudsYaml(this.silent)).toString("base64") };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "silent", namespace }, data };
    await this.kube.create(secrets, secret);
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

  async clustersOfSilent(): Promise<void> {
    for (let one = 0; one < clusterCount; one += 1) await this.clusterOf(`silent-${one}`, "silent");
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

describe.each([
  ["lists no balancers", isList],
  ["lets nobody log in", isLogin],
])("while a cloud that eighty clusters need %s", (_how, isAbout) => {
  test("an object that needs no cloud has its first status within seconds, at any time", async () => {
    world.fallSilent(isAbout);
    await world.clustersOfSilent();
    for (const [index, afterMs] of [0, 20_000, 300_000].entries()) {
      await world.clock.advance(afterMs);
      expect(await secondsUntilStatus(`lone-${index}`)).toBeLessThan(10);
    }
  });

  test("a cluster in another cloud is built as fast as alone", async () => {
    const alone = await secondsUntilReady("alone");
    world.fallSilent(isAbout);
    await world.clustersOfSilent();
    expect(await secondsUntilReady("first")).toBeLessThan(alone + 10);
    await world.clock.advance(300_000);
    expect(await secondsUntilReady("later")).toBeLessThan(alone + 10);
  });

  test("it is asked about once a minute, all clusters say the same of it, and they are built soon after it answers", async () => {
    const { end, calls } = world.fallSilent(isAbout);
    await world.clustersOfSilent();
    await world.clock.advance(600_000);
    const [before, writes] = [calls(), running.writes.length];
    await world.clock.advance(600_000);
    expect(calls() - before).toBeLessThan(15);
    expect(running.writes.length - writes).toBeLessThan(5);
    const said = await Promise.all(["silent-0", "silent-79"].map((name) => world.conditions(name)));
    for (const conditions of said)
      expect(conditions.find(({ type }) => type === "LoadBalancersReady")).toMatchObject({
        status: "Unknown",
        message: expect.stringMatching(/no answer in time/),
      });
    end();
    await world.clock.advance(240_000);
    expect(world.silent.fake.cloud.tables.loadbalancers.all()).toHaveLength(clusterCount);
  });
});

test("when a cloud of eighty clusters at rest falls silent, an object elsewhere does not wait, and nothing is taken away", async () => {
  await world.clustersOfSilent();
  await world.clock.advance(300_000);
  const before = world.silent.fake.cloud.tables.loadbalancers.all().length;
  expect(before).toBe(clusterCount);
  world.fallSilent(isList);
  for (const [index, afterMs] of [25_000, 20_000, 30_000, 300_000].entries()) {
    await world.clock.advance(afterMs);
    expect(await secondsUntilStatus(`lone-${index}`)).toBeLessThan(10);
  }
  expect(world.silent.fake.cloud.tables.loadbalancers.all()).toHaveLength(before);
  expect(balancerNames(world)).toEqual([]);
}, 120_000);
