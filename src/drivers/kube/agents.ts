// The two pools of connections to an API server, directly or through a proxy. Both speak HTTP/1.1: over HTTP/2 one lost
// packet would stall every watch at once.

import { Agent, type Dispatcher } from "undici";
import type { ClientCertificate, Trust } from "./connection.ts";
import { tunnelConnector } from "./proxy-tunnel.ts";

export interface AgentsOptions {
  readonly trust: Trust;
  readonly certificate: ClientCertificate | undefined;
  readonly proxy: string | undefined;
  readonly maxConnections: number;
}

export interface Agents {
  readonly calls: Dispatcher;
  readonly watches: Dispatcher;
  /** Lets requests under way finish. */
  close(): Promise<void>;
  /** Cuts everything. */
  destroy(): Promise<void>;
}

export function createAgents(options: AgentsOptions): Agents {
  const calls = createAgent(options, { connections: options.maxConnections });
  // As many as there are watches: one that waited for another's connection would wait for ever.
  const watches = createAgent(options, { connections: null });
  return {
    calls,
    watches,
    close: async () => void (await Promise.all([calls.close(), watches.close()])),
    destroy: async () => void (await Promise.all([calls.destroy(), watches.destroy()])),
  };
}

function createAgent(options: AgentsOptions, { connections }: { readonly connections: number | null }): Dispatcher {
  const tls = tlsOptions(options);
  const shared = {
    connections,
    pipelining: 1,
    allowH2: false,
    // Deadlines are the client's business, on its own clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    // The API server keeps idle connections for minutes; a load balancer in front may drop them sooner.
    keepAliveTimeout: 30_000,
  };
  return new Agent({ ...shared, connect: options.proxy === undefined ? tls : tunnelConnector(options.proxy, tls) });
}

function tlsOptions({ trust, certificate }: AgentsOptions) {
  return {
    timeout: 10_000,
    keepAliveInitialDelay: 30_000,
    rejectUnauthorized: !trust.insecure,
    ...(trust.authorities === undefined ? {} : { ca: trust.authorities }),
    ...(trust.serverName === undefined ? {} : { servername: trust.serverName }),
    ...(certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.key }),
  };
}
