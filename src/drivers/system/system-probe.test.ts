import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { selfSigned } from "../../../test/contract/kube/self-signed.ts";
import { systemProbe } from "./system-probe.ts";

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed));
});

async function listening<S extends Server>(server: S): Promise<number> {
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return (server.address() as AddressInfo).port;
}

const ask = (how: "tcp" | "readyz", port: number, timeoutMs = 5_000) =>
  systemProbe.isAnswered({ address: "127.0.0.1", port, how, timeoutMs });

/** A port that was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((closed) => server.close(closed));
  servers.pop();
  return port;
}

describe("by TCP", () => {
  test("a connection is an answer, and a refused one is none", async () => {
    const port = await listening(createServer((socket) => socket.destroy()));
    expect([await ask("tcp", port), await ask("tcp", await closedPort())]).toEqual([true, false]);
  });
});

describe("by TLS and /readyz", () => {
  test.each([
    [200, true],
    [401, true],
    [403, true],
    [404, false],
    [500, false],
  ])("an answer of %i counts: %s", async (status, counts) => {
    const { key, certificate: cert } = selfSigned();
    const port = await listening(
      createTlsServer({ key, cert }, ({ url }, response) => {
        response.writeHead(url === "/readyz" ? status : 404).end("ok");
      }),
    );
    expect(await ask("readyz", port)).toBe(counts);
  });

  test("one who takes the connection and says nothing does not answer", async () => {
    const port = await listening(createServer((socket) => void socket.on("error", () => undefined).resume()));
    expect(await ask("readyz", port, 200)).toBe(false);
  });

  test("one who speaks no TLS does not answer", async () => {
    const port = await listening(
      createServer((socket) => void socket.on("error", () => undefined).write("hello", () => socket.destroy())),
    );
    expect(await ask("readyz", port)).toBe(false);
  });
});
