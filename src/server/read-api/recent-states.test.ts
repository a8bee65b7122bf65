import { describe, expect, test } from "vitest";
import { sampleManager } from "../../../test/server/contract-sample.ts";
import { services } from "../../apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { partAnnotations } from "../../core/part-changes.ts";
import type { Health } from "../../core/views/object-view.ts";
import type { Insight, InsightChange } from "../../ports/insight.ts";
import { RecentStates } from "./recent-states.ts";

const ref = { name: "web", namespace: "shop" };
const uid = "web-1";
const startMs = Date.parse("2026-01-01T12:00:00Z");

interface Told {
  readonly az1?: Health;
  readonly since?: string;
  readonly conditions?: readonly object[];
}

/** A Service whose one part is as somebody says. */
function world(first: Told = {}) {
  let nowMs = startMs;
  const clock = {
    nowMs: () => nowMs,
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
  const listeners = new Set<(change: InsightChange) => void>();
  const objectOf = (told: Told) =>
    ({ apiVersion: "v1", kind: "Service", metadata: { ...ref, uid }, status: told }) as KubeObject & { status: Told };
  let object: ReturnType<typeof objectOf> | undefined = objectOf(first);
  const insight: Insight = {
    shown: [
      {
        kind: services,
        what: "",
        controllers: ["gateway"],
        parts: (given) => {
          const { az1 = "healthy", since } = (given as KubeObject & { status: Told }).status;
          const row = { name: "az1", health: az1, cells: [], ...(since === undefined ? {} : { since }) };
          return { noun: ["zone", "zones"], table: { title: "", nameColumn: "", columns: [], rows: [row] } };
        },
      },
    ],
    manager: () => ({ ...sampleManager, leader: "", controllers: [] }),
    objectsOf: () => (object === undefined ? [] : [object]),
    object: () => object,
    plansFor: () => [],
    log: () => [],
    readBy: () => [],
    inputsOf: () => [],
    eventsOf: () => Promise.resolve([]),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const recent = new RecentStates(insight, clock);
  return {
    recent,
    clock,
    listeners,
    change: (told: Told | undefined) => {
      object = told === undefined ? undefined : objectOf(told);
      for (const listener of listeners) listener({ type: "object", kind: services, ref });
    },
    spans: (events: readonly KubeObject[] = []) =>
      recent
        .stripsOf(services, ref, events)
        .flatMap(({ spans }) => spans.map(({ health, from, to }) => [health, clockOf(from), clockOf(to)])),
    incidents: () => recent.incidentsOf(services, ref),
  };
}
const clockOf = (time: string | undefined) => time?.slice(11, 19);
const condition = (status: string, reason: string, lastTransitionTime: string) => ({
  type: "Ready",
  status,
  reason,
  message: "",
  lastTransitionTime,
});
const bad = { conditions: [condition("False", "SomebodyElsesReason", "2026-01-01T12:00:00Z")] };
const good = { conditions: [condition("True", "AsExpected", "2026-01-01T12:00:00Z")] };

describe("how parts were in the last hour", () => {
  test("is remembered with the moments of change, and forgotten with the object", () => {
    const { change, clock, spans } = world();
    clock.advance(60_000);
    change({ az1: "degraded" });
    change({ az1: "degraded" });
    clock.advance(30_000);
    change({ az1: "healthy" });
    expect(spans()).toEqual([
      ["healthy", "12:00:00", "12:01:00"],
      ["degraded", "12:01:00", "12:01:30"],
      ["healthy", "12:01:30", undefined],
    ]);
    change(undefined);
    expect(spans()).toEqual([]);
  });

  test("begins after a restart with what the object says: since when a part is bad, or since when all is well", () => {
    expect(world({ az1: "degraded", since: "2026-01-01T11:40:00Z" }).spans()).toEqual([
      ["degraded", "11:40:00", undefined],
    ]);
    const conditions = [condition("True", "AsExpected", "2026-01-01T11:20:00Z")];
    expect(world({ conditions }).spans()).toEqual([["healthy", "11:20:00", undefined]]);
  });

  test("does not claim to know how a part was while a condition is bad", () => {
    const conditions = [condition("False", "SomebodyElsesReason", "2026-01-01T11:20:00Z")];
    expect(world({ conditions }).spans()).toEqual([["healthy", "12:00:00", undefined]]);
  });
});

/** As the engine writes them and the API server shows them. */
function event(
  health: Health,
  first: string,
  over: { last?: string; count?: number; uid?: string; parts?: string } = {},
): KubeObject {
  const { last, count = 1, parts = "az1" } = over;
  const annotations = partAnnotations({ parts: [parts], health });
  const fields = {
    eventTime: `2026-01-01T${first}Z`,
    ...(last === undefined ? {} : { series: { count, lastObservedTime: `2026-01-01T${last}Z` } }),
    ...(over.uid === undefined ? {} : { regarding: { uid: over.uid } }),
  };
  return { apiVersion: "events.k8s.io/v1", kind: "Event", metadata: { name: first, annotations }, ...fields };
}

describe("how parts were before this process started", () => {
  const well = { conditions: [condition("True", "AsExpected", "2026-01-01T11:50:00Z")] };

  test("is told by Events, up to where the object's conditions tell", () => {
    const events = [event("degraded", "11:30:00"), event("healthy", "11:20:00")];
    expect(world(well).spans(events)).toEqual([
      ["healthy", "11:20:00", "11:30:00"],
      ["degraded", "11:30:00", "11:50:00"],
      ["healthy", "11:50:00", undefined],
    ]);
  });

  test("is one span where the Event says what still is", () => {
    expect(world({ az1: "degraded" }).spans([event("degraded", "11:30:00")])).toEqual([
      ["degraded", "11:30:00", undefined],
    ]);
  });

  test("is not known where an Event happened again and again: only the first and the last time are", () => {
    const twice = [event("degraded", "11:10:00", { last: "11:20:00", count: 2 }), event("healthy", "11:12:00")];
    expect(world(well).spans(twice)).toEqual([
      ["degraded", "11:10:00", "11:12:00"],
      ["healthy", "11:12:00", "11:20:00"],
      ["degraded", "11:20:00", "11:50:00"],
      ["healthy", "11:50:00", undefined],
    ]);
    const often = [
      event("degraded", "11:10:00", { last: "11:30:00", count: 5 }),
      event("healthy", "11:12:00", { last: "11:40:00", count: 5 }),
    ];
    expect(world(well).spans(often)).toEqual([["healthy", "11:40:00", undefined]]);
  });

  test("is nothing that Events tell of other parts, of an object of that name before, or of more than an hour ago", () => {
    const events = [
      event("degraded", "11:30:00", { parts: "az2" }),
      event("degraded", "11:31:00", { uid: "of another" }),
      event("unknown", "10:30:00"),
      event("healthy", "10:40:00"),
    ];
    expect(world(well).spans(events)).toEqual([["healthy", "10:40:00", undefined]]);
  });

  test("stays known when something changes, and is what this process saw where both tell", () => {
    const { clock, change, spans } = world(well);
    clock.advance(60_000);
    change({ az1: "degraded" });
    expect(spans([event("degraded", "12:01:00"), event("degraded", "11:30:00")])).toEqual([
      ["degraded", "11:30:00", "11:50:00"],
      ["healthy", "11:50:00", "12:01:00"],
      ["degraded", "12:01:00", undefined],
    ]);
  });
});

describe("an incident", () => {
  test("is closed when the object no longer needs attention, with how long it lasted", () => {
    const { change, clock, incidents } = world(good);
    change(bad);
    clock.advance(42_000);
    expect(incidents()).toBeUndefined();
    change(good);
    expect(incidents()).toMatchObject([
      { from: "2026-01-01T12:00:00.000Z", to: "2026-01-01T12:00:42.000Z", reason: "SomebodyElsesReason" },
    ]);
    clock.advance(60 * 60_000);
    expect(incidents()).toBeUndefined();
  });

  test("stays in the list beside later ones, the latest first, and no more than a few", () => {
    const { change, clock, incidents } = world(good);
    const happens = () => {
      change(bad);
      clock.advance(60_000);
      change(good);
      clock.advance(60_000);
    };
    happens();
    happens();
    expect(incidents()?.map(({ from }) => clockOf(from))).toEqual(["12:02:00", "12:00:00"]);
    for (let more = 0; more < 8; more += 1) happens();
    expect(incidents()).toHaveLength(5);
  });

  test("that was over in a moment is none", () => {
    const { change, clock, incidents } = world(good);
    change(bad);
    clock.advance(1_000);
    change(good);
    expect(incidents()).toBeUndefined();
  });
});

test("stops listening when the server closes", () => {
  const { recent, listeners } = world();
  recent.close();
  expect(listeners.size).toBe(0);
});
