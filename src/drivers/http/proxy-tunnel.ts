// Connections to a server through a proxy: a connector for undici that opens a tunnel and runs TLS through it. Not undici's
// ProxyAgent, which reconnects without end while a proxy accepts and closes connections. The certificate of an HTTPS proxy is checked
// against the machine's authorities (and NODE_EXTRA_CA_CERTS), not against those of the server behind it.

import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import connectorFor from "undici/lib/core/connect.js";
import { ProxyError } from "./proxy-error.ts";
import { openSocksTunnel } from "./socks-tunnel.ts";

/** The server at the other end of the tunnel. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

const timeoutMs = 10_000;

export function tunnelConnector(proxy: string, tls: buildConnector.BuildOptions): buildConnector.connector {
  const secure = connectorFor(tls);
  const url = new URL(proxy);
  const open = url.protocol === "socks5:" ? openSocksTunnel : openHttpTunnel;
  async function connect(options: buildConnector.Options, done: buildConnector.Callback): Promise<void> {
    const port = Number(options.port) || (options.protocol === "https:" ? 443 : 80);
    const opened = await open(url, { host: options.hostname, port }, timeoutMs).catch((error: unknown) =>
      error instanceof Error ? error : new ProxyError(url.host, "failed", error),
    );
    if (opened instanceof Error) done(opened, null);
    else if (options.protocol === "https:") secure({ ...options, httpSocket: opened }, done);
    else done(null, opened);
  }
  return (options, done) => void connect(options, done);
}

function openHttpTunnel(proxy: URL, { host, port }: Target, timeout: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    const request = (proxy.protocol === "https:" ? httpsRequest : httpRequest)({
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: target,
      headers: { host: target, ...proxyAuthorization(proxy) },
      agent: false,
      timeout,
    });
    request.on("connect", (response, socket: Socket) => {
      if (response.statusCode === 200) {
        socket.setTimeout(0);
        return resolve(socket);
      }
      socket.destroy();
      reject(new ProxyError(proxy.host, `answered ${response.statusCode} instead of opening a tunnel`));
    });
    request.on("response", (response) => {
      response.resume();
      reject(new ProxyError(proxy.host, `answered ${response.statusCode} instead of opening a tunnel`));
    });
    request.on("timeout", () => request.destroy(new Error("no tunnel in time")));
    request.on("error", (cause) => reject(new ProxyError(proxy.host, "is out of reach", cause)));
    request.end();
  });
}

function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "") return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(plain).toString("base64")}` };
}
