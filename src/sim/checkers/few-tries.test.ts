import { expect, test } from "vitest";
import type { PortCall } from "../network/port-call.ts";
import type { SimProcess } from "../processes/sim-process.ts";
import type { WorldView } from "./checker.ts";
import { fewTries } from "./few-tries.ts";
import { createSimEvents } from "./sim-events.ts";

const hourMs = 3_600_000;
const process = { name: "mgr-1" } as SimProcess;

function callOf(part: Partial<PortCall>, name = "blue"): PortCall {
  const actor = { feature: "api-endpoint", root: "apiendpoints", key: { namespace: "a", name }, uid: "1" };
  return {
    process,
    port: "kube",
    verb: "PATCH",
    target: `apiendpoints/a/${name}`,
    write: true,
    actor,
    ...part,
  } as PortCall;
}

/** What is said of an hour in which a call leaves every so often. */
function hourOf(everyMs: number, calls: readonly PortCall[], isLasting = true): readonly string[] {
  const events = createSimEvents();
  const broken: string[] = [];
  let nowMs = 0;
  const view: Partial<WorldView> = {
    on: (type, listener) => events.on(type, listener),
    nowMs: () => nowMs,
    lastingSinceMs: () => (isLasting ? 0 : undefined),
  };
  fewTries.watch(view as WorldView, (how) => broken.push(how));
  for (; nowMs < hourMs && broken.length === 0; nowMs += everyMs)
    for (const call of calls) events.emit("left", { call });
  return broken;
}

const status = callOf({ purpose: "status" });
const event = callOf({ purpose: "event", verb: "POST", target: "events", actor: undefined });
/** So often two of three worlds observe their clouds, or more often. */
const lookMs = 6_000;

test.each([
  ["a status", status, "api-endpoint a/blue: status writes"],
  ["an Event", event, "mgr-1: Events"],
  ["a change of one kind", callOf({ purpose: "create-listener", port: "cloud" }), "changes for create-listener"],
] as const)("%s at every look is too much while one thing stays wrong", (_what, call, name) => {
  expect(hourOf(lookMs, [call])).toEqual([expect.stringContaining(name)]);
});

test.each([
  ["every minute", hourOf(60_000, [status, event])],
  ["every half minute for each of two objects", hourOf(30_000, [status, callOf({ purpose: "status" }, "green")])],
  ["at every look while nothing stays wrong", hourOf(lookMs, [status, event], false)],
])("nothing is said of what is written %s", (_when, broken) => {
  expect(broken).toEqual([]);
});
