import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { configMaps, namespaces, services } from "../../apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { listEverything } from "../../engine/round/list-everything.ts";
import type { Fence, Kube, WatchEvent } from "../../ports/kube.ts";
import type { KubeHttpRequest, KubeHttpResponse, SendOptions } from "../../ports/kube-transport.ts";
import { abortReason } from "../http/deadline.ts";
import type { RequestObservation } from "./call.ts";
import { type KubeClientOptions, kubeClient } from "./client.ts";

type Answer = Partial<KubeHttpResponse> & { readonly json?: unknown };
type Server = (request: KubeHttpRequest, options: SendOptions) => Answer | "silence" | Promise<Answer>;

const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", namespace: "shop" } };
const ref = { name: "x", namespace: "shop" };

async function* bytes(...texts: readonly string[]): AsyncGenerator<Uint8Array, void> {
  for (const text of texts) yield Buffer.from(text);
}

/** A client in virtual time, and every request that left it. */
function world(server: Server, options: Partial<KubeClientOptions> = {}) {
  const clock = new VirtualClock();
  const sent: (KubeHttpRequest & { readonly atMs: number })[] = [];
  const observed: RequestObservation[] = [];
  const transport = {
    async send(request: KubeHttpRequest, sending: SendOptions = {}): Promise<KubeHttpResponse> {
      sending.signal?.throwIfAborted();
      sending.beforeSend?.();
      sent.push({ ...request, atMs: clock.monotonicMs() });
      const answer = await server(request, sending);
      if (answer === "silence") return untilAborted(sending.signal);
      const { json = object, status = 200, headers = {}, body = bytes(JSON.stringify(json)) } = answer;
      return { status, headers: { "content-type": "application/json", ...headers }, body };
    },
    close: async () => {},
  };
  const kube = kubeClient({ transport, clock, onRequest: (each) => observed.push(each), ...options });
  return { clock, kube, sent, observed };
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(abortReason(signal)));
  });
}

/** A body that yields these texts and then nothing, for ever. */
function endless(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  return (async function* () {
    yield* bytes(...texts);
    await new Promise(() => {});
  })();
}

/** Runs virtual time until the promise settles. */
async function settle<T>(clock: VirtualClock, promise: Promise<T>, maxMs = 600_000): Promise<T> {
  let settled = false;
  const mark = () => {
    settled = true;
  };
  promise.then(mark, mark);
  await clock.runUntil(() => settled, maxMs);
  if (!settled) throw new Error(`still not settled after ${maxMs} ms`);
  return promise;
}

describe("requests on the wire", () => {
  const wire = async (call: (kube: Kube) => Promise<unknown>) => {
    const { kube, sent } = world(() => ({}));
    await call(kube);
    return sent[0];
  };

  it("encodes names and selectors", async () => {
    const query = { namespace: "shop", labelSelector: "a in (b,c),!d", fieldSelector: "metadata.name=x&y", limit: 5 };
    const request = await wire((kube) => kube.list(configMaps, query));
    const url = new URL(`http://x${request?.path}`);
    expect(url.pathname).toBe("/api/v1/namespaces/shop/configmaps");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      labelSelector: "a in (b,c),!d",
      fieldSelector: "metadata.name=x&y",
      limit: "5",
    });
    expect((await wire((kube) => kube.get(namespaces, { name: "a/b?c" })))?.path).toBe("/api/v1/namespaces/a%2Fb%3Fc");
  });

  it("writes as mainstay unless another field manager is named", async () => {
    const patch = { type: "merge" as const, body: {} };
    const own = await wire((kube) => kube.patch(configMaps, ref, patch));
    expect(own?.path).toBe("/api/v1/namespaces/shop/configmaps/x?fieldManager=mainstay");
    const other = await wire((kube) =>
      kube.patch(configMaps, ref, patch, { fieldManager: "m", subresource: "status" }),
    );
    expect(other?.path).toBe("/api/v1/namespaces/shop/configmaps/x/status?fieldManager=m");
  });

  it("gives each kind of patch its content type", async () => {
    const typeOf = async (type: "merge" | "strategic" | "json") => {
      const request = await wire((kube) => kube.patch(configMaps, ref, { type, body: [] }));
      return request?.headers["content-type"];
    };
    expect(await typeOf("merge")).toBe("application/merge-patch+json");
    expect(await typeOf("strategic")).toBe("application/strategic-merge-patch+json");
    expect(await typeOf("json")).toBe("application/json-patch+json");
    const applied = await wire((kube) => kube.apply(configMaps, object, { fieldManager: "m", force: true }));
    expect(applied).toMatchObject({
      method: "PATCH",
      path: "/api/v1/namespaces/shop/configmaps/x?fieldManager=m&force=true",
      headers: { "content-type": "application/apply-patch+yaml" },
    });
  });

  it("asks for bookmarks in every watch, and for a streaming list only when told to", async () => {
    const { kube, sent } = world(() => ({ body: bytes() }));
    for await (const _ of kube.watch(configMaps, { resourceVersion: "7" }));
    for await (const _ of kube.watch(configMaps, { sendInitialEvents: true }));
    expect(sent.map(({ path }) => path)).toEqual([
      "/api/v1/configmaps?watch=true&allowWatchBookmarks=true&resourceVersion=7",
      "/api/v1/configmaps?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
    ]);
  });

  it("refuses, unsent, what no server could mean", async () => {
    const { kube, sent } = world(() => ({}));
    const refused = { code: "BadRequest" };
    await expect(kube.get(configMaps, { name: "x" })).rejects.toMatchObject(refused);
    await expect(kube.get(namespaces, { name: "x", namespace: "shop" })).rejects.toMatchObject(refused);
    await expect(kube.get(namespaces, { name: "" })).rejects.toMatchObject(refused);
    await expect(kube.get(namespaces, { name: ".." })).rejects.toMatchObject(refused);
    expect(sent).toEqual([]);
  });
});

describe("answers", () => {
  it("fills in what list items of built-in kinds leave out", async () => {
    const items = [{ metadata: { name: "a" } }];
    const { kube } = world(() => ({ json: { metadata: { resourceVersion: "9" }, items } }));
    const list = await kube.list(services);
    expect(list).toEqual({
      resourceVersion: "9",
      items: [{ apiVersion: "v1", kind: "Service", metadata: { name: "a" } }],
    });
  });

  it("takes a list without items for an empty one", async () => {
    const { kube } = world(() => ({ json: { metadata: { resourceVersion: "9" }, items: null } }));
    expect((await kube.list(services)).items).toEqual([]);
  });

  it.each(["<html>", "[]", '"text"', "{}"])("says ServerError when %s comes for an object", async (text) => {
    const { kube } = world(() => ({ body: bytes(text) }));
    await expect(kube.get(configMaps, ref)).rejects.toMatchObject({ code: "ServerError" });
  });
});

describe("deadlines", () => {
  it("strike when no answer comes, 30 s by default", async () => {
    const { clock, kube } = world(() => "silence");
    const error = await settle(
      clock,
      kube.get(configMaps, ref).catch((each: unknown) => each),
    );
    expect(error).toMatchObject({ code: "Timeout" });
    expect(clock.monotonicMs()).toBe(30_000);
  });

  it("cover the body too", async () => {
    const { clock, kube } = world(() => ({ body: endless("{") }));
    const error = await settle(
      clock,
      kube.get(configMaps, ref, { deadlineMs: 500 }).catch((each: unknown) => each),
    );
    expect(error).toMatchObject({ code: "Timeout" });
    expect(clock.monotonicMs()).toBe(500);
  });

  it("leave no timer behind when an answer came", async () => {
    const { clock, kube } = world(() => ({}));
    await kube.get(configMaps, ref);
    await expect(kube.request({ method: "GET", path: "/version" })).resolves.toEqual(object);
    expect(clock.pendingTimers).toBe(0);
  });

  it("give way to the caller's own signal", async () => {
    const { clock, kube } = world(() => "silence");
    const controller = new AbortController();
    const reading = kube.get(configMaps, ref, { signal: controller.signal }).catch((each: unknown) => each);
    controller.abort();
    expect(await settle(clock, reading)).toMatchObject({
      code: "Timeout",
      message: expect.stringContaining("the caller aborted the call"),
    });
    expect(clock.monotonicMs()).toBe(0);
  });
});

describe("a server that asks us to slow down", () => {
  const busy: Answer = { status: 429, headers: { "retry-after": "2" }, json: { kind: "Status", message: "slow" } };

  it("is asked again after the time it named, reads and writes alike", async () => {
    const answers = [busy, busy, {}, busy, {}];
    const { clock, kube, sent } = world(() => answers.shift() ?? {});
    await settle(clock, kube.get(configMaps, ref));
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 2_000, 4_000]);
    await settle(clock, kube.create(configMaps, object));
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 2_000, 4_000, 4_000, 6_000]);
  });

  it("is reported with its delay when the deadline comes before", async () => {
    const { clock, kube, sent } = world(() => busy);
    const reading = kube.get(configMaps, ref, { deadlineMs: 3_000 }).catch((each: unknown) => each);
    expect(await settle(clock, reading)).toMatchObject({ code: "TooManyRequests", retryAfterMs: 2_000 });
    expect(sent).toHaveLength(2);
  });

  it("is not asked for ever", async () => {
    const { clock, kube, sent } = world(() => ({ ...busy, headers: { "retry-after": "0" } }));
    const reading = kube.get(configMaps, ref).catch((each: unknown) => each);
    expect(await settle(clock, reading)).toMatchObject({ code: "TooManyRequests" });
    expect(sent).toHaveLength(10);
  });

  it("is not asked again when it named no time", async () => {
    const { kube, sent } = world(() => ({ ...busy, headers: {} }));
    await expect(kube.get(configMaps, ref)).rejects.toMatchObject({ code: "TooManyRequests" });
    expect(sent).toHaveLength(1);
  });

  it("gets no second write after an error that may have had its effect", async () => {
    const { kube, sent } = world(() => ({ status: 503, headers: { "retry-after": "1" }, json: {} }));
    await expect(kube.create(configMaps, object)).rejects.toMatchObject({ code: "ServerError", retryAfterMs: 1_000 });
    expect(sent).toHaveLength(1);
  });
});

describe("a connection that died unseen", () => {
  const reset = () => Promise.reject(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));

  it("does not fail a read: it is asked once more, on another connection", async () => {
    const { kube, sent } = world(() => (sent.length === 1 ? reset() : {}));
    expect(await kube.get(configMaps, ref)).toMatchObject(object);
    expect(sent).toHaveLength(2);
  });

  it("fails a read when the next one dies too", async () => {
    const { kube, sent } = world(reset);
    await expect(kube.get(configMaps, ref)).rejects.toMatchObject({ code: "Unreachable" });
    expect(sent).toHaveLength(2);
  });

  it("fails a write at once: it may have had its effect", async () => {
    const { kube, sent } = world(reset);
    await expect(kube.create(configMaps, object)).rejects.toMatchObject({ code: "Unreachable" });
    expect(sent).toHaveLength(1);
  });
});

describe("the fence", () => {
  const leaseOf = (clock: VirtualClock, ms: number): Fence => ({ remainingMs: () => ms - clock.monotonicMs() });

  it("sends nothing when the lease runs out while the rate limit holds the write back", async () => {
    const { clock, kube, sent } = world(() => ({}), { rateLimit: { qps: 1, burst: 1 } });
    await kube.get(configMaps, ref);
    const writing = kube.create(configMaps, object, { fence: leaseOf(clock, 500) }).catch((each: unknown) => each);
    expect(await settle(clock, writing)).toMatchObject({ reason: "LeadershipLost" });
    await clock.advance(10_000);
    expect(sent).toHaveLength(1);
  });

  it("sends nothing again after a 429 when the lease runs out meanwhile", async () => {
    const { clock, kube, sent } = world(() => ({ status: 429, headers: { "retry-after": "1" }, json: {} }));
    let leading = true;
    const fence = { remainingMs: () => (leading ? 60_000 : 0) };
    const writing = kube.create(configMaps, object, { fence }).catch((each: unknown) => each);
    await clock.advance(500);
    leading = false;
    expect(await settle(clock, writing)).toMatchObject({ reason: "LeadershipLost" });
    expect(sent).toHaveLength(1);
  });

  it("sends nothing after a pause of the process that the timers have not noticed yet", async () => {
    const { clock, kube, sent } = world(() => ({}), { rateLimit: { qps: 1, burst: 1 } });
    await kube.get(configMaps, ref);
    const writing = kube.create(configMaps, object, { fence: leaseOf(clock, 5_000) }).catch((each: unknown) => each);
    clock.pause();
    await clock.advance(60_000);
    clock.resume();
    expect(await settle(clock, writing)).toMatchObject({ reason: "LeadershipLost" });
    expect(sent).toHaveLength(1);
  });

  it("shortens the deadline of a write to what is left of the lease", async () => {
    const { clock, kube, sent } = world(() => "silence");
    const writing = kube.create(configMaps, object, { fence: leaseOf(clock, 4_000) }).catch((each: unknown) => each);
    expect(await settle(clock, writing)).toMatchObject({
      code: "Timeout",
      message: expect.stringContaining("may or may not"),
    });
    expect(clock.monotonicMs()).toBe(4_000);
    expect(sent).toHaveLength(1);
  });
});

describe("the rate limit", () => {
  it("holds calls to the rate, and events of a watch not at all", async () => {
    const event = JSON.stringify({ type: "ADDED", object });
    const server: Server = ({ path }) => (path.includes("watch") ? { body: bytes(`${event}\n`.repeat(50)) } : {});
    const { clock, kube, sent } = world(server, { rateLimit: { qps: 2, burst: 1 } });
    let events = 0;
    for await (const _ of kube.watch(configMaps, {})) events += 1;
    expect(events).toBe(50);
    await settle(clock, Promise.all([kube.get(configMaps, ref), kube.get(configMaps, ref)]));
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 500, 1_000]);
  });

  it("lets a call time out in its queue", async () => {
    const { clock, kube, sent } = world(() => ({}), { rateLimit: { qps: 0.1, burst: 1 } });
    await kube.get(configMaps, ref);
    const waiting = kube.get(configMaps, ref, { deadlineMs: 1_000 }).catch((each: unknown) => each);
    expect(await settle(clock, waiting)).toMatchObject({ code: "Timeout" });
    expect(sent).toHaveLength(1);
  });
});

describe("watches", () => {
  const line = (type: string, more: unknown = object) => `${JSON.stringify({ type, object: more })}\n`;
  const bookmark = { metadata: { resourceVersion: "8", annotations: { "k8s.io/initial-events-end": "true" } } };

  async function drain(
    kube: Kube,
    options: Parameters<Kube["watch"]>[2] = {},
  ): Promise<readonly WatchEvent<KubeObject>[]> {
    const events: WatchEvent<KubeObject>[] = [];
    for await (const event of kube.watch(configMaps, {}, options)) events.push(event);
    return events;
  }

  it("deliver events and bookmarks and end when the server ends", async () => {
    const { clock, kube } = world(() => ({ body: bytes(line("ADDED"), line("BOOKMARK", bookmark), line("DELETED")) }));
    expect(await drain(kube)).toEqual([
      { type: "ADDED", object },
      { type: "BOOKMARK", resourceVersion: "8", initialEventsEnd: true },
      { type: "DELETED", object },
    ]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("turn an error in the stream into a KubeError", async () => {
    const gone = { kind: "Status", code: 410, reason: "Expired", message: "too old" };
    const { kube } = world(() => ({ body: bytes(line("ADDED"), line("ERROR", gone)) }));
    await expect(drain(kube)).rejects.toMatchObject({ code: "Gone", message: "watch configmaps: too old" });
  });

  it("say Unreachable when the stream is cut within an event", async () => {
    const { kube } = world(() => ({ body: bytes(line("ADDED"), '{"type":"ADD') }));
    await expect(drain(kube)).rejects.toMatchObject({ code: "Unreachable" });
  });

  it("say Timeout when the stream is silent for too long", async () => {
    const { clock, kube } = world(() => ({ body: endless(line("ADDED")) }));
    const watching = drain(kube, { idleTimeoutMs: 75_000 }).catch((each: unknown) => each);
    expect(await settle(clock, watching)).toMatchObject({ code: "Timeout" });
    expect(clock.monotonicMs()).toBe(75_000);
  });

  it("do not hold the time that a reader takes against the server", async () => {
    const { clock, kube } = world(() => ({ body: bytes(line("ADDED"), line("MODIFIED")) }));
    const types: string[] = [];
    const watching = (async () => {
      for await (const { type } of kube.watch(configMaps, {}, { idleTimeoutMs: 1_000 })) {
        types.push(type);
        await new Promise<void>((resolve) => void clock.after(60_000, resolve));
      }
    })();
    await settle(clock, watching);
    expect(types).toEqual(["ADDED", "MODIFIED"]);
  });

  it("bound the time to the headers, and only that", async () => {
    const silent = world(() => "silence");
    const opening = drain(silent.kube, { deadlineMs: 5_000 }).catch((each: unknown) => each);
    expect(await settle(silent.clock, opening)).toMatchObject({ code: "Timeout" });
    expect(silent.clock.monotonicMs()).toBe(5_000);
    const open = world(() => ({ body: endless(line("ADDED")) }));
    const watching = drain(open.kube, { deadlineMs: 5_000, idleTimeoutMs: 50_000 }).catch((each: unknown) => each);
    await settle(open.clock, watching);
    expect(open.clock.monotonicMs()).toBe(50_000);
  });

  it("end quietly when the caller aborts, opening or reading", async () => {
    for (const answer of ["silence", { body: endless(line("ADDED")) }] as const) {
      const { clock, kube } = world(() => answer);
      const controller = new AbortController();
      const watching = drain(kube, { signal: controller.signal });
      await clock.settle();
      controller.abort();
      expect((await settle(clock, watching)).length).toBeLessThanOrEqual(1);
      expect(clock.pendingTimers).toBe(0);
    }
  });

  it("say ServerError for what is no event", async () => {
    const { kube } = world(() => ({ body: bytes('{"kind":"ConfigMap"}\n') }));
    await expect(drain(kube)).rejects.toMatchObject({ code: "ServerError" });
  });
});

describe("metrics", () => {
  it("see every request with its verb, kind, code and time", async () => {
    const answers: Answer[] = [{}, { status: 404, json: {} }, { status: 429, headers: { "retry-after": "1" } }, {}];
    const { clock, kube, observed } = world(() => answers.shift() ?? "silence");
    await kube.get(configMaps, ref);
    await kube.get(configMaps, ref).catch(() => {});
    await settle(clock, kube.create(configMaps, object));
    await settle(
      clock,
      kube.delete(configMaps, ref, { deadlineMs: 250 }).catch(() => {}),
    );
    expect(observed).toEqual([
      { verb: "get", resource: "configmaps", code: "200", seconds: 0 },
      { verb: "get", resource: "configmaps", code: "404", seconds: 0 },
      { verb: "create", resource: "configmaps", code: "429", seconds: 0 },
      { verb: "create", resource: "configmaps", code: "200", seconds: 0 },
      { verb: "delete", resource: "configmaps", code: "Timeout", seconds: 0.25 },
    ]);
  });
});

describe("a whole collection", () => {
  const page = (names: readonly string[], token?: string): Answer => ({
    json: { metadata: { resourceVersion: "9", continue: token }, items: names.map((name) => ({ metadata: { name } })) },
  });
  const expired = (token?: string): Answer => ({
    status: 410,
    json: { kind: "Status", reason: "Expired", message: "old", metadata: { continue: token } },
  });
  const names = async (answers: Answer[]) => {
    const { kube, sent } = world(() => answers.shift() ?? page([]));
    const items = await listEverything(kube, configMaps, { resourceVersion: "5" });
    return { names: items.map(({ metadata }) => metadata.name), sent };
  };

  it("is read page by page, 500 at a time, the version only at the start", async () => {
    const result = await names([page(["a"], "t1"), page(["b"], "t2"), page(["c"])]);
    expect(result.names).toEqual(["a", "b", "c"]);
    expect(result.sent.map(({ path }) => path.split("?")[1])).toEqual([
      "limit=500&resourceVersion=5",
      "limit=500&continue=t1",
      "limit=500&continue=t2",
    ]);
  });

  it("goes on where the server can when its token expired", async () => {
    const result = await names([page(["a"], "t1"), expired("t1-inconsistent"), page(["b"])]);
    expect(result.names).toEqual(["a", "b"]);
  });

  it("begins again, once, when the server cannot go on", async () => {
    expect((await names([page(["a"], "t1"), expired(), page(["a", "b"])])).names).toEqual(["a", "b"]);
    await expect(names([page(["a"], "t1"), expired(), page(["a"], "t2"), expired()])).rejects.toMatchObject({
      code: "Gone",
    });
  });
});
