// Faults over HTTP: who may start and stop them, what nonsense gets, and that nothing happens to whoever may not.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ErrorAnswer, type Fault, type FaultsAnswer, routes } from "../../src/server/contract.ts";
import type { FaultControl } from "../../src/server/read-api/fault-control.ts";
import { ServerWorld, StreamReader, tokens } from "./server-world.ts";

/** One fault that remembers what was done to it. */
class Switchboard implements FaultControl {
  readonly done: unknown[] = [];
  readonly listeners = new Set<() => void>();
  readonly #fault: Fault = { id: "fog", title: "Fog", description: "", watch: "", parameters: [] };

  list(): readonly Fault[] {
    return [this.#fault];
  }

  start(id: string, parameters: Readonly<Record<string, number>>): ReturnType<FaultControl["start"]> {
    return this.#change(id, ["start", parameters]);
  }

  stop(id: string): ReturnType<FaultControl["stop"]> {
    return this.#change(id, ["stop"]);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  #change(id: string, what: unknown): ReturnType<FaultControl["start"]> {
    if (id !== "fog") return { problem: `there is no fault ${id}` };
    this.done.push(what);
    for (const listener of this.listeners) listener();
    return this.#fault;
  }
}

let world: ServerWorld;
const board = new Switchboard();

beforeAll(async () => {
  world = await ServerWorld.start({ faults: board, demo: true });
  await world.make("red", "rose");
  await world.clock.advance(20_000);
});
afterAll(() => world.stop());

async function send(
  method: "POST" | "DELETE",
  { token, id = "fog", body, ...headers }: { token?: string; id?: string; body?: unknown; [header: string]: unknown },
): Promise<{ readonly status: number; readonly code?: string | undefined; readonly message?: string | undefined }> {
  const pending = world.app.inject({
    method,
    url: routes.fault(id),
    headers: {
      host: "127.0.0.1:8081",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: body as object }),
  });
  await world.clock.advance(0);
  const { statusCode, body: text } = await pending;
  const { error } = JSON.parse(text) as Partial<ErrorAnswer>;
  return { status: statusCode, code: error?.code, message: error?.message };
}

describe("a fault", () => {
  test.each(["POST", "DELETE"] as const)("is not changed by %s of whoever may not", async (method) => {
    const before = board.done.length;
    const body = method === "POST" ? { body: {} } : {};
    expect(await send(method, { ...body })).toMatchObject({ status: 401, code: "unauthenticated" });
    expect(await send(method, { ...body, token: "secret-marker-forged" })).toMatchObject({ status: 401 });
    expect(await send(method, { ...body, token: tokens.nobody })).toMatchObject({ status: 403, code: "forbidden" });
    const admin = { ...body, token: tokens.admin };
    for (const headers of [
      { origin: "http://evil.example.com" },
      { origin: "http://127.0.0.1:9999" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ])
      expect(await send(method, { ...admin, ...headers })).toMatchObject({ status: 403, code: "foreign-origin" });
    expect(await send(method, { ...admin, host: "evil.example.com" })).toMatchObject({ code: "wrong-host" });
    expect(board.done).toHaveLength(before);
  });

  test("is started with the parameters that were given, and stopped", async () => {
    board.done.length = 0;
    expect(await send("POST", { token: tokens.red, body: { parameters: { seconds: 3 } } })).toMatchObject({
      status: 200,
    });
    expect(await send("POST", { token: tokens.red })).toMatchObject({ status: 200 });
    expect(await send("DELETE", { token: tokens.red })).toMatchObject({ status: 200 });
    expect(board.done).toEqual([["start", { seconds: 3 }], ["start", {}], ["stop"]]);
  });

  test("that does not exist, or is asked for in nonsense, is said to be so", async () => {
    board.done.length = 0;
    for (const method of ["POST", "DELETE"] as const)
      expect(await send(method, { token: tokens.admin, id: "rain" })).toMatchObject({
        status: 400,
        message: "there is no fault rain",
      });
    for (const body of [{ parameters: { seconds: "3" } }, { seconds: 3 }, { parameters: { seconds: 3 }, more: 1 }])
      expect(await send("POST", { token: tokens.admin, body })).toMatchObject({ status: 400, code: "bad-request" });
    const json = { "content-type": "application/json" };
    for (const text of ["{", `{"parameters":{"${"x".repeat(5_000)}":1}}`, "[]"])
      expect(await send("POST", { token: tokens.admin, body: text, ...json })).toMatchObject({
        status: 400,
        code: "bad-request",
      });
    expect(world.log.lines.filter(({ level }) => level === "error")).toEqual([]);
    expect(board.done).toEqual([]);
  });

  test("is listed for those who may see something, and told on the stream", async () => {
    const { body } = await world.get(routes.faults, tokens.red);
    expect(JSON.parse(body) as FaultsAnswer).toMatchObject({ enabled: true, faults: [{ id: "fog" }] });
    const address = await world.app.listen({ host: "127.0.0.1", port: 0 });
    const reader = StreamReader.open(`${address}${routes.stream}`, tokens.red);
    const until = async (holds: () => boolean) => {
      for (let step = 0; step < 200 && !holds(); step += 1) {
        await world.clock.advance(50);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      expect(holds()).toBe(true);
    };
    await until(() => reader.types.includes("snapshot"));
    await send("POST", { token: tokens.red });
    await until(() => reader.types.includes("faults"));
    reader.close();
  });
});
