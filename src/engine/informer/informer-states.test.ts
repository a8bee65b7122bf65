import { describe, expect, test } from "vitest";
import { informerBench } from "../../../test/support/informer-bench.ts";
import { failure } from "../../../test/support/small-kube.ts";

describe("a kind that the server does not serve", () => {
  test("is said to be missing, looked for again and again, and mirrored once it appears", async () => {
    const { clock, kube, informer, names } = informerBench();
    kube.definitionExists = false;
    informer.start();
    await clock.advance(600_000);
    expect([informer.state, informer.hasSynced(), informer.hasSettled()]).toEqual(["not-served", false, true]);
    expect(informer.readiness().message).toContain("no CustomResourceDefinition");
    kube.definitionExists = true;
    kube.put("a");
    expect(await clock.runUntil(() => informer.hasSynced(), 30_000)).toBe(true);
    expect(names()).toEqual(["a"]);
  });

  test("is found at once when its definition appears or comes to serve the version, and soon when that takes a moment", async () => {
    const { clock, kube, informer } = informerBench();
    kube.definitionExists = false;
    informer.start();
    await clock.advance(600_000);
    kube.servedVersions = ["v2"];
    kube.definitionExists = true;
    await clock.advance(0);
    expect(informer.readiness().message).toContain("only v2");
    kube.slowToServe = true;
    kube.servedVersions = ["v1", "v2"];
    await clock.advance(500);
    expect(informer.state).toBe("not-served");
    kube.slowToServe = false;
    await clock.advance(2_000);
    expect(informer.state).toBe("synced");
    expect(kube.openDefinitionWatches).toBe(0);
  });

  test("is found by its back-off where definitions may not be watched, without asking for that right again and again", async () => {
    const { clock, kube, informer } = informerBench();
    kube.definitionExists = false;
    kube.definitionsWatchable = false;
    informer.start();
    await clock.advance(600_000);
    expect(kube.requests.filter((request) => request === "watch definition")).toHaveLength(1);
    kube.definitionExists = true;
    await clock.advance(0);
    expect(informer.state).toBe("not-served");
    expect(await clock.runUntil(() => informer.hasSynced(), 30_000)).toBe(true);
  });

  test("is waited for without leaving a watch behind", async () => {
    const { clock, kube, informer } = informerBench();
    kube.definitionExists = false;
    informer.start();
    await clock.advance(600_000);
    expect(kube.openDefinitionWatches).toBe(1);
    const stopped = informer.stop();
    await clock.advance(0);
    await stopped;
    expect([kube.openDefinitionWatches, clock.pendingTimers]).toEqual([0, 0]);
  });

  test("takes its objects with it when its definition is deleted", async () => {
    const { clock, kube, informer, replica, names, startAndSync, expectEqual } = informerBench();
    kube.put("a");
    await startAndSync();
    kube.definitionExists = false;
    kube.cut();
    await clock.advance(5_000);
    expect([informer.state, names(), replica.changes]).toEqual(["not-served", [], ["added a", "deleted a"]]);
    kube.definitionExists = true;
    kube.put("a", { size: 2 });
    await clock.advance(30_000);
    expectEqual();
  });

  test.each([
    ["its definition is still there", { definitionReadable: true, servedVersions: [] }, "only none"],
    ["its definition serves another version", { definitionReadable: true, servedVersions: ["v2"] }, "only v2"],
    ["its definition cannot be read", { definitionReadable: false, servedVersions: ["v2"] }, "cannot be read"],
  ])("keeps its last known objects while %s: unknown is not absent", async (_case, server, message) => {
    const { clock, kube, informer, replica, names, startAndSync } = informerBench();
    kube.put("a");
    await startAndSync();
    Object.assign(kube, server);
    kube.cut();
    await clock.advance(60_000);
    expect([informer.state, names(), replica.changes]).toEqual(["not-served", ["a"], ["added a"]]);
    expect(informer.readiness().message).toContain(message);
  });

  test("is read in another version that will do, and handlers see it in that version", async () => {
    const { clock, kube, informer, replica, startAndSync } = informerBench({ versions: ["v1", "v1beta2"] });
    kube.servedVersions = ["v1", "v1beta2"];
    kube.put("a");
    await startAndSync();
    expect(informer.list()[0]?.apiVersion).toBe("example.com/v1");
    kube.servedVersions = ["v1beta2"];
    kube.cut();
    await clock.advance(1_000);
    expect([informer.state, informer.list()[0]?.apiVersion]).toEqual(["synced", "example.com/v1beta2"]);
    expect(replica.changes).toEqual(["added a", "updated a"]);
    kube.servedVersions = ["v1"];
    kube.cut();
    await clock.advance(1_000);
    expect([informer.state, informer.list()[0]?.apiVersion]).toEqual(["synced", "example.com/v1"]);
  });
});

describe("a kind that the server does not let us see", () => {
  test("is said to be forbidden, and mirrored once a role allows it", async () => {
    const { clock, kube, informer, names } = informerBench();
    kube.put("a");
    kube.gate = () => failure("Forbidden", 403);
    informer.start();
    await clock.advance(600_000);
    expect([informer.state, informer.hasSynced(), informer.hasSettled()]).toEqual(["forbidden", false, true]);
    kube.gate = () => undefined;
    expect(await clock.runUntil(() => informer.hasSynced(), 30_000)).toBe(true);
    expect(names()).toEqual(["a"]);
  });

  test("keeps its last known objects when the right is withdrawn, without flapping when only lists are allowed", async () => {
    const { clock, kube, informer, names, startAndSync } = informerBench();
    kube.put("a");
    await startAndSync();
    const states: string[] = [];
    informer.onStateChange((state) => states.push(state));
    kube.gate = (verb) => (verb === "watch" ? failure("Forbidden", 403) : undefined);
    kube.cut();
    await clock.advance(600_000);
    expect([states, names()]).toEqual([["forbidden"], ["a"]]);
  });
});

describe("a server restored from a backup", () => {
  test("is mirrored as it is now, although its resource versions went back", async () => {
    const { clock, kube, informer, replica, startAndSync, expectEqual } = informerBench();
    kube.put("old", { size: 1 });
    const backup = kube.backup();
    kube.put("old", { size: 2 });
    kube.put("lost");
    await startAndSync();
    kube.restore(backup);
    await clock.advance(1_000);
    expect(replica.changes).toEqual(["added old", "added lost", "updated old", "deleted lost"]);
    expect(informer.lastResourceVersion).toBe(String(kube.version));
    kube.put("next");
    await clock.advance(0);
    expectEqual();
  });

  test("is believed even when one version now stands for another state", async () => {
    const { clock, kube, startAndSync, expectEqual } = informerBench();
    kube.put("a", { size: 1 });
    const backup = kube.backup();
    kube.put("a", { size: 2 });
    kube.bump(5);
    kube.bookmark();
    await startAndSync();
    kube.restore(backup);
    kube.put("a", { size: 3 });
    await clock.advance(1_000);
    expectEqual();
  });

  test("is noticed by a bookmark or an event of the past, should the connection have survived", async () => {
    const { clock, kube, restarts, startAndSync, expectEqual } = informerBench();
    kube.put("a", { size: 1 });
    await startAndSync();
    kube.bump(-50);
    kube.bookmark();
    // This server hides events of the past, as the real one does; the next reconnect finds out.
    kube.cut();
    await clock.advance(1_000);
    expect(restarts).toContain("history-replaced");
    expectEqual();
  });

  test("is healed by the hourly list when no version tells", async () => {
    const { clock, kube, startAndSync, expectEqual } = informerBench();
    kube.put("a");
    const backup = kube.backup();
    kube.put("lost");
    await startAndSync();
    kube.restore(backup);
    kube.bump(50);
    for (let minutes = 0; minutes < 70; minutes += 5) {
      kube.cut();
      await clock.advance(300_000);
    }
    expectEqual();
  });
});

describe("an informer knows how far it has come", () => {
  test("has seen a write when its watch has passed it", async () => {
    const { clock, kube, informer, startAndSync } = informerBench();
    await startAndSync();
    const generation = informer.listGeneration;
    kube.muted = true;
    const { resourceVersion = "" } = kube.put("a").metadata;
    expect(informer.hasReached(resourceVersion, generation)).toBe(false);
    const seen = informer.waitForResourceVersion(resourceVersion, { timeoutMs: 10_000, generation });
    kube.muted = false;
    kube.cut();
    await clock.advance(1_000);
    expect(await seen).toBe(true);
    expect(clock.monotonicMs()).toBe(1_000);
  });

  test("has seen a write when a list that began later is complete, whatever the versions say", async () => {
    const { clock, kube, informer, startAndSync } = informerBench();
    const backup = kube.backup();
    kube.bump(1_000);
    await startAndSync();
    const generation = informer.listGeneration;
    kube.restore(backup);
    await clock.advance(1_000);
    expect(informer.hasReached("1100", generation)).toBe(true);
    expect(informer.hasReached("1100")).toBe(false);
  });

  test("stops waiting for a version on time, on abort and on stop", async () => {
    const { clock, informer, startAndSync } = informerBench();
    await startAndSync();
    const abort = new AbortController();
    const waits = [
      informer.waitForResourceVersion("99999", { timeoutMs: 500 }),
      informer.waitForResourceVersion("99999", { timeoutMs: 60_000, signal: abort.signal }),
      informer.waitForResourceVersion("99999", { timeoutMs: 60_000 }),
    ];
    await clock.advance(500);
    abort.abort();
    await informer.stop();
    expect(await Promise.all(waits)).toEqual([false, false, false]);
  });
});
