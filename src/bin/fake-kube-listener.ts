// Puts a socket in front of the fake API server: plain HTTP, or HTTPS with a key and a certificate.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { KubeHttpRequest, KubeHttpResponse, SendOptions } from "../ports/kube-transport.ts";
import { decodeProtobufObject } from "../sim/fakes/kube/protobuf/decode-object.ts";

const protobuf = "application/vnd.kubernetes.protobuf";

export interface KubeHandler {
  handle(request: KubeHttpRequest, options?: SendOptions): Promise<KubeHttpResponse>;
}

export interface ListenerOptions {
  /** Zero or absent: any free port. */
  readonly port?: number;
  readonly host?: string;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface KubeListener {
  readonly url: string;
  close(): Promise<void>;
}

export async function listenForKube(handler: KubeHandler, options: ListenerOptions = {}): Promise<KubeListener> {
  const { port = 0, host = "127.0.0.1", tls } = options;
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    answer(handler, request, response).catch((error: unknown) => fail(response, error));
  };
  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
  // Watches last for an hour; a request as a whole must not be cut off before.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = isAddress(address) ? address.port : port;
  return {
    url: `${tls === undefined ? "http" : "https"}://${host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(handler: KubeHandler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const given = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(",") : (value ?? ""),
    ]),
  );
  const { headers, body } = asText(given, Buffer.concat(chunks));
  const path = request.url ?? "/";
  const method = request.method ?? "GET";
  const reply = await handler.handle(
    { method, path, headers, ...(body === "" ? {} : { body }) },
    { signal: gone.signal },
  );
  response.writeHead(reply.status, reply.headers);
  // A watch may send nothing for a long time; its client has to learn that it has begun.
  response.flushHeaders();
  try {
    for await (const bytes of reply.body) {
      if (!response.write(bytes)) await drained(response);
      if (response.destroyed) return;
    }
    response.end();
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

/** kubectl sends some kinds as protocol buffers, which the server itself does not read. What we cannot translate it refuses. */
function asText(
  headers: Readonly<Record<string, string>>,
  bytes: Buffer,
): Pick<KubeHttpRequest, "headers"> & { readonly body: string } {
  const object = headers["content-type"] === protobuf ? decodeProtobufObject(bytes) : undefined;
  if (object === undefined) return { headers, body: bytes.toString("utf8") };
  return { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(object) };
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    // The first event removes both listeners: with a slow reader a watch waits here thousands of times.
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}

function fail(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { "content-type": "text/plain" }).end(message);
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}
