// A pool of kept-alive connections, directly or through a proxy. HTTP/1.1 alone: over HTTP/2 one lost packet stalls every stream at
// once.

import type { buildConnector, Dispatcher } from "undici";
import Agent from "undici/lib/dispatcher/agent.js";
import { tunnelConnector } from "./proxy-tunnel.ts";

export interface AgentOptions {
  /** To each server; null: as many as there are requests. */
  readonly connections: number | null;
  readonly keepAliveTimeoutMs: number;
  readonly proxy: string | undefined;
  readonly tls: buildConnector.BuildOptions;
}

export function createAgent({ connections, keepAliveTimeoutMs, proxy, tls }: AgentOptions): Dispatcher {
  const options = { timeout: 10_000, ...tls };
  return new Agent({
    connections,
    pipelining: 1,
    allowH2: false,
    // Deadlines are the client's business, on its own clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveTimeoutMs,
    connect: proxy === undefined ? options : tunnelConnector(proxy, options),
  });
}
