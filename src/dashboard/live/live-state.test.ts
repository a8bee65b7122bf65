import { describe, expect, test } from "vitest";
import { sampleLog, sampleManager, sampleObjects, sampleSnapshot } from "../../../test/server/contract-sample.ts";
import type { ObjectSummary, PlanLogEntry } from "../../core/views/object-view.ts";
import type { StreamMessage } from "../../server/contract.ts";
import { applyMessage, type LiveState, logLength, nothingKnown } from "./live-state.ts";

const nowMs = Date.UTC(2026, 0, 1, 12);

function after(...messages: readonly StreamMessage[]): LiveState {
  return messages.reduce((state, message) => applyMessage(state, message, nowMs), nothingKnown);
}

const [first] = sampleObjects as readonly [ObjectSummary, ...ObjectSummary[]];
const [newest] = sampleLog as readonly [PlanLogEntry, ...PlanLogEntry[]];

describe("what the dashboard knows", () => {
  test("begins with a snapshot, and with nothing before one", () => {
    expect(after({ type: "object", id: "x-1", object: first })).toEqual(nothingKnown);
    expect([...(after(sampleSnapshot).known?.objects.values() ?? [])]).toEqual(sampleObjects);
  });

  test("follows each change, and remembers where to resume", () => {
    const state = after(
      sampleSnapshot,
      { type: "object", id: "b0-2", object: { ...first, health: "healthy" } },
      { type: "manager", id: "b0-3", manager: { ...sampleManager, leading: false } },
      { type: "faults", id: "b0-4", faults: { enabled: false, faults: [] } },
    );
    expect(state.known?.objects.get("infrastructures.config.openshift.io/cluster")?.health).toBe("healthy");
    expect(state.known?.manager.leading).toBe(false);
    expect(state.known?.faults.enabled).toBe(false);
    expect(state.lastId).toBe("b0-4");
  });

  test("forgets what is gone", () => {
    const state = after(sampleSnapshot, { type: "gone", id: "b0-2", object: first.id });
    expect(state.known?.objects.size).toBe(sampleObjects.length - 1);
  });

  test("has the newest log entry first, each once, and not without end", () => {
    const entries = Array.from({ length: logLength + 5 }, (_, index) => ({ ...newest, id: `e${100 + index}` }));
    const messages = entries.map((entry): StreamMessage => ({ type: "plan-log", id: `b0-${entry.id}`, entry }));
    const log = after(sampleSnapshot, ...messages, ...messages.slice(-3)).known?.log ?? [];
    expect(log).toHaveLength(logLength);
    expect(log[0]?.id).toBe(`e${100 + logLength + 4}`);
    expect(new Set(log.map(({ id }) => id)).size).toBe(logLength);
  });

  test("says that there are older log entries when the server did, or when it let some go itself", () => {
    expect(after(sampleSnapshot).known?.olderLog).toBe(false);
    expect(after({ ...sampleSnapshot, olderLog: true } as StreamMessage).known?.olderLog).toBe(true);
    const entries = Array.from({ length: logLength }, (_, index) => ({ ...newest, id: `e${index}` }));
    const messages = entries.map((entry): StreamMessage => ({ type: "plan-log", id: entry.id, entry }));
    const few = messages.slice(0, logLength - sampleLog.length);
    expect(after(sampleSnapshot, ...few, ...few).known?.olderLog).toBe(false);
    expect(after(sampleSnapshot, ...messages).known?.olderLog).toBe(true);
  });

  test("keeps the entries of two managers apart, though their ids meet", () => {
    const entry = { ...newest, term: newest.term + 1 };
    expect(after(sampleSnapshot, { type: "plan-log", id: "b0-2", entry }).known?.log).toEqual([entry, ...sampleLog]);
  });

  test("takes the server's clock from its heartbeat", () => {
    const time = new Date(nowMs + 90_000).toISOString();
    expect(after({ type: "heartbeat", id: "b0-1", time }).clockAheadMs).toBe(90_000);
  });

  test("a new snapshot replaces everything", () => {
    const state = after(sampleSnapshot, { ...sampleSnapshot, id: "c0-1", objects: [], log: [] } as StreamMessage);
    expect([state.known?.objects.size, state.known?.log.length, state.lastId]).toEqual([0, 0, "c0-1"]);
  });
});
