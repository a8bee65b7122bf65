import { expect, test } from "vitest";
import { createSimEvents } from "../checkers/sim-events.ts";
import { SimProcess } from "../processes/sim-process.ts";
import { createTrace } from "../run/trace.ts";
import { Scheduler } from "../time/scheduler.ts";
import { seededRandom } from "../time/seeded-random.ts";
import type { Network } from "./network.ts";
import type { CallPlan } from "./port-call.ts";
import { type CallOptions, type SimulatedSystem, simulatedPort } from "./simulated-port.ts";

const settle = async (): Promise<void> => {
  for (let i = 0; i < 40; i += 1) await Promise.resolve();
};

const named = (name: string) => (): Error => new Error(name);
const system: SimulatedSystem = {
  port: "dns",
  callDeadlineMs: 1_000,
  describe: (method, [name]) => ({ target: String(name), path: "", write: method === "add", purpose: method }),
  errors: {
    timeout: named("timeout"),
    leadershipLost: named("leadership lost"),
    refused: (_call, status) => new Error(`refused with ${status}`),
    failed: (_call, error) => (error instanceof Error ? error : new Error("failed")),
  },
};

/** What a caller gets, and what the system has when everything has happened. */
async function add(plan: Partial<CallPlan>, options: CallOptions = {}, changed: Partial<SimulatedSystem> = {}) {
  const scheduler = new Scheduler({ random: seededRandom(1), settle, afterStep: () => {} });
  const process = new SimProcess({ name: "a", identity: "a", version: "new", scheduler, startMs: 0, rate: 1 });
  const trace = createTrace({ now: () => ({ step: 0, ms: 0 }), keep: 10 });
  const network: Network = {
    scheduler,
    trace,
    events: createSimEvents(),
    onTheWay: new Set(),
    isAway: () => false,
    kill: () => process.kill(),
    stop: () => {},
    racingWrite: async () => {},
  };
  const records: string[] = [];
  const planCall = (): CallPlan => ({ leavesAfterMs: 0, thereMs: 1, backMs: 1, ...plan });
  const port = simulatedPort(
    { process, network, planCall },
    { ...system, ...changed },
    { add: async (name: string, _options: CallOptions) => `${records.push(name)} records` },
  );
  let got = "nothing";
  void port.add("api", options).then(
    (answer) => (got = answer),
    (error: unknown) => (got = error instanceof Error ? error.message : String(error)),
  );
  await scheduler.run(() => false, 100_000);
  return { got, records: records.length };
}

test("a call has its effect, and its caller the answer", async () => {
  expect(await add({})).toEqual({ got: "1 records", records: 1 });
});

test("a call that would arrive after its deadline never arrives", async () => {
  expect(await add({ thereMs: 2_000 })).toEqual({ got: "timeout", records: 0 });
});

test("a fence shortens the deadline, whatever was asked for", async () => {
  const fence = { remainingMs: () => 300 };
  expect(await add({ thereMs: 500 }, { fence, deadlineMs: 60_000 })).toEqual({ got: "timeout", records: 0 });
});

test("a call does not leave when the fence has run out", async () => {
  let remaining = 300;
  const fence = { remainingMs: () => (remaining -= 200) };
  expect(await add({ leavesAfterMs: 5 }, { fence })).toEqual({ got: "leadership lost", records: 0 });
});

test("a call that was turned away has no effect, and fails with the port's own error", async () => {
  const turnedAway = { how: "status", status: 429 } as const;
  expect(await add({ turnedAway })).toEqual({ got: "refused with 429", records: 0 });
});

test("a lost reply leaves the effect: the caller gets a broken connection, or waits for its deadline", async () => {
  expect(await add({ replyLost: "broken" })).toEqual({ got: "the connection broke", records: 1 });
  expect(await add({ replyLost: "silence" })).toEqual({ got: "timeout", records: 1 });
});

test("a process that crashes gets nothing, whether or not its call had its effect", async () => {
  expect(await add({ crash: "before-effect" })).toEqual({ got: "nothing", records: 0 });
  expect(await add({ crash: "after-effect" })).toEqual({ got: "nothing", records: 1 });
});

test("a system that is silent takes nothing and answers nothing", async () => {
  expect(await add({}, {}, { isSilent: ([name]) => name === "api" })).toEqual({ got: "timeout", records: 0 });
});
