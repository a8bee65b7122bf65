import { describe, expect, test } from "vitest";
import { sampleManager } from "../../../test/server/contract-sample.ts";
import { viewerOf } from "../../../test/support/sample-insight.ts";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { services } from "../../apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { systemOpaqueIds } from "../../drivers/system/system-opaque-ids.ts";
import type { Insight } from "../../ports/insight.ts";
import type { OpaqueIds } from "../../ports/opaque-ids.ts";
import { type StreamMessage, splitStream } from "../contract.ts";
import { ViewerWorld } from "../read-api/viewer-world.ts";
import { ChangeRing } from "./change-ring.ts";
import { StreamSession, type StreamSink } from "./stream-session.ts";

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

class CountedRing extends ChangeRing {
  listeners = 0;

  override subscribe(listener: () => void): () => void {
    this.listeners += 1;
    const stop = super.subscribe(listener);
    return () => {
      this.listeners -= 1;
      stop();
    };
  }
}

interface Given {
  readonly ring?: ChangeRing;
  readonly opaqueIds?: OpaqueIds;
  readonly lastEventId?: string | undefined;
  /** As `viewerOf` takes them. */
  readonly rights?: readonly string[];
}

function session(
  sink: SlowSink,
  { ring = new ChangeRing(), opaqueIds = systemOpaqueIds(), lastEventId, rights = ["services"] }: Given = {},
) {
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
  /** `onAsk`: whenever the session looks at what the viewer may see. */
  const said = { manager: sampleManager, onAsk: () => {} };
  const running = new StreamSession({
    ring,
    opaqueIds,
    sink,
    clock,
    viewer: async () => {
      const viewer = viewerOf(...rights);
      return { ...viewer, mayList: (kind, namespace) => (said.onAsk(), viewer.mayList(kind, namespace)) };
    },
    lastEventId,
    worldOf: (viewer) => new ViewerWorld({ insight, opaqueIds }, viewer),
    manager: () => said.manager,
    faults: () => ({ enabled: false, faults: [] }),
  });
  const change = (name: string): void =>
    ring.push({ type: "object", kind: services, ref: { name, namespace: "shop" } });
  return { clock, ring, running, ended: running.run(), change, said };
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
    const { clock, change, ended } = session(sink, { ring: new ChangeRing(10) });
    await clock.advance(0);
    for (let index = 0; index < 100; index += 1) change(`web-${index}`);
    await clock.advance(5_000);
    expect(sink.state).toBe("open");
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

const messagesOf = (sink: SlowSink): readonly StreamMessage[] => splitStream(sink.written.join("")).messages;
const plenty = 10_000;

test("a reader gets one message at a time when that is all it has room for, and none is lost", async () => {
  const sink = new SlowSink(1);
  const { clock, change, running } = session(sink);
  await clock.advance(0);
  for (const name of ["a", "b", "c"]) change(name);
  for (let taken = 1; taken <= 3; taken += 1) {
    sink.ready();
    await clock.advance(0);
    expect(sink.written).toHaveLength(1 + taken);
  }
  running.stop();
  await clock.advance(0);
});

test("many changes of one object are one message, and the order of the rest stays", async () => {
  const sink = new SlowSink(plenty);
  const { clock, change, ring, running } = session(sink);
  await clock.advance(0);
  for (const name of ["a", "b", "a", "a"]) change(name);
  ring.push({ type: "faults" });
  ring.push({ type: "faults" });
  await clock.advance(0);
  expect(messagesOf(sink).map(({ type }) => type)).toEqual(["snapshot", "object", "object", "faults"]);
  running.stop();
  await clock.advance(0);
});

test("nothing is written to a reader who left while it was looked up", async () => {
  const sink = new SlowSink(plenty);
  const { clock, change, said, ended } = session(sink);
  await clock.advance(0);
  const before = sink.written.length;
  said.onAsk = () => sink.closed();
  change("web");
  await clock.advance(0);
  await ended;
  expect(sink.written).toHaveLength(before);
});

test("a busy stream tells of a manager that changed without news, too", async () => {
  const sink = new SlowSink(plenty);
  const { clock, change, said, running } = session(sink);
  await clock.advance(0);
  said.manager = { ...sampleManager, ready: false };
  for (let second = 0; second < 15; second += 1) {
    change(`web-${second}`);
    await clock.advance(1_000);
  }
  const types = messagesOf(sink).map(({ type }) => type);
  expect([types.includes("manager"), types.includes("heartbeat")]).toEqual([true, false]);
  running.stop();
  await clock.advance(0);
});

test("a reader that takes the last words and never closes is closed after half a minute", async () => {
  const sink = new SlowSink(plenty);
  const { clock, running, ended } = session(sink);
  sink.end = () => void (sink.state = "ended");
  await clock.advance(0);
  running.stop();
  await clock.advance(0);
  await ended;
  expect(sink.state).toBe("ended");
  await clock.advance(30_000);
  expect(sink.state).toBe("destroyed");
});

test("a stream that is over listens no more and has no timer left", async () => {
  const ring = new CountedRing();
  const sink = new SlowSink(plenty);
  const { clock, running, ended } = session(sink, { ring });
  await clock.advance(0);
  expect(ring.listeners).toBe(1);
  running.stop();
  await clock.advance(0);
  await ended;
  expect([ring.listeners, clock.pendingTimers]).toEqual([0, 0]);
});

describe("ids", () => {
  test("lead back to where a reader was, for the same rights and in the same server only", async () => {
    const [ring, opaqueIds] = [new ChangeRing(), systemOpaqueIds()];
    const first = new SlowSink(plenty);
    const { clock, change, running } = session(first, { ring, opaqueIds });
    await clock.advance(0);
    change("web");
    await clock.advance(0);
    running.stop();
    await clock.advance(0);
    const [, last] = messagesOf(first);
    change("later");
    const typesAfter = async (given: Given) => {
      const sink = new SlowSink(plenty);
      const again = session(sink, { ring, opaqueIds, ...given });
      await again.clock.advance(0);
      again.running.stop();
      await again.clock.advance(0);
      return messagesOf(sink).map(({ type }) => type);
    };
    const id = last?.id;
    expect(await typesAfter({ lastEventId: id })).toEqual(["manager", "heartbeat", "object"]);
    const anew = ["snapshot"];
    expect(await typesAfter({ lastEventId: undefined })).toEqual(anew);
    expect(await typesAfter({ lastEventId: id, rights: ["services/shop"] })).toEqual(anew);
    expect(await typesAfter({ lastEventId: id, opaqueIds: systemOpaqueIds() })).toEqual(anew);
    expect(await typesAfter({ lastEventId: id?.split(".")[0] })).toEqual(anew);
    expect(await typesAfter({ lastEventId: id, ring: new ChangeRing() })).toEqual(anew);
  });

  test("tell a reader nothing of what happens beside its own messages", async () => {
    const idsWhile = async (hiddenChanges: number) => {
      const sink = new SlowSink(plenty);
      const { clock, ring, running } = session(sink, { rights: ["services/shop"] });
      for (let beat = 0; beat < 4; beat += 1) {
        for (let index = 0; index < hiddenChanges; index += 1)
          ring.push({ type: "object", kind: services, ref: { name: `x${index}`, namespace: "bank" } });
        await clock.advance(10_000);
      }
      running.stop();
      await clock.advance(0);
      expect(messagesOf(sink).map(({ type }) => type)).toEqual(["snapshot", ...Array(4).fill("heartbeat")]);
      return messagesOf(sink).map(({ id }) => id.split(".")[0] ?? "");
    };
    for (const ids of [await idsWhile(0), await idsWhile(25)]) {
      // Each is another one, whether anything happened or not, and none is longer than the others.
      expect(new Set(ids).size).toBe(ids.length);
      expect(new Set(ids.map(({ length }) => length))).toEqual(new Set([48]));
    }
  });
});

test("a manager that changed without news is told of within ten seconds, and once", async () => {
  const sink = new SlowSink(plenty);
  const { clock, said, running } = session(sink);
  await clock.advance(4_000);
  said.manager = { ...sampleManager, ready: false };
  await clock.advance(30_000);
  const managers = messagesOf(sink).flatMap((message) => (message.type === "manager" ? [message.manager.ready] : []));
  expect(managers).toEqual([false]);
  running.stop();
  await clock.advance(0);
});

test("a reader who is behind is told of the manager later, and not never", async () => {
  const sink = new SlowSink(1);
  const { clock, said, running } = session(sink);
  await clock.advance(0);
  said.manager = { ...sampleManager, ready: false };
  await clock.advance(12_000);
  sink.ready();
  await clock.advance(10_000);
  expect(messagesOf(sink).map(({ type }) => type)).toContain("manager");
  running.stop();
  await clock.advance(0);
});
