import { describe, expect, test } from "vitest";
import { services } from "../apis/builtin-kinds.ts";
import type { KubeObject } from "../apis/kube-object.ts";
import type { Insight } from "../ports/insight.ts";
import { VirtualClock } from "../sim/virtual-clock.ts";
import { openAccess } from "./access.ts";
import { ChangeRing } from "./change-ring.ts";
import { sampleManager } from "./contract-sample.ts";
import { StreamSession, type StreamSink } from "./stream-session.ts";
import { ViewerWorld } from "./viewer-world.ts";

/** A reader whose buffer is full after so many messages. */
class SlowSink implements StreamSink {
  readonly written: string[] = [];
  readonly room: number;
  state: "open" | "ended" | "destroyed" = "open";
  ready: () => void = () => {};
  readonly listeners: (() => void)[] = [];

  constructor(room: number) {
    this.room = room;
  }

  write(text: string): boolean {
    this.written.push(text);
    return this.written.length < this.room;
  }

  onReady(listener: () => void): void {
    this.ready = listener;
  }

  onClosed(listener: () => void): void {
    this.listeners.push(listener);
  }

  closed(): void {
    for (const listener of this.listeners) listener();
  }

  end(): void {
    this.state = "ended";
    this.closed();
  }

  destroy(): void {
    this.state = "destroyed";
  }
}

function session(sink: SlowSink, ring = new ChangeRing()) {
  const clock = new VirtualClock();
  const object: KubeObject = { apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace: "shop" } };
  const insight: Insight = {
    shown: [{ kind: services, what: "", controllers: ["gateway"] }],
    manager: () => ({ ...sampleManager, leader: "", controllers: [] }),
    objectsOf: () => [object],
    object: () => object,
    plansFor: () => [],
    log: () => [],
    readBy: () => [],
    inputsOf: () => [],
    eventsOf: () => Promise.resolve([]),
    subscribe: () => () => {},
  };
  const running = new StreamSession({
    ring,
    boot: "b",
    sink,
    clock,
    viewer: () => openAccess.viewerOf(undefined),
    worldOf: (viewer) => new ViewerWorld(insight, viewer),
    manager: () => sampleManager,
    faults: () => ({ enabled: false, faults: [] }),
  });
  const change = (name: string): void =>
    ring.push({ type: "object", kind: services, ref: { name, namespace: "shop" } });
  return { clock, ring, running, ended: running.run(), change };
}

describe("a slow reader", () => {
  test("is written nothing while it is behind, and gets what it missed when it has caught up", async () => {
    const sink = new SlowSink(1);
    const { clock, change, running } = session(sink);
    await clock.advance(0);
    for (let index = 0; index < 50; index += 1) change("web");
    await clock.advance(5_000);
    expect(sink.written).toHaveLength(1);
    sink.ready();
    await clock.advance(0);
    // Fifty changes of one object are one message.
    expect(sink.written).toHaveLength(2);
    running.stop();
    await clock.advance(0);
  });

  test("is dropped when it stays behind for half a minute", async () => {
    const sink = new SlowSink(1);
    const { clock, change, ended } = session(sink);
    await clock.advance(0);
    change("web");
    await clock.advance(29_000);
    expect(sink.state).toBe("open");
    await clock.advance(2_000);
    await ended;
    expect([sink.state, sink.written.length]).toEqual(["destroyed", 1]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("is told to begin again when more was missed than is remembered", async () => {
    const sink = new SlowSink(1);
    const { clock, change, ended } = session(sink, new ChangeRing(10));
    await clock.advance(0);
    for (let index = 0; index < 100; index += 1) change(`web-${index}`);
    sink.ready();
    await clock.advance(0);
    await ended;
    expect(sink.written.at(-1)).toContain('"code":"too-slow"');
    expect(sink.state).toBe("ended");
  });

  test("that goes away leaves nothing behind", async () => {
    const sink = new SlowSink(1_000);
    const { clock, ended } = session(sink);
    await clock.advance(0);
    sink.closed();
    await clock.advance(0);
    await ended;
    expect(clock.pendingTimers).toBe(0);
  });
});
