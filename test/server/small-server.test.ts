// The read API over a manager that is made of data: what it passes on, what it says of itself, and what it leaves behind.

import { afterEach, describe, expect, test } from "vitest";
import { systemOpaqueIds } from "../../src/drivers/system/system-opaque-ids.ts";
import { openAccess } from "../../src/server/access/access.ts";
import { type ErrorAnswer, type PlanLogAnswer, routes } from "../../src/server/contract.ts";
import { type ReadApiOptions, readApi } from "../../src/server/read-api/read-api.ts";
import { quietLog } from "../support/quiet-log.ts";
import {
  beds,
  gates,
  logged,
  planFor,
  reports,
  SampleInsight,
  thing,
  withCondition,
} from "../support/sample-insight.ts";
import { VirtualClock } from "../support/virtual-clock.ts";
import { StreamReader } from "./server-world.ts";

const rose = { namespace: "north", name: "rose" };
let cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUp) await step();
  cleanUp = [];
});

function server(options: Partial<ReadApiOptions> = {}) {
  const insight = new SampleInsight();
  insight.objects.push([beds, thing(beds, "north", "rose")], [reports, thing(reports, "north", "rose")]);
  const log = quietLog();
  const app = readApi({
    insight,
    access: openAccess,
    clock: new VirtualClock(),
    opaqueIds: systemOpaqueIds(),
    log,
    version: "1.2.3",
    demo: false,
    hosts: [],
    ...options,
  });
  cleanUp.push(() => app.close());
  const get = (url: string) => app.inject({ url, headers: { host: "127.0.0.1" } });
  return { app, insight, log, get };
}

async function streaming(options: Partial<ReadApiOptions> = {}) {
  const world = server(options);
  const address = await world.app.listen({ host: "127.0.0.1", port: 0 });
  const reader = StreamReader.open(`${address}${routes.stream}`, "none");
  cleanUp.unshift(async () => reader.close());
  const seen = async (what: () => boolean) => await expect.poll(what, { timeout: 10_000 }).toBe(true);
  await seen(() => reader.types.includes("snapshot"));
  return { ...world, address, reader, seen };
}

describe("the stream", () => {
  test("tells of an object when its report changes", async () => {
    const { insight, reader, seen } = await streaming();
    insight.objects[1] = [reports, withCondition(thing(reports, "north", "rose"), "dry")];
    insight.tell({ type: "object", kind: reports, ref: rose });
    await seen(() => reader.types.filter((type) => type === "object").length === 2);
    const told = reader.messages.flatMap((message) => (message.type === "object" ? [message.object] : []));
    expect(told.map(({ id, health }) => [id.kind, health])).toEqual([
      ["BedReport", "degraded"],
      ["Bed", "degraded"],
    ]);
  });

  test("tells of everything when anything may have changed, and of nothing that is not shown", async () => {
    const { insight, reader, seen } = await streaming();
    insight.tell({ type: "object", kind: gates, ref: rose });
    insight.tell({ type: "all" });
    await seen(() => reader.types.filter((type) => type === "object").length === 2);
    expect(reader.types).toEqual(["snapshot", "manager", "object", "object"]);
  });

  test("comes with headers that keep it a stream, fresh and to itself", async () => {
    const { address } = await streaming();
    const abort = new AbortController();
    const { headers } = await fetch(`${address}${routes.stream}`, { signal: abort.signal });
    abort.abort();
    expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store, no-transform");
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(headers.get("content-security-policy")).toContain("default-src 'self'");
  });

  test("ends when the server does, which leaves no listener behind", async () => {
    const listeners = new Set<() => void>();
    const faults = {
      list: () => [],
      start: () => ({ problem: "none" }),
      stop: () => ({ problem: "none" }),
      subscribe: (listener: () => void) => (listeners.add(listener), () => void listeners.delete(listener)),
    };
    const { app, insight, reader, seen } = await streaming({ faults });
    expect([insight.listeners > 0, listeners.size]).toEqual([true, 1]);
    await app.close();
    await seen(() => reader.over);
    expect(reader.cut).toBe(false);
    expect([insight.listeners, listeners.size]).toEqual([0, 0]);
  });
});

describe("two servers in one process", () => {
  test("share neither counts nor ids", async () => {
    const [one, other] = [server(), server()];
    for (const { insight } of [one, other]) {
      insight.plans.push(planFor(rose));
      insight.records.push(logged(1, rose));
    }
    const idsOf = async ({ get }: typeof one) => {
      const { entries } = JSON.parse((await get(routes.planLog)).body) as PlanLogAnswer;
      return entries.map(({ id }) => id);
    };
    const [ours, theirs] = [await idsOf(one), await idsOf(other)];
    expect([ours.length, theirs.length, ours[0] === theirs[0]]).toEqual([1, 1, false]);
    const path = routes.object({ resource: "beds.garden.test", ...rose });
    const revision = async ({ get }: typeof one) =>
      (JSON.parse((await get(path)).body) as { revision: string }).revision;
    expect(await revision(one)).not.toBe(await revision(other));
  });
});

describe("answers", () => {
  test("to a request that fails inside say so, and the log says why", async () => {
    const { get, log } = server({ runbook: () => Promise.reject(new Error("secret-marker: disk on fire")) });
    const { statusCode, body } = await get(routes.runbook("DryRun"));
    expect([statusCode, (JSON.parse(body) as ErrorAnswer).error.code]).toEqual([500, "internal"]);
    expect(body).not.toContain("secret-marker");
    expect(log.lines).toMatchObject([
      { level: "error", message: "request failed", data: { path: "/api/v1/runbooks/:reason" } },
    ]);
  });

  test("are sought only under the names of reasons", async () => {
    const asked: string[] = [];
    const { get } = server({ runbook: async (reason) => (asked.push(reason), undefined) });
    for (const name of ["Nonsense", "..%2f..%2fpackage", "constructor"])
      expect((await get(`${routes.runbook("")}${name}`)).statusCode).toBe(404);
    expect(asked).toEqual([]);
    expect((await get(routes.runbook("DryRun"))).statusCode).toBe(404);
    expect(asked).toEqual(["DryRun"]);
  });

  test("of the log are of one kind, namespace and name when asked for, and a page has its bounds", async () => {
    const { get, insight } = server();
    const fern = { namespace: "south", name: "fern" };
    insight.records.push(logged(1, rose), logged(2, fern), logged(3, rose, { kind: reports }));
    const times = async (query: string) => {
      const { entries } = JSON.parse((await get(`${routes.planLog}?${query}`)).body) as PlanLogAnswer;
      return entries.map(({ time }) => Date.parse(time));
    };
    expect(await times("resource=beds.garden.test")).toEqual([2, 1]);
    expect(await times("namespace=north")).toEqual([3, 1]);
    expect(await times("name=fern")).toEqual([2]);
    expect(await times("limit=1000")).toEqual([3, 2, 1]);
    for (const query of ["limit=0", "limit=1001", "limit=1.5", "limit=many"])
      expect([query, (await get(`${routes.planLog}?${query}`)).statusCode]).toEqual([query, 400]);
  });

  test("from under a wrong name say what to do", async () => {
    const { app } = server();
    const { body } = await app.inject({ url: routes.session, headers: { host: "evil.example.com" } });
    expect((JSON.parse(body) as ErrorAnswer).error).toMatchObject({
      code: "wrong-host",
      hint: expect.stringContaining("dashboard.hosts"),
    });
  });

  test("of the manager name its fellows where they are known, and no leader where there is none", async () => {
    const replicas = [{ identity: "manager-9", state: "stopped" }] as const;
    const { get, insight } = server({ replicas: () => replicas });
    const manager = async () => JSON.parse((await get(routes.manager)).body) as Record<string, unknown>;
    expect(await manager()).toMatchObject({ leader: "manager-1", replicas, term: 1 });
    insight.state = { ...insight.state, leader: "" };
    expect(await manager()).not.toHaveProperty("leader");
  });

  test("carry every header that keeps a page to itself", async () => {
    const { headers } = await server().get(routes.session);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    });
    const policy = String(headers["content-security-policy"]).split("; ");
    for (const rule of ["default-src", "connect-src", "script-src", "style-src"])
      expect(policy).toContain(`${rule} 'self'`);
    for (const rule of ["object-src", "base-uri", "form-action", "frame-ancestors"])
      expect(policy).toContain(`${rule} 'none'`);
  });
});

describe("the files of the dashboard", () => {
  const file = (path: string, immutable: boolean) => ({
    bytes: Buffer.from(path),
    contentType: "text/plain",
    immutable,
  });
  const assets = (path: string) =>
    path === "/index.html" || path === "/assets/a.js" ? file(path, path.startsWith("/assets/")) : undefined;

  test("are kept by browsers when their names change with their content, and asked for again otherwise", async () => {
    const { get } = server({ assets });
    const cached = async (path: string) => (await get(path)).headers["cache-control"];
    expect(await cached("/assets/a.js")).toContain("immutable");
    expect(await cached("/")).toBe("no-cache");
  });

  test("do not stand in for what is not there: a path of the API, a missing file, another method", async () => {
    const { app, get } = server({ assets });
    for (const path of ["/api/v1/nothing", "/assets/b.js"]) expect((await get(path)).statusCode).toBe(404);
    for (const method of ["POST", "PUT", "DELETE"] as const)
      expect((await app.inject({ method, url: "/", headers: { host: "127.0.0.1" } })).statusCode).toBe(404);
  });
});
