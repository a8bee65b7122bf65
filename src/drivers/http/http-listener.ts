// Hands HTTP requests over to a service, plain or with TLS. A client that sends slowly, or not what it announced, gets its answer and
// loses its connection; nobody waits for it.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { TLSSocket } from "node:tls";
import type { HttpQuestion, HttpService } from "../../ports/http-service.ts";

/** PEM. */
export interface ListenerTls {
  readonly cert: string;
  readonly key: string;
  /** Clients whose certificates these have signed are known by name. */
  readonly clientAuthorities?: string;
}

export interface HttpListenerOptions {
  readonly bind: string;
  readonly port: number;
  readonly service: HttpService;
  readonly tls?: ListenerTls;
  readonly bodyPatienceMs?: number;
}

export interface HttpListener {
  /** The one it got when 0 was asked for. */
  readonly port: number;
  close(): Promise<void>;
}

export async function listenHttp(options: HttpListenerOptions): Promise<HttpListener> {
  const { bind, port, service, tls, bodyPatienceMs = 10_000 } = options;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    void answer(request, response, service, bodyPatienceMs);
  };
  // The body has a patience of its own: an answer may take longer.
  const limits = { headersTimeout: 5_000, requestTimeout: 0, keepAliveTimeout: 10_000, maxHeaderSize: 16_384 };
  const server: Server | TlsServer =
    tls === undefined ? createServer(limits, handle) : createTlsServer({ ...limits, ...tlsOptions(tls) }, handle);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, bind, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

function tlsOptions({ cert, key, clientAuthorities }: ListenerTls) {
  const clients = clientAuthorities === undefined ? {} : { ca: clientAuthorities, requestCert: true };
  // A client without a certificate may have a token: who is let in is for the service to say.
  return { cert, key, minVersion: "TLSv1.2" as const, rejectUnauthorized: false, ...clients };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  service: HttpService,
  bodyPatienceMs: number,
): Promise<void> {
  const reply = await service(questionOf(request, bodyPatienceMs)).catch(() => ({
    status: 500,
    headers: {},
    body: "",
  }));
  const body = Buffer.from(reply.body);
  const closes = request.complete ? {} : { connection: "close" };
  response.writeHead(reply.status, { ...reply.headers, "content-length": body.length, ...closes });
  response.end(request.method === "HEAD" ? undefined : body, () => {
    if (!request.complete) request.destroy();
  });
}

function questionOf(request: IncomingMessage, bodyPatienceMs: number): HttpQuestion {
  const { socket } = request;
  const certificateName = socket instanceof TLSSocket && socket.authorized ? nameIn(socket) : undefined;
  const isLoopback = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "");
  return {
    method: request.method ?? "",
    path: (request.url ?? "").replace(/\?.*$/, ""),
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, textOf(value)])),
    peer: certificateName === undefined ? { isLoopback } : { isLoopback, certificateName },
    body: patiently(request, bodyPatienceMs),
  };
}

function nameIn(socket: TLSSocket): string | undefined {
  const name: unknown = socket.getPeerCertificate().subject?.CN;
  return typeof name === "string" ? name : undefined;
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" || value === undefined ? value : value.join(", ");
}

/** Its socket stays open for the answer, whatever becomes of it. */
async function* patiently(request: IncomingMessage, patienceMs: number): AsyncGenerator<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false });
  let timer: NodeJS.Timeout | undefined;
  const lateness = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the body did not come in time")), patienceMs);
  });
  // It may come true when nobody reads any more.
  lateness.catch(() => {});
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), lateness]);
      if (next.done === true) return;
      yield next.value as Uint8Array;
    }
  } finally {
    clearTimeout(timer);
  }
}
