import { describe, expect, test } from "vitest";
import { informerBench } from "../../../test/support/informer-bench.ts";
import { failure } from "../../../test/support/small-kube.ts";

describe("an informer mirrors its kind", () => {
  test("delivers what is there, then every change, and holds the same", async () => {
    const { clock, kube, informer, replica, startAndSync, expectEqual } = informerBench();
    kube.put("a");
    kube.put("b");
    await startAndSync();
    kube.put("a", { size: 2 });
    kube.put("c");
    kube.remove("b");
    await clock.advance(0);
    expect(replica.changes).toEqual(["added a", "added b", "updated a", "added c", "deleted b"]);
    expect(informer.get({ namespace: "lab", name: "a" })?.spec).toEqual({ size: 2 });
    expect(informer.hasSynced()).toBe(true);
    expectEqual();
  });

  test("holds frozen objects without managedFields, unless asked to keep them", async () => {
    const { kube, informer, startAndSync } = informerBench();
    kube.put("a", { size: 1 });
    await startAndSync();
    const held = informer.list()[0];
    expect(held?.metadata).not.toHaveProperty("managedFields");
    expect(Object.isFrozen(held) && Object.isFrozen(held?.metadata) && Object.isFrozen(held?.spec)).toBe(true);

    const keeping = informerBench({ keepManagedFields: true });
    keeping.kube.put("a");
    await keeping.startAndSync();
    expect(keeping.informer.list()[0]?.metadata.managedFields).toHaveLength(1);
  });

  test("replays the store to a handler that comes late, and nothing to one that has left", async () => {
    const { clock, kube, informer, startAndSync } = informerBench();
    kube.put("a");
    await startAndSync();
    const late: string[] = [];
    const leave = informer.addHandler((change) => late.push(`${change.type} ${change.object.metadata.name}`));
    kube.put("b");
    await clock.advance(0);
    leave();
    kube.put("c");
    await clock.advance(0);
    expect(late).toEqual(["added a", "added b"]);
  });

  test("survives a handler that throws: it is logged and counted, and the others hear everything", async () => {
    let thrown = 0;
    const { clock, kube, log, informer, names, startAndSync } = informerBench({
      observer: { handlerThrew: () => (thrown += 1) },
    });
    informer.addHandler(() => {
      throw new Error("boom");
    });
    const heard: string[] = [];
    informer.addHandler(({ object }) => heard.push(object.metadata.name));
    await startAndSync();
    kube.put("a");
    kube.put("b");
    await clock.advance(0);
    expect(heard).toEqual(["a", "b"]);
    expect(names()).toEqual(["a", "b"]);
    expect(thrown).toBe(2);
    expect(log.lines.filter(({ level }) => level === "error").map(({ data }) => data["object"])).toEqual([
      "lab/a",
      "lab/b",
    ]);
  });

  test("finds objects by index, files them anew when they change, and survives an indexer that throws", async () => {
    const { clock, kube, informer, startAndSync } = informerBench();
    kube.put("a", { zone: "az1" });
    informer.addIndexer("zone", ({ spec }) => (spec?.zone === undefined ? [] : [spec.zone]));
    await startAndSync();
    kube.put("b", { zone: "az1" });
    kube.put("c", { zone: "az2" });
    await clock.advance(0);
    const zone = (value: string): readonly string[] =>
      informer.byIndex("zone", value).map(({ metadata }) => metadata.name);
    expect([zone("az1"), zone("az2")]).toEqual([["a", "b"], ["c"]]);
    kube.put("a", { zone: "az2" });
    kube.remove("c");
    await clock.advance(0);
    expect([zone("az1"), zone("az2"), zone("az3")]).toEqual([["b"], ["a"], []]);
    informer.addIndexer("broken", () => {
      throw new Error("boom");
    });
    expect(informer.byIndex("broken", "x")).toEqual([]);
    expect(() => informer.byIndex("nobody-added-this", "x")).toThrow("nobody-added-this");
    expect(() => informer.addIndexer("zone", () => [])).toThrow("zone");
  });

  test("after a stop delivers nothing more and leaves no watch and no timer behind", async () => {
    const { clock, kube, informer, replica, startAndSync } = informerBench();
    await startAndSync();
    expect(kube.openWatches).toBe(1);
    const stopped = informer.stop();
    kube.put("a");
    await clock.advance(600_000);
    await stopped;
    expect(replica.changes).toEqual([]);
    expect([kube.openWatches, clock.pendingTimers]).toEqual([0, 0]);
  });

  test("a stop in the middle of the first list delivers nothing more", async () => {
    const { clock, kube, informer } = informerBench({ streaming: false });
    kube.put("a");
    kube.put("b");
    const seen: string[] = [];
    informer.addHandler(({ object }) => {
      seen.push(object.metadata.name);
      void informer.stop();
    });
    informer.start();
    await clock.advance(1_000);
    expect(seen).toEqual(["a"]);
  });
});

describe("an informer lists in whatever way the server can", () => {
  test("uses the streaming list where asked to: one request for everything", async () => {
    const { kube, startAndSync, expectEqual } = informerBench();
    kube.put("a");
    await startAndSync();
    expect(kube.requests).toEqual(["stream"]);
    expectEqual();
  });

  test.each(["refused", "breaks", "never-ends"] as const)(
    "falls back to pages when streaming %s",
    async (streaming) => {
      const { clock, kube, informer, expectEqual } = informerBench({ pageSize: 2 });
      kube.streaming = streaming;
      for (const name of ["a", "b", "c", "d", "e"]) kube.put(name);
      informer.start();
      expect(await clock.runUntil(() => informer.state === "synced", 60_000)).toBe(true);
      expect(kube.requests.slice(0, 4)).toEqual(["stream", "list", "list", "list"]);
      kube.put("f");
      await clock.advance(0);
      expectEqual();
      // It has learned: the next relist does not try again.
      kube.compact();
      kube.bump();
      kube.compact();
      kube.cut();
      await clock.advance(1_000);
      expect(kube.requests.filter((request) => request === "stream")).toHaveLength(1);
      expectEqual();
    },
  );

  test("asks for everything at once when history is shorter than its paging", async () => {
    const { clock, kube, informer, expectEqual } = informerBench({ streaming: false, pageSize: 2 });
    for (const name of ["a", "b", "c"]) kube.put(name);
    kube.gate = (_verb, count) => {
      if (count === 2) {
        kube.bump();
        kube.compact();
      }
      return undefined;
    };
    informer.start();
    expect(await clock.runUntil(() => informer.state === "synced", 10_000)).toBe(true);
    expect(kube.requests.filter((request) => request === "list")).toHaveLength(3);
    expectEqual();
  });
});

describe("an informer never gives up", () => {
  test("goes on where it stopped after a disconnect, without a list", async () => {
    const { clock, kube, informer, replica, restarts, startAndSync, expectEqual } = informerBench();
    kube.put("a");
    await startAndSync();
    kube.muted = true;
    kube.put("b");
    kube.remove("a");
    kube.muted = false;
    kube.cut(failure("Unreachable", 0));
    await clock.advance(500);
    expect(replica.changes).toEqual(["added a", "added b", "deleted a"]);
    expect(informer.relistCount).toBe(0);
    expect(informer.state).toBe("synced");
    expect(restarts).toEqual(["unreachable"]);
    expectEqual();
  });

  test("lists again when its history is gone, and tells the difference, recreated objects too", async () => {
    const { clock, kube, informer, replica, startAndSync, expectEqual } = informerBench();
    for (const name of ["kept", "changed", "deleted", "recreated"]) kube.put(name, { size: 1 });
    await startAndSync();
    kube.muted = true;
    kube.put("changed", { size: 2 });
    kube.remove("deleted");
    kube.remove("recreated");
    kube.put("recreated", { size: 1 });
    kube.put("new");
    kube.compact();
    kube.muted = false;
    kube.cut(failure("Gone", 410));
    replica.changes.length = 0;
    await clock.advance(1_000);
    expect(replica.changes.toSorted()).toEqual(
      ["added new", "added recreated", "deleted deleted", "deleted recreated", "updated changed"].toSorted(),
    );
    expect(informer.relistCount).toBe(1);
    expectEqual();
  });

  test("delivers the last known object with a deletion that only a list revealed", async () => {
    const { clock, kube, informer, startAndSync } = informerBench();
    kube.put("a", { size: 7 });
    await startAndSync();
    const deleted: unknown[] = [];
    informer.addHandler((change) => change.type === "deleted" && deleted.push(change.object.spec));
    kube.muted = true;
    kube.remove("a");
    kube.compact();
    kube.muted = false;
    kube.cut();
    await clock.advance(1_000);
    expect(deleted).toEqual([{ size: 7 }]);
  });

  test("keeps the last known while the server is unreachable, says so, and recovers within its longest back-off", async () => {
    const { clock, kube, informer, names, startAndSync, expectEqual } = informerBench();
    kube.put("a");
    await startAndSync();
    kube.gate = () => failure("Unreachable", 0);
    kube.cut(failure("Unreachable", 0));
    await clock.advance(3_600_000 / 2);
    expect([informer.state, informer.hasSynced(), names()]).toEqual(["unreachable", true, ["a"]]);
    expect(informer.readiness()).toEqual({ ready: false, message: "widgets.example.com: scripted Unreachable" });
    const tries = kube.requests.length;
    expect(tries).toBeGreaterThan(50);
    expect(tries).toBeLessThan(150);
    kube.gate = () => undefined;
    kube.put("b");
    expect(await clock.runUntil(() => informer.state === "synced", 30_000)).toBe(true);
    await clock.advance(0);
    expectEqual();
    expect(informer.readiness().ready).toBe(true);
  });

  test("does not call one broken connection unreachable", async () => {
    const { clock, kube, informer, log, startAndSync } = informerBench();
    await startAndSync();
    const states: string[] = [];
    informer.onStateChange((state) => states.push(state));
    for (let i = 0; i < 10; i += 1) {
      kube.cut(failure("Unreachable", 0));
      await clock.advance(5_000);
    }
    expect(states).toEqual([]);
    expect(log.lines.filter(({ level }) => level !== "debug")).toEqual([]);
  });

  test("waits as long as a 429 asks for", async () => {
    const { clock, kube, informer } = informerBench();
    let turnedAway = false;
    kube.gate = () => {
      if (turnedAway) return undefined;
      turnedAway = true;
      return failure("TooManyRequests", 429, { retryAfterMs: 7_000 });
    };
    informer.start();
    await clock.advance(6_999);
    expect(kube.requests).toHaveLength(1);
    await clock.advance(1);
    expect(informer.state).toBe("synced");
  });

  test("takes a watch that is silent for longer than two bookmarks for dead", async () => {
    const { clock, kube, restarts, startAndSync, expectEqual } = informerBench();
    await startAndSync();
    for (let minute = 0; minute < 3; minute += 1) {
      await clock.advance(60_000);
      kube.bump();
      kube.bookmark();
    }
    expect(restarts).toEqual([]);
    kube.muted = true;
    kube.put("a");
    await clock.advance(74_000);
    expect(restarts).toEqual([]);
    await clock.advance(2_000);
    expect(restarts).toEqual(["idle"]);
    expectEqual();
  });

  test("does not hang on a server that accepts requests and never answers", async () => {
    const { clock, kube, informer, startAndSync, expectEqual } = informerBench();
    await startAndSync();
    kube.gate = () => "hang";
    kube.cut();
    kube.put("a");
    await clock.advance(200_000);
    kube.gate = () => undefined;
    expect(await clock.runUntil(() => informer.list().length === 1, 120_000)).toBe(true);
    expectEqual();
  });

  test.each([
    ["opens and ends at once", () => undefined],
    ["is always too old", () => failure("Gone", 410)],
    ["always breaks", () => failure("ServerError", 500)],
  ])("backs off from a watch that %s", async (_what, ending) => {
    const { clock, kube, informer } = informerBench({ streaming: false });
    informer.start();
    const breakWatches = (): void => {
      kube.cut(ending());
      clock.after(100, breakWatches);
    };
    breakWatches();
    await clock.advance(600_000);
    // Two requests an attempt, and no more than one attempt in fifteen seconds once the back-off has grown.
    expect(kube.requests.length).toBeLessThan(130);
    expect(kube.requests.length).toBeGreaterThan(30);
  });
});

describe("an informer that was disproved", () => {
  test("lists anew at once and compares contents, though resource versions say that nothing changed", async () => {
    const { clock, kube, informer, names, restarts, startAndSync, expectEqual } = informerBench();
    const { metadata } = kube.put("a", { size: 1 });
    kube.put("b");
    await startAndSync();
    kube.objects.set("a", { ...kube.put("a"), metadata, spec: { size: 7 } });
    kube.objects.delete("b");
    informer.invalidate();
    expect(informer.hasReached("1"), "until it has").toBe(false);
    await clock.advance(1_000);
    expect(names()).toEqual(["a"]);
    expect(informer.get({ namespace: "lab", name: "a" })?.spec).toEqual({ size: 7 });
    expect(restarts).toEqual(["history-replaced"]);
    expectEqual();
  });

  test("does not list again and again for a server with its own idea of versions", async () => {
    const { clock, informer, startAndSync } = informerBench();
    await startAndSync();
    for (let second = 0; second < 60; second += 1) {
      informer.invalidate();
      await clock.advance(1_000);
    }
    expect(informer.relistCount).toBeGreaterThan(2);
    expect(informer.relistCount).toBeLessThan(8);
  });

  test("has seen nothing from the moment it knows that history was replaced, also before it lists", async () => {
    const { clock, kube, informer, restarts, startAndSync, expectEqual } = informerBench();
    kube.put("a");
    const backup = kube.backup();
    kube.put("b");
    await startAndSync();
    const generation = informer.listGeneration;
    kube.restore(backup);
    while (!restarts.includes("history-replaced")) await clock.advance(5);
    expect([informer.listGeneration, informer.hasReached("1", generation)]).toEqual([generation, false]);
    await clock.advance(60_000);
    expect(informer.hasReached("1", generation)).toBe(true);
    expectEqual();
  });
});
