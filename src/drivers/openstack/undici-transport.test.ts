import { createServer as createPlainServer, type RequestListener } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { selfSigned } from "../../../test/contract/kube/self-signed.ts";
import { catalogue, cloud, ticket } from "../../../test/support/scripted-cloud.ts";
import type { CloudConfig } from "../../core/openstack/cloud-config.ts";
import { systemClock } from "../system/system-clock.ts";
import { systemRandom } from "../system/system-random.ts";
import { openStackClient } from "./openstack-client.ts";
import { undiciTransport } from "./undici-transport.ts";

const identity = selfSigned();
const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endings.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A cloud whose services are all behind one port, as behind one proxy. */
async function serve(answer: RequestListener, tls?: ServerOptions) {
  const listener: RequestListener = (request, response) => {
    if (request.url !== "/v3/auth/tokens") return answer(request, response);
    const { headers = {}, json } = ticket("t", { catalog: atPort(port, tls !== undefined) });
    response.writeHead(201, headers).end(JSON.stringify(json));
  };
  const server = tls === undefined ? createPlainServer(listener) : createServer(tls, listener);
  const sockets = new Set<unknown>();
  server.on(tls === undefined ? "connection" : "secureConnection", (socket) => sockets.add(socket));
  endings.push(() => server.closeAllConnections());
  const port = await listen(server);
  return { port, sockets };
}

function atPort(port: number, secure: boolean) {
  const url = `${secure ? "https" : "http"}://127.0.0.1:${port}`;
  return catalogue.map(({ type, endpoints }) => ({ type, endpoints: endpoints.map((each) => ({ ...each, url })) }));
}

function projectAt(
  config: Partial<CloudConfig>,
  environment: Readonly<Record<string, string>> = {},
  maxConnections = 8,
) {
  const transport = undiciTransport({ environment, maxConnections });
  endings.unshift(() => transport.close());
  const options = { transport, clock: systemClock, random: systemRandom, userAgent: "mainstay/1.2.3" };
  return openStackClient(options).project({ ...cloud, ...config });
}

const providers: RequestListener = (request, response) => {
  response.end(JSON.stringify({ providers: [{ name: request.headers["user-agent"] }] }));
};

describe("connections", () => {
  it("are used again, and carry the product's name and version", async () => {
    const { port, sockets } = await serve(providers);
    const { octavia } = projectAt({ authUrl: `http://127.0.0.1:${port}` });
    for (let count = 0; count < 20; count += 1) expect(await octavia.listProviders()).toEqual(["mainstay/1.2.3"]);
    // One is on its way back to the pool while the next call leaves.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it("are never more than allowed, however many calls there are", async () => {
    const { port, sockets } = await serve(providers);
    const { octavia } = projectAt({ authUrl: `http://127.0.0.1:${port}` }, {}, 3);
    await Promise.all(Array.from({ length: 30 }, () => octavia.listProviders()));
    expect(sockets.size).toBeLessThanOrEqual(3);
  });

  it("that break under a read are made again; a change is left alone", async () => {
    let broken = 0;
    const { port } = await serve((request, response) => {
      if (request.method === "GET" && broken > 0) return providers(request, response);
      broken += 1;
      request.socket.destroy();
    });
    const { octavia } = projectAt({ authUrl: `http://127.0.0.1:${port}` });
    expect(await octavia.listProviders()).toHaveLength(1);
    await expect(octavia.deletePool("p1")).rejects.toMatchObject({ code: "Unreachable" });
    expect(broken).toBe(2);
  });

  it("on which an answer stalls half-way are given up with their call, and the next call gets another", async () => {
    let stalled = 0;
    const { port } = await serve((request, response) => {
      if (stalled > 0) return providers(request, response);
      stalled += 1;
      response.writeHead(200, { "content-length": "1000" }).write('{"providers": [');
    });
    const { octavia } = projectAt({ authUrl: `http://127.0.0.1:${port}` }, {}, 1);
    await expect(octavia.listProviders({ deadlineMs: 500 })).rejects.toMatchObject({ code: "Timeout" });
    expect(await octavia.listProviders()).toHaveLength(1);
  });

  it("to nobody are told with what to check", async () => {
    const port = await listen(createTcpServer());
    for (const end of endings.splice(0)) await end();
    const asked = projectAt({ authUrl: `http://127.0.0.1:${port}` }).identify();
    await expect(asked).rejects.toMatchObject({ code: "Unreachable", hint: expect.stringContaining("runs") });
  });
});

describe("TLS", () => {
  const tls = { cert: identity.certificate, key: identity.key };

  it("trusts the authority that the cloud names, and no other", async () => {
    const { port } = await serve(providers, tls);
    const authUrl = `https://127.0.0.1:${port}`;
    expect(await projectAt({ authUrl, caCertificate: identity.certificate }).octavia.listProviders()).toHaveLength(1);
    for (const config of [{ authUrl }, { authUrl, caCertificate: selfSigned().certificate }]) {
      await expect(projectAt(config).identify()).rejects.toMatchObject({
        code: "Unreachable",
        hint: expect.stringContaining("cacert"),
      });
    }
  });

  it("is not verified only where the cloud says so", async () => {
    const { port } = await serve(providers, tls);
    const authUrl = `https://127.0.0.1:${port}`;
    expect(await projectAt({ authUrl, verifyTls: false }).octavia.listProviders()).toHaveLength(1);
  });

  it("older than 1.2 is refused", async () => {
    const old = { ...tls, minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    const { port } = await serve(providers, old);
    const config = { authUrl: `https://127.0.0.1:${port}`, caCertificate: identity.certificate };
    await expect(projectAt(config).identify()).rejects.toMatchObject({ code: "Unreachable" });
  });
});

describe("a proxy of the environment", () => {
  it("is used for a cloud, and its password is in no error", async () => {
    const asked: string[] = [];
    const proxy = createPlainServer();
    proxy.on("connect", (request, socket) => {
      asked.push(request.url ?? "");
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
    const port = await listen(proxy);
    const environment = { HTTPS_PROXY: `http://ops:c4n4ry@127.0.0.1:${port}` };
    const error: unknown = await projectAt({ authUrl: "https://keystone.test:5000" }, environment)
      .identify()
      .catch((caught: unknown) => caught);
    expect(asked).toEqual(["keystone.test:5000"]);
    expect(error).toMatchObject({ code: "Unreachable", hint: expect.stringContaining("NO_PROXY") });
    expect(String(error)).not.toContain("c4n4ry");
  });
});
