import { afterEach, beforeEach, expect, test } from "vitest";
import { infrastructureName, infrastructures } from "../../src/apis/infrastructure.ts";
import { topologyReports } from "../../src/apis/topology-report.ts";
import { topologyFeature } from "../../src/controllers/topology.ts";
import { allGuards } from "../../src/core/guards.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { createMetrics } from "../../src/engine/metrics.ts";
import { silentLog } from "../../src/engine/silent-log.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { ApiFaults } from "../../src/sim/demo/api-faults.ts";
import { DemoManagers } from "../../src/sim/demo/demo-managers.ts";
import { FaultRegistry } from "../../src/sim/demo/fault-registry.ts";
import { furnish } from "../../src/sim/demo/furnish.ts";
import { adminToken, createFakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../src/sim/seeded-random.ts";
import { VirtualClock } from "../../src/sim/virtual-clock.ts";

let clock: VirtualClock;
let kube: Kube;
let managers: DemoManagers;
let faults: FaultRegistry;

beforeEach(async () => {
  clock = new VirtualClock();
  const random = seededRandom(3);
  const api = createFakeKubeApi({ clock, random });
  const apiFaults = new ApiFaults(clock, random);
  kube = kubeClient({ transport: api.transport(adminToken), clock });
  managers = new DemoManagers({
    clock,
    random,
    log: silentLog,
    metrics: createMetrics,
    transport: apiFaults.through(api.transport(adminToken)),
    kubeOver: (transport) => kubeClient({ transport, clock }),
    features: () => [topologyFeature({ mutable: true, upgradeGate: "none" })],
    guard: allGuards([]),
  });
  faults = new FaultRegistry([managers.killLeader(), ...apiFaults.definitions()], clock);
  const furnished = furnish(kube, clock);
  await clock.advance(2_000);
  await furnished;
  managers.start();
  await clock.advance(10_000);
});

afterEach(async () => {
  faults.stopAll();
  const stopped = managers.stop();
  await clock.advance(60_000);
  await stopped;
});

const leaders = (): readonly string[] =>
  managers
    .replicas()
    .filter(({ state }) => state === "leading")
    .map(({ identity }) => identity);
const published = async (): Promise<string | undefined> =>
  (await kube.list(topologyReports)).items[0]?.status?.conditions?.find(({ type }) => type === "Published")?.status;
const ask = (controlPlaneTopology: string) =>
  kube.patch(
    infrastructures,
    { name: infrastructureName },
    { type: "merge", body: { spec: { controlPlaneTopology } } },
  );
const says = (id: string) => faults.list().find((fault) => fault.id === id)?.active?.says;

test("converges, with one leader and one standby", async () => {
  expect(
    managers
      .replicas()
      .map(({ state }) => state)
      .toSorted(),
  ).toEqual(["leading", "standby"]);
  expect(await published()).toBe("True");
});

test("when the leader is killed the standby takes over with a higher epoch, and another manager comes in its place", async () => {
  const [before] = leaders();
  const epoch = managers.insight().manager().epoch ?? 0;
  faults.start("kill-leader", { seconds: 20 });
  expect(managers.replicas().find(({ identity }) => identity === before)?.state).toBe("stopped");
  expect(leaders()).toEqual([]);
  await clock.advance(10_000);
  expect(leaders()).toHaveLength(1);
  expect(leaders()).not.toEqual([before]);
  expect(managers.insight().manager().epoch).toBeGreaterThan(epoch);
  await clock.advance(12_000);
  expect(managers.replicas().map(({ identity, state }) => [identity === before, state])).toEqual([
    [false, "leading"],
    [false, "standby"],
  ]);
});

test("work goes on after the leader's death", async () => {
  faults.start("kill-leader", {});
  await ask("HighlyAvailable");
  await clock.advance(30_000);
  const waits = managers
    .insight()
    .plansFor(infrastructures, { name: infrastructureName })
    .flatMap((plan) => plan.waits);
  expect(waits.map(({ reason }) => reason)).toEqual(["TransitionPreconditionFailed"]);
});

test("while the API server is away nobody leads for long, and afterwards somebody does", async () => {
  faults.start("api-server-away", { seconds: 30 });
  await clock.advance(15_000);
  expect(leaders()).toEqual([]);
  expect(says("api-server-away")).toMatch(/^\d+ calls found no server$/);
  await clock.advance(45_000);
  expect(leaders()).toHaveLength(1);
  await ask("HighlyAvailable");
  await clock.advance(5_000);
  expect(
    managers
      .insight()
      .log()
      .some(({ result }) => result === "waiting"),
  ).toBe(true);
});

test("delayed watches delay what the controllers do, and nothing is lost", async () => {
  faults.start("watch-delayed", { seconds: 60, delay: 10 });
  const before = managers.insight().log().length;
  await ask("HighlyAvailable");
  await clock.advance(5_000);
  expect(managers.insight().log()).toHaveLength(before);
  await clock.advance(15_000);
  expect(managers.insight().log().length).toBeGreaterThan(before);
});

test("failing calls show in the log, and everything converges when they end", async () => {
  faults.start("failing-calls", { seconds: 40, percent: 60 });
  await kube.delete(infrastructures, { name: infrastructureName });
  await clock.advance(20_000);
  await kube.create(infrastructures, {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: infrastructureName },
    spec: {},
  });
  await clock.advance(20_000);
  expect(
    managers
      .insight()
      .log()
      .some(({ result }) => result === "failed"),
  ).toBe(true);
  await clock.advance(120_000);
  expect(await published()).toBe("True");
  expect(leaders()).toHaveLength(1);
});

test("slow calls do not cost the lease unless they are slower than it", async () => {
  faults.start("slow-calls", { seconds: 60, delay: 0.5 });
  const before = leaders();
  await clock.advance(30_000);
  expect(leaders()).toEqual(before);
});
