import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { selfSigned } from "../../../test/contract/kube/self-signed.ts";
import { configMaps } from "../../apis/kube/builtin-kinds.ts";
import { present } from "../../core/present.ts";
import type { KubeTransport } from "../../ports/kube-transport.ts";
import { systemClock } from "../system/system-clock.ts";
import { kubeClient } from "./client.ts";
import type { ClusterConnection, Credentials } from "./kubeconfig/connection.ts";
import { undiciTransport } from "./undici-transport.ts";

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const anonymous: Credentials = { current: async () => ({ headers: {} }), refresh: async () => false };

function transportTo(server: string, more: Partial<ClusterConnection> = {}, maxConnections?: number): KubeTransport {
  const connection = { server, trust: async () => ({ insecure: false }), credentials: anonymous, namespace: "default" };
  const transport = undiciTransport({
    connection: { ...connection, ...more },
    ...present({ maxConnections }),
  });
  closing.push(() => transport.close());
  return transport;
}

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** An HTTP server that keeps every request it has seen. */
async function origin(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  return { requests, url: `http://127.0.0.1:${await listen(server)}` };
}

/** A program that reads once through a proxy and prints the answer. */
const readOnce = `
  const [driver, server, proxy] = process.argv.slice(1);
  const { undiciTransport } = await import(driver);
  const credentials = { current: async () => ({ headers: {} }) };
  const connection = { server, proxy, credentials, trust: async () => ({ insecure: false }) };
  const transport = undiciTransport({ connection });
  const { body } = await transport.send({ method: "GET", path: "/x", headers: {} });
  for await (const chunk of body) process.stdout.write(chunk);
  await transport.close();
`;

function tunnel(request: IncomingMessage, client: Socket): void {
  const [host = "", port = ""] = (request.url ?? "").split(":");
  const upstream = connect(Number(port), host, () => {
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    client.pipe(upstream).pipe(client);
  });
  upstream.on("error", () => client.destroy());
  client.on("error", () => upstream.destroy());
}

/** A CONNECT proxy that opens its tunnels only when told to. */
async function slowProxy() {
  const tunnels: (() => void)[] = [];
  const server = createServer();
  server.on("connect", (request: IncomingMessage, client: Socket) => {
    tunnels.push(() => tunnel(request, client));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return { url, tunnels, server };
}

async function text(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

const get = { method: "GET", path: "/x", headers: {} };
const ok = (_: IncomingMessage, response: ServerResponse) => void response.end("ok");

describe("the fence at the moment of sending", () => {
  it("keeps a write from leaving when the lease ran out while the connection was being made", async () => {
    const { requests, url } = await origin(ok);
    const { tunnels, ...proxy } = await slowProxy();
    const kube = kubeClient({ transport: transportTo(url, { proxy: proxy.url }), clock: systemClock });
    let remainingMs = 60_000;
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", namespace: "default" } };
    const fence = { remainingMs: () => remainingMs };
    const writing = kube.create(configMaps, object, { fence }).catch((error: unknown) => error);
    await expect.poll(() => tunnels.length).toBe(1);
    remainingMs = 0;
    tunnels[0]?.();
    expect(await writing).toMatchObject({ reason: "LeadershipLost" });
    // The tunnel is open now, and the same transport works: only the write was held back.
    expect((await transportTo(url).send(get)).status).toBe(200);
    expect(requests.map(({ method }) => method)).toEqual(["GET"]);
  });

  it("keeps a write from leaving when the lease ran out while it waited for a free connection", async () => {
    let release: (() => void) | undefined;
    const { requests, url } = await origin((_, response) => {
      release = () => response.end("ok");
    });
    const transport = transportTo(url, {}, 1);
    let allowed = true;
    const first = transport.send(get);
    await expect.poll(() => requests.length).toBe(1);
    const refused = new Error("lease ran out");
    const second = transport.send(
      { ...get, method: "POST", body: "{}" },
      {
        beforeSend() {
          if (!allowed) throw refused;
        },
      },
    );
    const outcome = second.catch((error: unknown) => error);
    allowed = false;
    release?.();
    await text((await first).body);
    expect(await outcome).toBe(refused);
    expect(requests).toHaveLength(1);
  });

  it("asks again when a request is repeated after a 401", async () => {
    let token = "old";
    const { requests, url } = await origin((request, response) => {
      response.statusCode = request.headers.authorization === "Bearer new" ? 200 : 401;
      response.end();
    });
    const credentials: Credentials = {
      current: async () => ({ headers: { authorization: `Bearer ${token}` } }),
      refresh: async () => {
        token = "new";
        return true;
      },
    };
    let asked = 0;
    const transport = transportTo(url, { credentials });
    const response = await transport.send(
      { ...get, method: "POST", body: "{}" },
      { beforeSend: () => void (asked += 1) },
    );
    expect(response.status).toBe(200);
    expect(requests).toHaveLength(2);
    expect(asked).toBe(2);
  });
});

describe("the transport", () => {
  it("hears an abort at once while the connection is still being made", async () => {
    const { requests, url } = await origin(ok);
    const proxy = await slowProxy();
    const controller = new AbortController();
    const sending = transportTo(url, { proxy: proxy.url }).send(get, { signal: controller.signal });
    const outcome = sending.catch(String);
    await expect.poll(() => proxy.tunnels.length).toBe(1);
    controller.abort(new Error("given up"));
    expect(await outcome).toBe("Error: given up");
    expect(requests).toEqual([]);
  });

  it("hears an abort at once while an exec plugin is still thinking", async () => {
    const { requests, url } = await origin(ok);
    const credentials: Credentials = { ...anonymous, current: () => new Promise(() => {}) };
    const controller = new AbortController();
    const outcome = transportTo(url, { credentials }).send(get, { signal: controller.signal }).catch(String);
    controller.abort(new Error("given up"));
    expect(await outcome).toBe("Error: given up");
    expect(requests).toEqual([]);
  });

  it("fails the body when it is aborted half-way", async () => {
    const { url } = await origin((_, response) => void response.write("half"));
    const controller = new AbortController();
    const { body } = await transportTo(url).send(get, { signal: controller.signal });
    const outcome = text(body).catch(String);
    controller.abort(new Error("given up"));
    expect(await outcome).toBe("Error: given up");
  });

  it("closes the connection of a reader that stops early", async () => {
    const { requests, url } = await origin((_, response) => void response.write("first"));
    const { body } = await transportTo(url).send(get, { longLived: true });
    for await (const _ of body) break;
    await expect.poll(() => requests[0]?.destroyed).toBe(true);
  });

  it("delivers a body that is much larger than its buffer to a slow reader", async () => {
    const size = 8 << 20;
    const { url } = await origin((_, response) => void response.end(Buffer.alloc(size, "x")));
    const { body } = await transportTo(url).send(get);
    let received = 0;
    for await (const chunk of body) {
      received += chunk.byteLength;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(received).toBe(size);
  });

  it("uses at most as many connections for calls as it may, and reuses them", async () => {
    const sockets = new Set<unknown>();
    const { requests, url } = await origin((request, response) => {
      sockets.add(request.socket);
      setImmediate(() => response.end("ok"));
    });
    const transport = transportTo(url, {}, 3);
    await Promise.all(Array.from({ length: 30 }, async () => text((await transport.send(get)).body)));
    expect(requests).toHaveLength(30);
    expect(sockets.size).toBeLessThanOrEqual(3);
  });

  it("never lets watches keep calls waiting", async () => {
    const { url } = await origin((request, response) => {
      if (request.url === "/watch") response.write("{}\n");
      else response.end("ok");
    });
    const transport = transportTo(url, {}, 1);
    const watches = Array.from({ length: 5 }, () => transport.send({ ...get, path: "/watch" }, { longLived: true }));
    await Promise.all(watches);
    expect(await text((await transport.send(get)).body)).toBe("ok");
  });

  it("keeps the path of a server behind a prefix", async () => {
    const { requests, url } = await origin(ok);
    await transportTo(`${url}/k8s/clusters/c-1/`).send({ ...get, path: "/version" });
    expect(requests[0]?.url).toBe("/k8s/clusters/c-1/version");
  });

  it("sends one header for each group of an impersonation", async () => {
    const { requests, url } = await origin(ok);
    const headers = { "impersonate-user": "jane", "impersonate-group": ["a", "b"] };
    await transportTo(url, { credentials: { ...anonymous, current: async () => ({ headers }) } }).send(get);
    expect(requests[0]?.headersDistinct["impersonate-group"]).toEqual(["a", "b"]);
  });

  it("asks for a fresh credential once only, and hands a second 401 on", async () => {
    const { requests, url } = await origin((_, response) => void response.writeHead(401).end());
    const credentials = { ...anonymous, refresh: async () => true };
    expect((await transportTo(url, { credentials }).send(get)).status).toBe(401);
    expect(requests).toHaveLength(2);
  });
});

describe("failures on the way, as the client reports them", () => {
  const read = (server: string, more: Partial<ClusterConnection> = {}) =>
    kubeClient({ transport: transportTo(server, more), clock: systemClock }).get(configMaps, {
      name: "x",
      namespace: "d",
    });

  it("says Unreachable with a hint when nothing listens", async () => {
    const probe = createTcpServer();
    const port = await listen(probe);
    await new Promise((resolve) => probe.close(resolve));
    await expect(read(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: "Unreachable",
      message: expect.stringContaining("get configmaps d/x"),
      hint: expect.stringContaining("API server runs"),
    });
  });

  it("says Unreachable when the connection is reset before an answer", async () => {
    const port = await listen(createTcpServer((socket) => socket.once("data", () => socket.resetAndDestroy())));
    await expect(read(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: "Unreachable" });
  });

  it("says Unreachable when the answer breaks off", async () => {
    const { url } = await origin((_, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("{", () => response.destroy());
    });
    await expect(read(url)).rejects.toMatchObject({ code: "Unreachable" });
  });

  it("says Unreachable when a TLS server is met by plain text", async () => {
    const { url } = await origin(ok);
    await expect(read(url.replace("http:", "https:"))).rejects.toMatchObject({
      code: "Unreachable",
      hint: expect.stringContaining("TLS"),
    });
  });

  it("goes through a proxy", async () => {
    const { url } = await origin((_, response) => void response.end('{"metadata":{"name":"x"}}'));
    const proxy = await slowProxy();
    const reading = read(url, { proxy: proxy.url });
    await expect.poll(() => proxy.tunnels.length).toBe(1);
    proxy.tunnels[0]?.();
    expect(await reading).toMatchObject({ metadata: { name: "x" } });
  });

  it("goes through a proxy that speaks TLS, when the machine trusts it", async () => {
    const { url } = await origin((_, response) => void response.end('{"metadata":{"name":"x"}}'));
    const { certificate, key } = selfSigned();
    const proxy = createTlsServer({ cert: certificate, key });
    proxy.on("connect", (request: IncomingMessage, client: Socket) => tunnel(request, client));
    const address = `https://jane:pw12@127.0.0.1:${await listen(proxy)}`;
    const error = await read(url, { proxy: address }).catch((refused: unknown) => refused);
    expect(error).toMatchObject({ code: "Unreachable", hint: expect.stringContaining("NODE_EXTRA_CA_CERTS") });
    expect(String(error)).not.toContain("pw12");
    // Node reads the machine's authorities once, when it starts.
    const folder = await mkdtemp(join(tmpdir(), "mainstay-proxy-"));
    closing.push(() => rm(folder, { recursive: true }));
    const authority = join(folder, "ca.pem");
    await writeFile(authority, certificate);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "-e", readOnce, new URL("undici-transport.ts", import.meta.url).href, url, address],
      { env: { ...process.env, NODE_EXTRA_CA_CERTS: authority } },
    );
    expect(stdout).toBe('{"metadata":{"name":"x"}}');
  });

  it("blames the proxy and not the API server when nobody listens there", async () => {
    await expect(read("http://127.0.0.1:9", { proxy: "http://127.0.0.1:1" })).rejects.toMatchObject({
      code: "Unreachable",
      message: expect.stringContaining("the proxy 127.0.0.1:1 is out of reach"),
      hint: expect.stringContaining("proxy-url"),
    });
  });

  it("says Unreachable when the proxy refuses", async () => {
    const proxy = createServer();
    proxy.on("connect", (_, socket: Socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
    const port = await listen(proxy);
    await expect(read("http://127.0.0.1:9", { proxy: `http://127.0.0.1:${port}` })).rejects.toMatchObject({
      code: "Unreachable",
    });
  });

  it("says Unreachable when the proxy hangs up, and does not dial it over and over", async () => {
    let dialled = 0;
    const port = await listen(
      createTcpServer((socket) => {
        dialled += 1;
        socket.destroy();
      }),
    );
    await expect(read("http://127.0.0.1:9", { proxy: `http://127.0.0.1:${port}` })).rejects.toMatchObject({
      code: "Unreachable",
    });
    expect(dialled).toBeLessThan(5);
  });

  it("sends a proxy the user name and password of its address", async () => {
    const seen: (string | undefined)[] = [];
    const proxy = createServer();
    proxy.on("connect", (request: IncomingMessage, socket: Socket) => {
      seen.push(request.headers["proxy-authorization"]);
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
    const port = await listen(proxy);
    const error = await read("http://127.0.0.1:9", { proxy: `http://jane:s3cret@127.0.0.1:${port}` }).catch(String);
    expect(seen).toEqual([`Basic ${Buffer.from("jane:s3cret").toString("base64")}`]);
    expect(error).not.toContain("s3cret");
  });

  it("goes through a SOCKS5 proxy, with a password when there is one", async () => {
    const { url } = await origin((_, response) => void response.end('{"metadata":{"name":"x"}}'));
    const plain = await listen(createTcpServer((socket) => void serveSocks(socket)));
    expect(await read(url, { proxy: `socks5://127.0.0.1:${plain}` })).toMatchObject({ metadata: { name: "x" } });
    const guarded = await listen(createTcpServer((socket) => void serveSocks(socket, "jane:s3cret")));
    const proxy = `socks5://jane:s3cret@127.0.0.1:${guarded}`;
    expect(await read(url, { proxy })).toMatchObject({ metadata: { name: "x" } });
    const wrong = read(url, { proxy: `socks5://jane:wrong@127.0.0.1:${guarded}` });
    await expect(wrong).rejects.toMatchObject({
      code: "Unreachable",
      message: expect.stringContaining("does not accept"),
    });
  });

  it("says Unreachable when a SOCKS5 proxy hangs up", async () => {
    const port = await listen(createTcpServer((socket) => socket.destroy()));
    const reading = read("http://127.0.0.1:9", { proxy: `socks5://127.0.0.1:${port}` });
    await expect(reading).rejects.toMatchObject({ code: "Unreachable" });
  });
});

/** A SOCKS5 server for IPv4 targets that reads one message a chunk, which is how they come over loopback. */
async function serveSocks(client: Socket, credentials?: string): Promise<void> {
  client.on("error", () => {});
  const next = () => new Promise<Buffer>((resolve) => client.once("data", resolve));
  await next();
  client.write(Buffer.from([5, credentials === undefined ? 0 : 2]));
  if (credentials !== undefined) {
    const given = await next();
    const userEnd = 2 + (given[1] ?? 0);
    const presented = `${given.subarray(2, userEnd).toString()}:${given.subarray(userEnd + 1).toString()}`;
    client.write(Buffer.from([1, presented === credentials ? 0 : 1]));
    if (presented !== credentials) return;
  }
  const request = await next();
  const upstream = connect(request.readUInt16BE(8), [...request.subarray(4, 8)].join("."), () => {
    client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    client.pipe(upstream).pipe(client);
  });
  upstream.on("error", () => client.destroy());
}
