import { afterEach, beforeEach, expect, test } from "vitest";
import { infrastructureName, infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import { topologyReports } from "../../src/jobs/topology/apis/topology-report.ts";
import { cliWorld } from "../support/cli-world.ts";
import { startVirtualDemo, type VirtualDemo } from "./virtual-demo.ts";

let demo: VirtualDemo;

beforeEach(async () => {
  demo = await startVirtualDemo();
});
afterEach(() => demo.close());

const leaders = (): readonly string[] =>
  demo.managers
    .replicas()
    .filter(({ state }) => state === "leading")
    .map(({ identity }) => identity);
const published = async (): Promise<string | undefined> =>
  (await demo.kube.list(topologyReports)).items[0]?.status?.conditions?.find(({ type }) => type === "Published")
    ?.status;
const ask = (controlPlaneTopology: string) =>
  demo.kube.patch(
    infrastructures,
    { name: infrastructureName },
    { type: "merge", body: { spec: { controlPlaneTopology } } },
  );
const says = (id: string) => demo.faults.list().find((fault) => fault.id === id)?.active?.says;

test("converges, with one leader and one standby", async () => {
  expect(
    demo.managers
      .replicas()
      .map(({ state }) => state)
      .toSorted(),
  ).toEqual(["leading", "standby"]);
  expect(await published()).toBe("True");
});

test("its faults are those that shells complete", async () => {
  const { out } = await cliWorld().run("completion", "bash");
  const [, offered = ""] = /"mainstay demo fault start"\) offered="([a-z][^"]*)"/.exec(out) ?? [];
  const there = demo.faults.list().map(({ id }) => id);
  expect(offered.split(" ").toSorted()).toEqual(there.toSorted());
});

test("when the leader is killed the standby takes over with a higher epoch, and another manager comes in its place", async () => {
  const [before] = leaders();
  const epoch = demo.managers.insight().manager().epoch ?? 0;
  demo.faults.start("kill-leader", { seconds: 20 });
  expect(demo.managers.replicas().find(({ identity }) => identity === before)?.state).toBe("stopped");
  expect(leaders()).toEqual([]);
  await demo.clock.advance(10_000);
  expect(leaders()).toHaveLength(1);
  expect(leaders()).not.toEqual([before]);
  expect(demo.managers.insight().manager().epoch).toBeGreaterThan(epoch);
  await demo.clock.advance(12_000);
  expect(demo.managers.replicas().map(({ identity, state }) => [identity === before, state])).toEqual([
    [false, "leading"],
    [false, "standby"],
  ]);
});

test("work goes on after the leader's death", async () => {
  demo.faults.start("kill-leader", {});
  await ask("HighlyAvailable");
  await demo.clock.advance(30_000);
  const waits = demo.managers
    .insight()
    .plansFor(infrastructures, { name: infrastructureName })
    .flatMap((plan) => plan.waits);
  expect(waits.map(({ reason }) => reason)).toEqual(["TransitionPreconditionFailed"]);
});

test("while the API server is away nobody leads for long, and afterwards somebody does", async () => {
  demo.faults.start("api-server-away", { seconds: 30 });
  await demo.clock.advance(15_000);
  expect(leaders()).toEqual([]);
  expect(says("api-server-away")).toMatch(/^\d+ calls found no server$/);
  await demo.clock.advance(45_000);
  expect(leaders()).toHaveLength(1);
  await ask("HighlyAvailable");
  await demo.clock.advance(5_000);
  expect(
    demo.managers
      .insight()
      .log()
      .some(({ result }) => result === "waiting"),
  ).toBe(true);
});

test("delayed watches delay what the controllers do, and nothing is lost", async () => {
  demo.faults.start("watch-delayed", { seconds: 60, delay: 10 });
  const before = demo.managers.insight().log().length;
  await ask("HighlyAvailable");
  await demo.clock.advance(5_000);
  expect(demo.managers.insight().log()).toHaveLength(before);
  await demo.clock.advance(15_000);
  expect(demo.managers.insight().log().length).toBeGreaterThan(before);
});

test("failing calls show in the log, and everything converges when they end", async () => {
  demo.faults.start("failing-calls", { seconds: 40, percent: 60 });
  await demo.kube.delete(infrastructures, { name: infrastructureName });
  await demo.clock.advance(20_000);
  await demo.kube.create(infrastructures, {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: infrastructureName },
    spec: {},
  });
  await demo.clock.advance(20_000);
  expect(
    demo.managers
      .insight()
      .log()
      .some(({ result }) => result === "failed"),
  ).toBe(true);
  await demo.clock.advance(120_000);
  expect(await published()).toBe("True");
  expect(leaders()).toHaveLength(1);
});

test("slow calls do not cost the lease unless they are slower than it", async () => {
  demo.faults.start("slow-calls", { seconds: 60, delay: 0.5 });
  const before = leaders();
  await demo.clock.advance(30_000);
  expect(leaders()).toEqual(before);
});
