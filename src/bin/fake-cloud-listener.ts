// Puts a socket in front of the fake cloud: plain HTTP on loopback. The cloud must know its own address, so it comes after the socket.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { CloudHttpOutcome, CloudHttpRequest } from "../sim/fakes/openstack/http-front.ts";

type Handle = (request: CloudHttpRequest) => Promise<CloudHttpOutcome>;

export interface CloudListener {
  /** Such as http://127.0.0.1:40123. */
  readonly url: string;
  serve(handle: Handle): void;
  close(): Promise<void>;
}

export async function listenForCloud(): Promise<CloudListener> {
  let handle: Handle | undefined;
  const server = createServer((request, response) => {
    answer(handle, request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    serve: (given) => {
      handle = given;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(handle: Handle | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
  const body = Buffer.concat(chunks).toString("utf8");
  const outcome = await handle?.({ method: request.method ?? "", path: request.url ?? "/", headers, body });
  if (outcome === undefined || outcome === "hang-up") {
    response.destroy();
    return;
  }
  response.writeHead(outcome.status, outcome.headers);
  response.end(outcome.body);
}
