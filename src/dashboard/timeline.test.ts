import { expect, test } from "vitest";
import type { KubeObject } from "../apis/kube/kube-object.ts";
import { describeAction } from "../core/describe-action.ts";
import { explainDone } from "../core/explain.ts";
import type { Action } from "../core/plan.ts";
import type { EventView, PlanLogEntry } from "../core/views/object-view.ts";
import { eventView } from "../core/views/plan-view.ts";
import { eventObject } from "../engine/report/event-object.ts";
import { timeline } from "./timeline.ts";

const regarding = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "one", namespace: "default" } };

const entry = (time: string, words: string, over: Partial<PlanLogEntry> = {}) =>
  ({ id: time, time, words, term: 1, action: "", because: "", result: "done", ...over }) as unknown as PlanLogEntry;
const event = (lastSeen: string, message: string, over: Partial<EventView> = {}) =>
  ({ reason: "", action: "", message, firstSeen: lastSeen, lastSeen, count: 1, ...over }) as unknown as EventView;
const told = (...happenings: ReturnType<typeof timeline>) =>
  happenings.map((one) => `${one.from}: ${one.from === "log" ? one.entry.words : one.event.message}`);

test("log and Events are one list, newest first", () => {
  const history = [entry("2026-01-01T10:02:00Z", "publish"), entry("2026-01-01T10:00:00Z", "create")];
  const events = [event("2026-01-01T10:01:00Z", "lost"), event("2026-01-01T09:00:00Z", "of a manager before")];
  expect(told(...timeline(history, events))).toEqual([
    "log: publish",
    "events: lost",
    "log: create",
    "events: of a manager before",
  ]);
});

test("what was done is told once, although log and Event say it in words of their own", () => {
  const action: Action = { kind: "create-pool", because: "StepRepeated", words: "create pool a" };
  const written = eventObject(
    { regarding, explanation: explainDone("PoolCreated", action), action: action.kind },
    { controller: "mainstay.dev/specimen", instance: "manager-1" },
    "event-1",
    Date.parse("2026-01-01T10:00:00.100Z"),
  );
  const done = entry("2026-01-01T10:00:00Z", describeAction(action), { action: action.kind, controller: "specimen" });
  // As the API server shows what was written to v1 in events.k8s.io.
  const { message, reportingComponent } = written as KubeObject & { message: string; reportingComponent: string };
  const read = eventView({ ...written, note: message, reportingController: reportingComponent } as KubeObject);
  expect(told(...timeline([done], [read]))).toEqual(["log: create pool a because StepRepeated"]);
  const others = [
    { ...read, controller: "mainstay.dev/another" },
    { ...read, action: "delete-pool" },
    { ...read, firstSeen: "2026-01-01T10:20:00Z", lastSeen: "2026-01-01T10:20:00Z" },
    { ...read, type: "Warning" as const },
  ];
  expect(timeline([done], others)).toHaveLength(1 + others.length);
});

test("an Event about what is waited for is not told beside the log's entry, however long it goes on", () => {
  const history = [entry("2026-01-01T10:00:01Z", "wait", { result: "waiting", message: "is pending" })];
  const events = [
    event("2026-01-01T10:30:00Z", "is pending", { firstSeen: "2026-01-01T10:00:01Z", count: 30 }),
    event("2026-01-01T10:20:00Z", "is pending"),
  ];
  expect(told(...timeline(history, events))).toEqual(["events: is pending", "log: wait"]);
});
