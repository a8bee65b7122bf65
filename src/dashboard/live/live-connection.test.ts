import { describe, expect, onTestFinished, test } from "vitest";
import { sampleObjects, sampleSnapshot } from "../../../test/server/contract-sample.ts";
import { ScriptedServer } from "../../../test/support/scripted-server.ts";
import { heartbeatMs, type StreamMessage, streamText } from "../../server/contract.ts";
import { LiveConnection, silenceMs } from "./live-connection.ts";

async function connected(token?: string): Promise<{ server: ScriptedServer; live: LiveConnection }> {
  const server = new ScriptedServer();
  server.token = token;
  const live = new LiveConnection(server.ports);
  void live.start();
  onTestFinished(() => live.stop());
  await server.clock.settle();
  return { server, live };
}

async function watching(): Promise<{ server: ScriptedServer; live: LiveConnection }> {
  const world = await connected();
  world.server.latest.send(sampleSnapshot);
  await world.server.clock.settle();
  return world;
}

const heartbeat = (id: string, timeMs: number): StreamMessage => ({
  type: "heartbeat",
  id,
  time: new Date(timeMs).toISOString(),
});

describe("the live connection", () => {
  test("is live from the first snapshot on", async () => {
    const { server, live } = await connected();
    expect(live.state().link).toEqual({ status: "connecting" });
    server.latest.send(sampleSnapshot);
    await server.clock.settle();
    expect(live.state().link).toEqual({ status: "live" });
    expect(live.state().known?.objects.size).toBe(sampleObjects.length);
  });

  test("reads a message that comes in pieces, once it is whole", async () => {
    const { server, live } = await connected();
    const text = streamText(sampleSnapshot);
    server.latest.sendText(text.slice(0, 100));
    await server.clock.settle();
    expect(live.state().known).toBeUndefined();
    server.latest.sendText(text.slice(100));
    await server.clock.settle();
    expect(live.state().known).toBeDefined();
  });

  test("stays live as long as a heartbeat comes", async () => {
    const { server, live } = await watching();
    for (let beat = 0; beat < 20; beat += 1) {
      await server.clock.advance(heartbeatMs);
      server.latest.send(heartbeat("b0-1", server.clock.nowMs()));
    }
    await server.clock.settle();
    expect(live.state().link).toEqual({ status: "live" });
    expect(server.streams).toHaveLength(1);
  });

  test("is stale, and says since when, as soon as the stream is cut; resumes where it was", async () => {
    const { server, live } = await watching();
    const lastHeardMs = server.clock.nowMs();
    server.reachable = false;
    await server.clock.advance(3_000);
    server.latest.cut();
    await server.clock.settle();
    expect(live.state().link).toEqual({ status: "stale", sinceMs: lastHeardMs, failure: { kind: "unreachable" } });
    expect(live.state().known?.objects.size).toBe(sampleObjects.length);

    server.reachable = true;
    await server.clock.advance(11_000);
    expect(server.latest.resumedFrom).toBe("b0-1");
    server.latest.send(heartbeat("b0-1", server.clock.nowMs()));
    await server.clock.settle();
    expect(live.state().link).toEqual({ status: "live" });
  });

  test("does not believe a stream that fell silent", async () => {
    const { server, live } = await watching();
    const lastHeardMs = server.clock.nowMs();
    server.hung = true;
    await server.clock.advance(silenceMs - 1);
    expect(live.state().link).toEqual({ status: "live" });
    await server.clock.advance(2);
    expect(live.state().link).toEqual({ status: "stale", sinceMs: lastHeardMs });
    // A server that accepts and says nothing is given up again and again, until it speaks.
    await server.clock.advance(10 * silenceMs);
    expect(live.state().link.status).toBe("stale");
    server.hung = false;
    await server.clock.advance(2 * silenceMs);
    server.latest.send(sampleSnapshot);
    await server.clock.settle();
    expect(live.state().link).toEqual({ status: "live" });
  });

  test("comes back after the server ended the stream with a reason", async () => {
    const { server, live } = await watching();
    const error = { code: "too-slow", message: "This reader fell behind" } as const;
    server.latest.send({ type: "end", id: "b0-9", error });
    server.latest.end();
    await server.clock.settle();
    expect(live.state().link).toMatchObject({ status: "stale", failure: { kind: "answered", error } });
    await server.clock.advance(1_000);
    expect(server.latest.resumedFrom).toBe("b0-1");
  });

  test("tries ever more slowly, and at once when asked to", async () => {
    const { server, live } = await watching();
    server.reachable = false;
    server.latest.cut();
    await server.clock.advance(60_000);
    const tried = server.addresses.length;
    expect(tried).toBeLessThan(14);
    server.reachable = true;
    live.retryNow();
    await server.clock.settle();
    expect(server.streams).toHaveLength(2);
  });
});

describe("the token", () => {
  test("is asked for when the server wants one, and nothing is tried before", async () => {
    const { server, live } = await connected("s3cret");
    expect(live.state().link).toEqual({ status: "token-needed" });
    await server.clock.advance(600_000);
    expect(server.streams).toHaveLength(0);
  });

  test("opens the stream, and stands in no address and in nothing that is kept", async () => {
    const { server, live } = await connected("s3cret");
    live.enterToken("s3cret");
    await server.clock.advance(1_000);
    server.latest.send(sampleSnapshot);
    await server.clock.settle();
    expect(live.state().link).toEqual({ status: "live" });
    expect(live.state().session?.user).toBe("ada");
    expect(JSON.stringify([server.addresses, live.state()])).not.toContain("s3cret");
  });

  test("that is wrong is said to be, and another can be entered", async () => {
    const { server, live } = await connected("s3cret");
    live.enterToken("guess");
    await server.clock.advance(1_000);
    expect(live.state().link).toMatchObject({ status: "token-needed", failure: { status: 401 } });
    live.enterToken("s3cret");
    await server.clock.advance(1_000);
    expect(server.streams).toHaveLength(1);
  });

  test("once forgotten, takes with it all that was seen", async () => {
    const { server, live } = await connected("s3cret");
    live.enterToken("s3cret");
    await server.clock.advance(1_000);
    server.latest.send(sampleSnapshot);
    await server.clock.settle();
    live.forgetToken();
    await server.clock.advance(60_000);
    expect(live.state().known).toBeUndefined();
    expect(live.state().link).toEqual({ status: "token-needed" });
    expect(server.streams).toHaveLength(1);
    // The next viewer starts afresh, not where this one was.
    live.enterToken("s3cret");
    await server.clock.advance(1_000);
    expect(server.latest.resumedFrom).toBeNull();
  });
});
